/* t/tap/tap.c - see tap.h; checked by t/build/t0000-tap.c. */
#include "t/tap/tap.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_planned, n_run, n_failed;

/* Each line leaves at once, so that nothing is lost in a crash or written twice by a
 * fork. */
static void set_up(void)
{
  static int is_set;
  if (!is_set)
    setvbuf(stdout, NULL, _IOLBF, 0);
  is_set = 1;
}

void plan(int n)
{
  set_up();
  n_planned = n;
  if (n > 0)
    printf("1..%d\n", n);
}

int done(void)
{
  set_up();
  if (n_planned == 0) {
    printf("1..%d\n", n_run);
    if (n_run == 0)
      diag("no check was run");
  } else if (n_run != n_planned) {
    diag("planned %d checks but ran %d", n_planned, n_run);
  }
  if (n_failed > 0)
    diag("%d of %d checks failed", n_failed, n_run);
  return n_failed > 0 || n_run == 0 || (n_planned > 0 && n_run != n_planned);
}

/* Text after "# " on every line; a TAP reader must not see a test line in it. */
static void comment(const char *fmt, va_list ap)
{
  char text[4096];
  vsnprintf(text, sizeof text, fmt, ap);
  for (char *line = text; line;) {
    char *end = strchr(line, '\n');
    if (end)
      *end++ = '\0';
    printf("# %s\n", line);
    line = end && *end ? end : NULL;
  }
}

void diag(const char *fmt, ...)
{
  set_up();
  va_list ap;
  va_start(ap, fmt);
  comment(fmt, ap);
  va_end(ap);
}

/* '#' would begin a directive and a newline would end the line. */
static void print_name(const char *fmt, va_list ap)
{
  char name[512];
  vsnprintf(name, sizeof name, fmt, ap);
  for (char *c = name; *c; c++)
    putchar(*c == '#' || *c == '\n' ? ' ' : *c);
}

static int report(const char *file, int line, int pass, const char *fmt, va_list ap)
{
  set_up();
  n_run++;
  n_failed += !pass;
  printf("%s %d - ", pass ? "ok" : "not ok", n_run);
  print_name(fmt, ap);
  putchar('\n');
  if (!pass)
    diag("  at %s:%d", file, line);
  return pass;
}

/* The shared frame of the checks: report, then tell the numbers if it failed. */
#define REPORT(pass)                                                                     \
  va_list ap;                                                                            \
  va_start(ap, fmt);                                                                     \
  int passed = report(file, line, (pass), fmt, ap);                                      \
  va_end(ap)

int tap_ok(const char *file, int line, int pass, const char *fmt, ...)
{
  REPORT(pass);
  return passed;
}

int tap_is_int(const char *file, int line, long long got, long long want, const char *fmt,
               ...)
{
  REPORT(got == want);
  if (!passed)
    diag("  got %lld, want %lld", got, want);
  return passed;
}

int tap_is_str(const char *file, int line, const char *got, const char *want,
               const char *fmt, ...)
{
  REPORT(got && want ? strcmp(got, want) == 0 : got == want);
  if (!passed) {
    diag("  got  %s%s%s", got ? "\"" : "", got ? got : "NULL", got ? "\"" : "");
    diag("  want %s%s%s", want ? "\"" : "", want ? want : "NULL", want ? "\"" : "");
  }
  return passed;
}

int tap_is_close(const char *file, int line, double got, double want, double rel_tol,
                 const char *fmt, ...)
{
  REPORT(got == want || (isfinite(want) && fabs(got - want) <= rel_tol * fabs(want)));
  if (!passed)
    diag("  got %.17g, want %.17g within %g of it; relative difference %g", got, want,
         rel_tol, (got - want) / want);
  return passed;
}

int tap_is_near(const char *file, int line, double got, double want, double abs_tol,
                const char *fmt, ...)
{
  REPORT(got == want || (isfinite(want) && fabs(got - want) <= abs_tol));
  if (!passed)
    diag("  got %.17g, want %.17g within %g; difference %g", got, want, abs_tol,
         got - want);
  return passed;
}

void skip(int n, const char *fmt, ...)
{
  set_up();
  for (int i = 0; i < n; i++) {
    va_list ap;
    va_start(ap, fmt);
    printf("ok %d # skip ", ++n_run);
    print_name(fmt, ap);
    putchar('\n');
    va_end(ap);
  }
}

void skip_all(const char *fmt, ...)
{
  set_up();
  va_list ap;
  va_start(ap, fmt);
  printf("1..0 # skip ");
  print_name(fmt, ap);
  putchar('\n');
  va_end(ap);
  exit(0);
}
