/* t0530-known-answers.c - defends: small runs of every scenario, model, scattering and
 * sharing write the bits that they wrote before, with serial and openmp and on a GPU.
 * Numbers: t/data/known-answers.txt, a SHA-256 over all variables of each run, written by
 * this test with WN_KNOWN_WRITE=1.  They say nothing of what is right; they say that a
 * change of bits is on purpose.  build-aux/compare-runs OLD NEW names the variables.
 *
 * The event loop has functions of its own (physics/mathfn.h), but the tables and the
 * output take exp, log, pow and the like from the C library, whose last bits are not
 * those of another, nor of another processor if it has code for several.  So the file
 * holds a hash of what these functions give; where they give something else, the runs are
 * compared with each other and not with the file.  WN_FAST=1 leaves serial out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "t/tap/command.h"
#include "t/tap/draw.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define MAX_LINES 512
#define MAX_LINE  512
#define OUT       "t0530.nc"
#define N_DRAWS   20000

/* The file, line by line; no line is longer. */
static char line[MAX_LINES][MAX_LINE];
static int n_lines;
static char path[4096], lxcat[4096], libm[WN_SHA256_HEX];
static int writing, same_libm;

static const char *source(void)
{
  const char *s = getenv("WN_SRCDIR");
  return s != NULL && *s ? s : ".";
}

/* What follows "key: " in a line; NULL when the line is another. */
static char *after(char *text, const char *key)
{
  size_t n = strlen(key);
  return strncmp(text, key, n) == 0 && text[n] == ':' && text[n + 1] == ' ' ? text + n + 2
                                                                            : NULL;
}

static void read_file(void)
{
  snprintf(path, sizeof path, "%.4000s/t/data/known-answers.txt", source());
  FILE *f = fopen(path, "r");
  while (f != NULL && n_lines < MAX_LINES && fgets(line[n_lines], MAX_LINE, f) != NULL) {
    size_t n = strlen(line[n_lines]);
    if (n == 0 || line[n_lines][n - 1] != '\n') {
      n_lines = 0;
      break;
    }
    line[n_lines++][n - 1] = '\0';
  }
  int whole = f != NULL && feof(f);
  if (f != NULL)
    fclose(f);
  if (!whole || n_lines == 0) {
    printf("Bail out! %s cannot be read, or has lines too long or too many\n", path);
    exit(1);
  }
}

static void write_file(void)
{
  FILE *f = fopen(path, "w");
  int good = f != NULL;
  for (int i = 0; i < n_lines && good; i++)
    good = fprintf(f, "%s\n", line[i]) > 0;
  good = f != NULL && fclose(f) == 0 && good;
  ok(good, "%s is written anew", path);
}

/* Where the functions are of the C library the compiler must not know their arguments. */
static void hash_libm(void)
{
  static double v[16 * N_DRAWS];
  size_t n = 0;
  for (int i = 0; i < N_DRAWS; i++) {
    volatile double u = uniform(), w = uniform(), e = 100.0 * (u - 0.5),
                    x = ldexp(1.0 + w, (int)e), s = x < 1.0 ? x : 1.0 / x;
    v[n++] = exp(e);
    v[n++] = exp2(e);
    v[n++] = expm1(s);
    v[n++] = log(x);
    v[n++] = log2(x);
    v[n++] = log10(x);
    v[n++] = log1p(x);
    v[n++] = log1p(-0.5 * s);
    v[n++] = pow(x, 3.0 * (u - w));
    v[n++] = cbrt(x);
    v[n++] = hypot(x, u);
    v[n++] = sin(6.3 * u);
    v[n++] = cos(6.3 * u);
    v[n++] = tan(1.5 * u);
    v[n++] = atan(x);
    v[n++] = sqrt(x);
  }
  wn_sha256_mem(v, n * sizeof *v, libm);
}

/* Which run a line with a hash belongs to. */
struct run {
  char *name, *hash;
  int of_study;
  char words[4 * MAX_LINE];
};

/* The words of "run:" and "study:" lines, @LXCAT@ replaced; whether all is there. */
static int add_words(struct run *r, const char *text)
{
  size_t n = strlen(r->words);
  const char *at = strstr(text, "@LXCAT@");
  if (at == NULL) {
    snprintf(r->words + n, sizeof r->words - n, "%s%s", n ? " " : "", text);
    return 1;
  }
  snprintf(r->words + n, sizeof r->words - n, "%s%.*s%.1000s%s", n ? " " : "",
           (int)(at - text), text, lxcat, at + 7);
  return access(lxcat, R_OK) == 0;
}

/* Of the study what is printed has all bits. */
static int one_study(const struct run *r, const char *options, char hex[WN_SHA256_HEX])
{
  const int status = command("%s run --model %s %s", command_study(), r->words, options),
            good = status == 0 && *command_out;
  wn_sha256_mem(command_out, strlen(command_out), hex);
  if (!ok(good, "%s, with `%s`: it runs", r->name, options))
    diag("exit status %d; %.900s", status, command_err);
  return good;
}

static int one_run(const struct run *r, const char *options, char hex[WN_SHA256_HEX])
{
  if (r->of_study)
    return one_study(r, options, hex);
  remove(OUT);
  int status = command("%s run '%s/data/scenarios/'%s --quiet --output " OUT " %s",
                       command_wilson(), source(), r->words, options);
  int good = status == 0 && command_nc_hash(OUT, hex);
  if (!ok(good, "%s, with `%s`: it runs", r->name, options))
    diag("exit status %d; %.900s", status, command_err);
  return good;
}

static void test_run(struct run *r)
{
  static const char *const cpu[] = {"--device cpu --threads 2",
                                    "--device cpu --scheduler serial"};
  char hex[WN_SHA256_HEX], first[WN_SHA256_HEX] = "";
  const char *why;
  for (int i = 0; i < (command_fast() && !writing ? 1 : 2); i++) {
    if (!one_run(r, cpu[i], hex))
      continue;
    if (i == 0)
      memcpy(first, hex, sizeof first);
    else
      is_str(hex, first, "%s: `%s` writes the same bits", r->name, cpu[i]);
    if (!writing && same_libm &&
        !ok(strcmp(hex, r->hash) == 0, "%s, with `%s`: the known bits", r->name, cpu[i]))
      diag("got %s, want %s; if this is on purpose: WN_KNOWN_WRITE=1", hex, r->hash);
    else if (!writing && !same_libm)
      skip(1, "%s: the C library computes other bits than that of the file", r->name);
  }
  if (writing && *first)
    snprintf(r->hash, WN_SHA256_HEX, "%s", first);
  if (gpu_there(&why) && one_run(r, "--device cuda", hex))
    is_str(hex, first, "%s: the same bits on the GPU", r->name);
  remove(OUT);
}

int main(void)
{
  struct run r = {NULL, NULL, 0, ""};
  const char *l = getenv("WN_LXCAT_DIR"), *w = getenv("WN_KNOWN_WRITE");
  int n_runs = 0, there = 1;
  plan(0);
  writing = w != NULL && strcmp(w, "1") == 0;
  if (l != NULL && *l)
    snprintf(lxcat, sizeof lxcat, "%.4000s", l);
  else
    snprintf(lxcat, sizeof lxcat, "%.4000s/../shared/lxcat", source());
  read_file();
  hash_libm();
  for (int i = 0; i < n_lines; i++) {
    char *text;
    if ((text = after(line[i], "libm")) != NULL) {
      same_libm = strcmp(text, libm) == 0;
      if (writing)
        snprintf(text, sizeof libm, "%s", libm);
    } else if ((text = after(line[i], "name")) != NULL) {
      r = (struct run){text, NULL, 0, ""};
      there = 1;
    } else if ((text = after(line[i], "run")) != NULL) {
      there = add_words(&r, text) && there;
    } else if ((text = after(line[i], "study")) != NULL) {
      r.of_study = add_words(&r, text);
    } else if ((text = after(line[i], "sha256")) != NULL) {
      r.hash = text;
      n_runs++;
      if (there)
        test_run(&r);
      else
        skip(1, "%s: no folder with files of LXCat", r.name);
    } else if (line[i][0] != '#' && line[i][0] != '\0') {
      ok(0, "known-answers.txt:%d: a line that is none: %s", i + 1, line[i]);
    }
  }
  const char *why;
  if (!gpu_there(&why) && gpu_required())
    ok(0, "the runs on a GPU, which WN_REQUIRE_GPU=1 demands: %s", why);
  else if (!gpu_there(&why))
    skip(1, "the runs on a GPU: %s", why);
  if (!same_libm)
    diag("exp, log, pow and so on of this C library hash to %s", libm);
  ok(n_runs > 20, "%d runs", n_runs);
  if (writing)
    write_file();
  return done();
}
