/* t0202-lxcat-bad.c - defends: a bad cross-section file is refused with the right status
 * and one message that names file and line and what would be right; nothing is returned
 * then. The files are written here, one mistake each; the expected line is counted in the
 * text. */
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH      "t0202-bad.txt"
#define HEAD      "ELASTIC\nXx\n1e-4\n-----\n"      /* rows begin on line 5 */
#define GOOD      HEAD "0 1e-20\n10 1e-20\n-----\n" /* the next block begins on line 8 */
#define EXC(rows) "EXCITATION\nXx -> Xx(a)\n2.0\n-----\n" rows "-----\n"

static const struct {
  const char *text, *target, *database;
  int status, line; /* line 0: the message names the file alone */
  const char *says;
} cases[] = {
    {"", NULL, NULL, WN_EINPUT, 0, "no block of an electron cross section"},
    {"just text\n-----\nmore text\n", NULL, NULL, WN_EINPUT, 0,
     "no block of an electron"},
    {GOOD, "N2", NULL, WN_EINPUT, 0, "no target \"N2\""},
    {GOOD, "N2", NULL, WN_EINPUT, 0, "\"Xx\""},
    {GOOD, "xx", NULL, WN_EINPUT, 0, "written as in the file"},
    {GOOD, "Xx", "Phelps", WN_EINPUT, 0, "no database name contains \"Phelps\""},
    {GOOD "ELASTIC\nYy\n1e-4\n-----\n0 1e-20\n1 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 0,
     "several targets; choose one: \"Xx\", \"Yy\""},
    {"DATABASE: A\n" GOOD "DATABASE: B\n" GOOD, "Xx", NULL, WN_EINPUT, 0,
     "several databases have this gas and their sets must not be mixed"},
    {HEAD "0 1e-20\n", NULL, NULL, WN_EINPUT, 5,
     "end of file inside the table of block ELASTIC"},
    {HEAD "0 1e-20\n10 1e-20\nEXCITATION\n", NULL, NULL, WN_EINPUT, 7,
     "EXCITATION inside the table of block ELASTIC of line 1"},
    {HEAD "0 1e-20\nxxxxxxxxxxxxxxxxxxxxxxxxx\n", NULL, NULL, WN_EINPUT, 6, "'x' or '*'"},
    {"ELASTIC\nXx\n1e-4\n" GOOD, NULL, NULL, WN_EINPUT, 1, "block ELASTIC has no table"},
    {"ELASTIC\nXx\n1e-4\n", NULL, NULL, WN_EINPUT, 1, "has no table"},
    {GOOD "Exitation\nXx -> Xx(a)\n2\n-----\n2 0\n5 1e-21\n-----\n", NULL, NULL,
     WN_EINPUT, 12, "a table without a block"},
    {"ELASTIC\n-----\n0 1e-20\n1 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 1,
     "names no target"},
    {HEAD "0 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 1, "has 1 row"},
    {HEAD "-----\n", NULL, NULL, WN_EINPUT, 1, "has 0 rows"},
    {HEAD "0 1e-20\n1 -1e-20\n-----\n", NULL, NULL, WN_EINPUT, 6, "0 m2 or more"},
    {HEAD "-1 1e-20\n1 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 5, "0 eV or more"},
    {HEAD "0 1e-20\n1 2.0\n-----\n", NULL, NULL, WN_EINPUT, 6, "is its unit m2?"},
    {HEAD "0 1e-20\n1e999 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 6, "not finite"},
    {HEAD "0 1e-20\n1 1e-2O\n-----\n", NULL, NULL, WN_EINPUT, 6, "is not a row of a table"},
    {HEAD "0 1e-20\n1\n-----\n", NULL, NULL, WN_EINPUT, 6, "two numbers are expected"},
    {HEAD "0 1e-20\n1 1e-20 3e-20\n-----\n", NULL, NULL, WN_EINPUT, 6, "is not a row"},
    {HEAD "0 1e-20\n0x1p3 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 6, "is not a row"},
    {HEAD "0 1,5e-20\n1 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 5, "is not a row"},
    {HEAD "1 1e-20\n1 2e-20\n-----\n", NULL, NULL, WN_EINPUT, 1,
     "all rows have the energy 1 eV"},
    {"ELASTIC\nXx\n1836\n-----\n0 1e-20\n1 1e-20\n-----\n", NULL, NULL, WN_EINPUT, 1,
     "between 0 and 1"},
    {GOOD EXC("0 1e-21\n1 1e-21\n"), NULL, NULL, WN_EINPUT, 8,
     "energy loss of 2 eV is above the last energy of the table, 1 eV"},
    {GOOD "EXCITATION\nXx -> a\n-----\n1 0\n2 0\n-----\n", NULL, NULL, WN_EINPUT, 8,
     "gives no energy loss"},
    {GOOD "EXCITATION\nXx -> a\n1e300\n-----\n1 0\n2 1e-21\n-----\n", NULL, NULL,
     WN_EINPUT, 8, "less than 1e+06 eV"},
    {GOOD "IONIZATION\nXx -> a\n0\n-----\n1 0\n2 1e-21\n-----\n", NULL, NULL, WN_EINPUT,
     8, "must be above 0"},
    {"ELASTIC\nXx\n1e-4\nCOLUMNS: Energy (eV) | Cross section (cm2)\n-----\n0 1\n1 "
     "1\n-----\n",
     NULL, NULL, WN_EINPUT, 4, "COLUMNS says"},
    {"ELASTIC\nXx\n1e-4\nSCALING: 1.0 2.0\n-----\n0 1\n1 1\n-----\n", NULL, NULL,
     WN_EINPUT, 4, "SCALING: 1.0 2.0 is not applied"},
    {"ELASTIC\nXx\n1e-4\nTIMES_N: CM3\n-----\n0 1\n1 1\n-----\n", NULL, NULL, WN_EINPUT,
     4, "TIMES_N: CM3 in block ELASTIC"},
    /* A block of another gas may be as bad as it likes, as long as its ends are seen. */
    {GOOD "ELASTIC\nYy\n1836\n-----\n0 -1\n1 1 1\n-----\n", "Xx", NULL, WN_OK, 0, ""},
    /* A lone keyword is no block. */
    {"ELASTIC\n\n" GOOD, "Xx", NULL, WN_OK, 0, ""},
};

static void write_file(const char *text, size_t n)
{
  FILE *f = fopen(PATH, "wb");
  if (f == NULL || fwrite(text, 1, n, f) != n || fclose(f) != 0)
    exit(1);
}

static void try_read(const char *path, const char *target, const char *database, int want,
                     int line, const char *says)
{
  char place[64];
  struct wn_xs_set *set = NULL;
  capture();
  int status = wn_xs_read_lxcat(path, target, database, &set);
  const char *text = captured();
  is_int(status, want, "status of: %s", says);
  ok((set == NULL) == (want != WN_OK), "a set only on success");
  snprintf(place, sizeof place, PATH "%s%.0d: ", line > 0 ? ":" : "",
           line > 0 ? line : 0);
  bool good =
      want == WN_OK || (strstr(text, "error: ") != NULL && strstr(text, says) != NULL &&
                        (line < 0 || strstr(text, place) != NULL));
  ok(good, "message names line %d and says: %s", line, says);
  if (!good)
    diag("got: %s", text);
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    write_file(cases[i].text, strlen(cases[i].text));
    try_read(PATH, cases[i].target, cases[i].database, cases[i].status, cases[i].line,
             cases[i].says);
  }
  static const char zero[] = "ELASTIC\nX\0x\n";
  write_file(zero, sizeof zero - 1);
  try_read(PATH, NULL, NULL, WN_EINPUT, 2, "a zero byte");
  try_read("t0202-is-not-there", NULL, NULL, WN_EIO, -1, "t0202-is-not-there");
  try_read(".", NULL, NULL, WN_EINPUT, -1, "cannot read cross-section file \".\"");
  char **names = NULL;
  size_t n = 7;
  capture();
  int status = wn_xs_list_targets("t0202-is-not-there", &n, &names);
  captured();
  is_int(status, WN_EIO, "no list of a file that is not there");
  ok(n == 7 && names == NULL, "outputs are left alone");
  remove(PATH);
  return done();
}
