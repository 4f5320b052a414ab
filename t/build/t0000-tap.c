/* t0000-tap.c - defends: the harness itself.  A failing check fails the program, tells
 * got, want and tolerance, and never passes for a NaN; a wrong number of checks fails; a
 * skip is never a plain pass.  Each case runs in a child process whose output is compared
 * with the lines that TAP version 12 asks for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/tap/tap.h"

static int all_pass(void)
{
  plan(7);
  ok(1, "true");
  is_int(3, 3, "integers");
  is_str("a", "a", "strings");
  is_str(NULL, NULL, "no strings");
  is_close(1.0 + 1e-9, 1.0, 1e-8, "close");
  is_close(INFINITY, INFINITY, 0.0, "infinite");
  is_near(1e-9, 0.0, 1e-8, "near, # %d of this name", 7);
  return done();
}

static int one_false(void)
{
  plan(0);
  ok(1, "true");
  ok(0, "false");
  return done();
}

static int wrong_int(void)
{
  plan(1);
  is_int(-2, 3, "integers");
  return done();
}

static int wrong_string(void)
{
  plan(2);
  is_str("a", "b", "strings");
  is_str(NULL, "b", "no string");
  return done();
}

static int wrong_close(void)
{
  plan(1);
  is_close(1.5, 1.0, 0.25, "close");
  return done();
}

static int wrong_near(void)
{
  plan(1);
  is_near(1.5, 1.0, 0.25, "near");
  return done();
}

static int nan_and_infinity(void)
{
  plan(6);
  is_close(NAN, 1.0, 1e300, "nan");
  is_close(NAN, NAN, 1.0, "two nans");
  is_near(NAN, 1.0, INFINITY, "nan near");
  is_close(INFINITY, 1.0, 0.5, "infinity");
  is_close(1.0, INFINITY, 0.5, "infinity wanted");
  is_close(1e-300, 0.0, 0.5, "zero wanted");
  return done();
}

static int too_few(void)
{
  plan(2);
  ok(1, "true");
  return done();
}

static int too_many(void)
{
  plan(1);
  ok(1, "true");
  ok(1, "true");
  return done();
}

static int nothing(void)
{
  plan(0);
  return done();
}

static int some_skipped(void)
{
  plan(3);
  ok(1, "true");
  skip(2, "no file %s", "x");
  return done();
}

static int all_skipped(void)
{
  skip_all("no device");
}

static int comment(void)
{
  plan(1);
  diag("first\nok 9 - a trap");
  ok(1, "true");
  return done();
}

static const struct {
  const char *name;
  int (*run)(void);
  int status;
  const char *lines[7]; /* each must stand in the output, from the beginning of a line */
} cases[] = {
    {"all checks pass",
     all_pass,
     0,
     {"1..7\n", "ok 1 - true\n", "ok 6 - infinite\n", "ok 7 - near,   7 of this name\n"}},
    {"a false condition",
     one_false,
     1,
     {"ok 1 - true\n", "not ok 2 - false\n", "#   at ", "1..2\n"}},
    {"a wrong integer", wrong_int, 1, {"not ok 1 - integers\n", "#   got -2, want 3\n"}},
    {"a wrong string",
     wrong_string,
     1,
     {"not ok 1 - strings\n", "#   got  \"a\"\n", "#   want \"b\"\n",
      "not ok 2 - no string\n", "#   got  NULL\n"}},
    {"a wrong number, relative",
     wrong_close,
     1,
     {"not ok 1 - close\n",
      "#   got 1.5, want 1 within 0.25 of it; relative difference 0.5\n"}},
    {"a wrong number, absolute",
     wrong_near,
     1,
     {"not ok 1 - near\n", "#   got 1.5, want 1 within 0.25; difference 0.5\n"}},
    {"NaN and infinity",
     nan_and_infinity,
     1,
     {"not ok 1 - nan\n", "not ok 2 - two nans\n", "not ok 3 - nan near\n",
      "not ok 4 - infinity\n", "not ok 5 - infinity wanted\n",
      "not ok 6 - zero wanted\n"}},
    {"fewer checks than planned",
     too_few,
     1,
     {"1..2\n", "# planned 2 checks but ran 1\n"}},
    {"more checks than planned",
     too_many,
     1,
     {"1..1\n", "# planned 1 checks but ran 2\n"}},
    {"no check at all", nothing, 1, {"1..0\n", "# no check was run\n"}},
    {"skipped checks",
     some_skipped,
     0,
     {"1..3\n", "ok 2 # skip no file x\n", "ok 3 # skip no file x\n"}},
    {"a skipped program", all_skipped, 0, {"1..0 # skip no device\n"}},
    {"a comment of two lines",
     comment,
     0,
     {"# first\n", "# ok 9 - a trap\n", "ok 1 - true\n"}},
};

/* Runs f in a child, its stdout into text.  Returns the exit status, -1 when there is
 * none. */
static int run_child(int (*f)(void), char *text, size_t size)
{
  int ends[2], status;
  if (pipe(ends) != 0)
    return -1;
  pid_t pid = fork();
  if (pid < 0)
    return -1;
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    exit(f());
  }
  close(ends[1]);
  size_t n = 0;
  ssize_t got;
  while (n + 1 < size && (got = read(ends[0], text + n, size - 1 - n)) > 0)
    n += (size_t)got;
  text[n] = '\0';
  close(ends[0]);
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int has_line(const char *text, const char *line)
{
  for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
    if (at == text || at[-1] == '\n')
      return 1;
  return 0;
}

/* The harness cannot judge itself with its own checks alone, so this main prints TAP by
 * hand. */
int main(void)
{
  const size_t n = sizeof cases / sizeof cases[0];
  char text[8192];
  int n_bad = 0;
  printf("1..%zu\n", n);
  fflush(stdout);
  for (size_t i = 0; i < n; i++) {
    int status = run_child(cases[i].run, text, sizeof text);
    const char *missing = NULL;
    for (size_t j = 0; j < 7 && cases[i].lines[j]; j++)
      if (!has_line(text, cases[i].lines[j]))
        missing = cases[i].lines[j];
    int bad = status != cases[i].status || missing != NULL;
    n_bad += bad;
    printf("%s %zu - %s\n", bad ? "not ok" : "ok", i + 1, cases[i].name);
    if (bad)
      printf("# exit status got %d, want %d; missing line: %s\n", status, cases[i].status,
             missing ? missing : "none");
    fflush(stdout);
  }
  return n_bad > 0;
}
