/* t0661-waveform.c - defends: what a scenario says of a waveform, by keys or by a file, is the
 * factor of the field at each time, and the steps that time is cut into give its integral.
 * Values and integrals: closed forms, by hand.  A step takes the factor in its middle: exact
 * for what is constant or straight in it, so that jumps must lie between steps, and lines are
 * cut where they bend; a sine over a whole period, by the symmetry of the middles.  Values and
 * integrals within 1e-9 of the largest, which is rounding. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/config/config.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0661.cfg"
#define TABLE     "t0661.csv"
#define NS        1e-9
#define HEAD                                                                             \
  "job = \"swarm\"; fields = [\"100 Td\"]; duration = \"10 ns\"; gas = { components = "  \
  "{ N2 = { file = \"builtin:air\"; }; }; };\nwaveform = { "

static void write_text(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  ok(f != NULL && fputs(text, f) != EOF && fclose(f) == 0, "%s is written", path);
}

/* ns, factor */
struct point {
  double t, f;
};

static const struct {
  const char *name, *keys, *file;
  struct point at[10];
  size_t n;
  double span, integral; /* ns */
} cases[] = {
    {"sine",
     "shape = \"sine\"; frequency = \"100 MHz\"; phase = \"90 deg\"; offset = 0.25;",
     NULL,
     {{0.0, 1.25},
      {1.25, 0.25 + 0.70710678118654752},
      {2.5, 0.25},
      {5.0, -0.75},
      {10.0, 1.25},
      {22.5, 0.25}},
     6,
     10.0,
     2.5},
    {"pulse",
     "shape = \"pulse\"; start = \"1 ns\"; rise = \"2 ns\"; length = \"3 ns\"; fall = "
     "\"1 ns\";",
     NULL,
     {{0.0, 0.0},
      {0.999, 0.0},
      {1.0, 0.0},
      {2.0, 0.5},
      {3.0, 1.0},
      {5.9, 1.0},
      {6.25, 0.75},
      {7.0, 0.0},
      {1e6, 0.0}},
     9,
     10.0,
     1.0 + 3.0 + 0.5},
    {"pulse with jumps, again and again",
     "shape = \"pulse\"; start = \"1 ns\"; length = \"1 ns\"; period = \"5 ns\";",
     NULL,
     {{0.0, 0.0}, {1.0, 1.0}, {1.999, 1.0}, {2.0, 0.0}, {6.5, 1.0}, {8.0, 0.0}},
     6,
     10.0,
     2.0},
    {"steps",
     "shape = \"steps\"; times = [\"0 s\", \"2 ns\", \"3 ns\"]; factors = [1.0, -0.5, "
     "3.0];",
     NULL,
     {{0.0, 1.0}, {1.999, 1.0}, {2.0, -0.5}, {2.999, -0.5}, {3.0, 3.0}, {9e3, 3.0}},
     6,
     10.0,
     2.0 - 0.5 + 21.0},
    {"lines",
     "shape = \"linear\"; times = [\"0 s\", \"4 ns\", \"5 ns\"]; factors = [1.0, 3.0, "
     "-1.0];",
     NULL,
     {{0.0, 1.0}, {1.0, 1.5}, {4.0, 3.0}, {4.5, 1.0}, {5.0, -1.0}, {9.0, -1.0}},
     6,
     10.0,
     8.0 + 1.0 - 5.0},
    {"lines of a file",
     "shape = \"linear\"; file = \"" TABLE "\";",
     "# time, factor\n0, 1 # here it begins\n\n  4e-9\t3\r\n5e-9 , -1.0\n",
     {{0.0, 1.0}, {1.0, 1.5}, {4.0, 3.0}, {4.5, 1.0}, {5.0, -1.0}, {9.0, -1.0}},
     6,
     10.0,
     8.0 + 1.0 - 5.0},
    {"steps of a file, again and again",
     "shape = \"steps\"; period = \"5 ns\"; file = \"" TABLE "\";",
     "0 2\n1e-9,0\n",
     {{0.0, 2.0}, {0.5, 2.0}, {1.0, 0.0}, {4.99, 0.0}, {5.0, 2.0}, {7.0, 0.0}},
     6,
     10.0,
     4.0},
};

static void test(size_t i)
{
  char text[1024];
  struct wn_config *c = NULL;
  if (cases[i].file != NULL)
    write_text(TABLE, cases[i].file);
  snprintf(text, sizeof text, HEAD "%s };\n", cases[i].keys);
  write_text(FILE_NAME, text);
  if (!is_int(wn_config_read(FILE_NAME, 0, NULL, &c), WN_OK, "%s: is read",
              cases[i].name))
    return;
  const struct wn_waveform *w = &c->waveform.is;
  for (size_t k = 0; k < cases[i].n; k++)
    is_near(wn_waveform_at(w, cases[i].at[k].t * NS), cases[i].at[k].f, 1e-9,
            "%s: at %g ns", cases[i].name, cases[i].at[k].t);
  const double span = cases[i].span * NS;
  const size_t rows = 20, n = wn_waveform_divide(w, span, rows, 8, 1000);
  double sum = 0.0;
  if (ok(n >= 8, "%s: is cut into %zu steps a row", cases[i].name, n))
    for (size_t k = 0; k < n * rows; k++)
      sum += wn_waveform_at(w, ((double)k + 0.5) * span / (double)(n * rows));
  is_near(sum * cases[i].span / (double)(n * rows), cases[i].integral, 1e-9 * 25.0,
          "%s: its integral over 10 ns", cases[i].name);
  wn_config_free(c);
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    test(i);
  /* a jump where no simple step ends */
  static const double times[] = {0.0, 3.14159265358979}, factors[] = {1.0, 2.0};
  const struct wn_waveform odd = {.shape = WN_WAVEFORM_STEPS,
                                  .n = 2,
                                  .times = times,
                                  .factors = factors,
                                  .period = -1.0};
  is_int((long)wn_waveform_divide(&odd, 10.0, 10, 1, 100), 0, "no steps for an odd jump");
  remove(FILE_NAME);
  remove(TABLE);
  return done();
}
