/* t0200-lxcat-synthetic.c - defends: the reader gets every number right from LXCat text
 * in all its variations, and names in its notes, with path and line, whatever it skipped,
 * repaired or assumed. The files are t/data/lxcat-*.txt; their numbers are invented, the
 * expected ones read off the files. */
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *data_path(const char *name)
{
  static char path[4096];
  const char *top = getenv("WN_SRCDIR");
  snprintf(path, sizeof path, "%s/t/data/%s", top != NULL ? top : ".", name);
  return path;
}

static struct wn_xs_set *get(const char *name, const char *target, const char *database)
{
  struct wn_xs_set *set = NULL;
  int status = wn_xs_read_lxcat(data_path(name), target, database, &set);
  is_int(status, WN_OK, "%s is read", name);
  if (set == NULL) {
    diag("nothing to test");
    done();
    exit(1);
  }
  return set;
}

static const struct wn_xs_process *find(const struct wn_xs_set *set, const char *label)
{
  static const struct wn_xs_process none = {.line = -1};
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return &set->process[i];
  ok(0, "there is a process \"%s\"", label);
  return &none;
}

/* A note of one line that begins with the set's path and a line number and holds text. */
static void has_note(const struct wn_xs_set *set, int line, const char *text)
{
  char start[4200];
  snprintf(start, sizeof start, "%s:%d: ", set->source, line);
  const char *p = set->notes;
  bool found = false;
  while (p != NULL && !found) {
    const char *end = strchr(p, '\n');
    size_t n = end != NULL ? (size_t)(end - p) : strlen(p);
    const char *hit = strstr(p, text);
    found = strncmp(p, start, strlen(start)) == 0 && hit != NULL && hit < p + n;
    p = end != NULL ? end + 1 : NULL;
  }
  ok(found, "line %d has a note with \"%s\"", line, text);
}

/* One expected process: what the head says, and the ends of the table. */
struct expect {
  const char *label;
  enum wn_xs_kind kind;
  int line;
  double loss, threshold, mass, weight;
  bool reversible, three_body;
  size_t n;
  double e0, s0, e1, s1;
};

static void check(const struct wn_xs_set *set, const struct expect *w, size_t count)
{
  is_int((long long)set->n, (long long)count, "%s: number of processes", set->source);
  for (size_t i = 0; i < count; i++, w++) {
    const struct wn_xs_process *p = find(set, w->label);
    if (p->line < 0)
      continue;
    is_int((int)p->kind, (int)w->kind, "%s: kind", w->label);
    is_int(p->line, w->line, "%s: line", w->label);
    is_close(p->loss_ev, w->loss, 0, "%s: loss", w->label);
    is_close(p->threshold_ev, w->threshold, 0, "%s: threshold", w->label);
    is_close(p->mass_ratio, w->mass, 0, "%s: m/M", w->label);
    is_close(p->weight_ratio, w->weight, 0, "%s: g1/g0", w->label);
    is_int(p->reversible, w->reversible, "%s: reversible", w->label);
    is_int(p->three_body, w->three_body, "%s: three-body", w->label);
    is_int((long long)p->n, (long long)w->n, "%s: rows", w->label);
    is_close(p->energy_ev[0], w->e0, 0, "%s: first energy", w->label);
    is_close(p->sigma[0], w->s0, 0, "%s: first cross section", w->label);
    is_close(p->energy_ev[p->n - 1], w->e1, 0, "%s: last energy", w->label);
    is_close(p->sigma[p->n - 1], w->s1, 0, "%s: last cross section", w->label);
    bool sorted = true, zero_below = true;
    for (size_t r = 0; r < p->n; r++) {
      sorted = sorted && (r == 0 || p->energy_ev[r - 1] <= p->energy_ev[r]);
      zero_below = zero_below && (p->energy_ev[r] >= p->threshold_ev || p->sigma[r] == 0);
    }
    ok(sorted && zero_below, "%s: sorted, and 0 below its threshold", w->label);
  }
}

#define EL       WN_XS_ELASTIC
#define EF       WN_XS_EFFECTIVE
#define EX       WN_XS_EXCITATION
#define IO       WN_XS_IONIZATION
#define AT       WN_XS_ATTACHMENT
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* clang-format off */
static const struct expect basic[] = {
  { "elastic", EL, 23, 0, 0, 1e-4, 0, 0, 0, 4, 0, 1e-20, 1000, 1e-21 },
  { "excitation Xx (v=0 - v=1)", EX, 39, .5, .5, 0, 3, 1, 0, 3, .5, 0, 10, 0 },
  { "excitation Xx(a''1,v0-4)", EX, 52, 6, 6, 0, 0, 0, 0, 3, 6, 0, 1000, 1e-22 },
  { "ionization Xx^+", IO, 66, 12, 12, 0, 0, 0, 0, 3, 12, 0, 1000, 8.8e-21 },
  { "attachment X^-+x", AT, 77, 0, 0, 0, 0, 0, 0, 3, 4, 0, 6, 0 },
};

static const struct expect odd[] = {
  { "effective", EF, 7, 0, 0, 1e-4, 0, 0, 0, 3, .1, 1e-19, 1000, 1e-20 },
  { "excitation Xx(P)", EX, 18, 2.5, 2.5, 0, 4, 0, 0, 3, 2.5, 0, 100, 1e-22 },
  { "excitation Xx(Q)", EX, 28, 8, 8, 0, 0, 0, 0, 5, 1, 0, 100, 1e-22 },
  { "excitation Xx(tight)", EX, 38, 11.5, 11.5, 0, 0, 0, 0, 6, 8, 0, 100, 1e-22 },
  { "excitation Xx(unsorted)", EX, 48, 3, 3, 0, 0, 0, 0, 7, 3, 0, 100, 0 },
  { "excitation Xx(down)", EX, 71, -.5, 0, 0, .25, 0, 0, 2, 0, 1e-21, 5, 2e-21 },
  { "excitation Xx(twice)", EX, 79, .01, .01, 0, 0, 0, 0, 3, .01, 0, 10, 0 },
  { "excitation Xx(twice) #2", EX, 88, .02, .02, 0, 0, 0, 0, 3, .02, 0, 10, 0 },
  { "ionization +ionized Xx", IO, 97, 14, 14, 0, 0, 0, 0, 3, 16, 4e-21, 1000, 1e-20 },
  { "attachment A^-", AT, 109, 0, 6, 0, 0, 0, 0, 5, 5, 0, 9, 0 },
  { "attachment B^-", AT, 118, 0, 1, 0, 0, 0, 0, 2, 1, 2e-23, 7, 0 },
  { "attachment", AT, 126, 0, 0, 0, 0, 0, 1, 3, 0, 0, 1, 0 },
  { "attachment C^-", AT, 136, 0, 0, 0, 0, 0, 1, 3, 0, 0, 1, 0 },
  { "attachment D^-", AT, 145, 0, 0, 0, 0, 0, 1, 3, 0, 0, 1, 0 },
  { "attachment E^-", AT, 153, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0 },
};

static const struct expect loki[] = {
  { "elastic", EL, 2, 0, 0, 2e-4, 0, 0, 0, 2, 0, 6e-20, 1000, 6e-20 },
  { "excitation Xx(exc)", EX, 13, .3, .3, 0, 2, 1, 0, 2, .3, 0, 10, 1e-20 },
  { "ionization Xx+", IO, 22, 9, 9, 0, 0, 0, 0, 2, 9, 0, 100, 1e-20 },
  { "attachment", AT, 30, 0, 0, 0, 0, 0, 0, 2, 0, 1e-22, 1, 0 },
};

static const struct { int line; const char *text; } odd_notes[] = {
  { 7, "MOMENTUM read as EFFECTIVE" },
  { 18, "2.5 eV taken from PARAM" },
  { 28, "8 eV taken, the first energy with a cross section above 0" },
  { 38, "below the energy loss of 11.5 eV" },
  { 54, "rows sorted by energy" },
  { 48, "three or more rows with the energy 30 eV" },
  { 88, "\"excitation Xx(twice) #2\"" },
  { 102, "2 lines inside the table without numbers" },
  { 97, "begins with 4e-21 m2 at 16 eV" },
  { 109, "below the onset of 6 eV" },
  { 118, "there is no onset; the cross section is 0 below its first row" },
  { 126, "three-body (by its comment)" },
  { 136, "three-body (TIMES_N: CM3)" },
  { 145, "three-body (by the size of its numbers)" },
  { 153, "taken as two-body" },
  { 162, "ROTATIONAL E + Xx-rot <-> E + Xx (J=0-J=2), Rotational (0.0015 eV): not used" },
  { 171, "VIBRATIONAL" },
  { 186, "BACKSCAT Xx: not used: a collision of ions without the name of the ion" },
};
/* clang-format on */

static double at(const struct wn_xs_set *set, const char *label, double e)
{
  return wn_xs_sigma(set, find(set, label), e, WN_XS_BEYOND_CONSTANT);
}

static void test_basic(void)
{
  struct wn_xs_set *set = get("lxcat-basic.txt", NULL, NULL);
  check(set, basic, COUNT(basic));
  is_str(set->name, "Xx", "name");
  is_int((long long)strlen(set->sha256 != NULL ? set->sha256 : ""), 64,
         "hash of the file");
  is_str(set->notes, NULL, "nothing to note");
  const struct wn_xs_process *p = find(set, "excitation Xx(a''1,v0-4)");
  is_str(p->database, "Invented one", "database");
  is_str(p->comment, "first line\nsecond line\nthird, continued", "comments are joined");
  is_str(p->target, "Xx", "target");
  is_str(p->product, "Xx(a''1,v0-4)", "product");
  is_str(find(set, "elastic")->updated, "2020-01-02 03:04:05", "date");
  is_close(wn_xs_set_mass(set), 9.1093837015e-27, 1e-14, "mass = m_e/1e-4");
  /* Linear between rows; by hand: at 0.5 eV half way from 1 to 3, at 505 eV half way from
   * 5e-20 to 1e-21. */
  is_close(at(set, "elastic", 0.5), 2e-20, 1e-14, "half way between rows");
  is_close(at(set, "elastic", 505), 2.55e-20, 1e-14, "half way between distant rows");
  is_close(at(set, "elastic", 1.0), 3e-20, 0, "on a row");
  is_close(at(set, "elastic", 1000), 1e-21, 0, "on the last row");
  is_close(at(set, "elastic", 0), 1e-20, 0, "at 0 eV");
  is_close(at(set, "ionization Xx^+", 11.999), 0, 0, "below the threshold");
  is_close(at(set, "elastic", NAN), 0, 0, "not a number gives 0");
  wn_xs_free(set);
}

/* The same text with LF, CRLF and CR in turn must give the same set. */
static void test_line_ends(void)
{
  struct wn_xs_set *set = get("lxcat-line-ends.txt", "Xx", "invented");
  check(set, basic, COUNT(basic));
  is_str(find(set, "elastic")->updated, "2020-01-02 03:04:05", "no CR in strings");
  is_str(set->notes, NULL, "nothing to note");
  wn_xs_free(set);
}

static void test_odd(void)
{
  struct wn_xs_set *set = get("lxcat-odd.txt", "Xx", NULL);
  check(set, odd, COUNT(odd));
  for (size_t i = 0; i < COUNT(odd_notes); i++)
    has_note(set, odd_notes[i].line, odd_notes[i].text);
  /* D exponents and text behind numbers: line 14 is "1.0  2.0D-19   trailing text". */
  is_close(at(set, "effective", 1.0), 2e-19, 0, "D exponent, text behind the row");
  is_close(at(set, "effective", 0.01), 1e-19, 0,
           "no threshold: first value below the first row");
  /* "tight": 4e-22 at 11, 6e-22 at 13, loss 11.5: a step to 4.5e-22 there. */
  is_close(at(set, "excitation Xx(tight)", 11.4999), 0, 0, "0 below the loss");
  is_close(at(set, "excitation Xx(tight)", 11.5), 4.5e-22, 1e-12,
           "the table's value at the loss");
  is_close(at(set, "excitation Xx(tight)", 13), 6e-22, 0, "unchanged above");
  /* "Q": no loss anywhere, 7 eV 0, 8 eV 1e-21. */
  is_close(at(set, "excitation Xx(Q)", 7.9), 0, 0, "0 below the assumed loss");
  is_close(at(set, "excitation Xx(Q)", 8), 1e-21, 0, "step at the assumed loss");
  /* "unsorted": steps at 10 (3 to 7) and 30 (4 to 1, the middle two dropped). */
  is_close(at(set, "excitation Xx(unsorted)", 10), 7e-22, 0, "right value of a step");
  is_close(at(set, "excitation Xx(unsorted)", 10 - 1e-9), 3e-22, 1e-9,
           "left value of a step");
  is_close(at(set, "excitation Xx(unsorted)", 15), 6e-22, 1e-14, "sorted rows");
  is_close(at(set, "excitation Xx(unsorted)", 30 - 1e-9), 4e-22, 1e-9, "first of four");
  is_close(at(set, "excitation Xx(unsorted)", 30), 1e-22, 0, "last of four");
  is_close(at(set, "ionization +ionized Xx", 15.9), 0, 0, "0 below the first row");
  is_close(at(set, "ionization +ionized Xx", 58), 1.2e-20, 1e-14,
           "lines without numbers left out");
  is_close(at(set, "attachment B^-", 0.3), 0, 0, "no onset: 0 below the first row");
  wn_xs_free(set);

  set = get("lxcat-odd.txt", "Xx(v1)", NULL);
  is_int((long long)set->n, 1, "an excited target is a target of its own");
  is_close(set->process[0].loss_ev, -0.5, 0, "explicit superelastic");
  wn_xs_free(set);
}

static void test_encodings(void)
{
  struct wn_xs_set *set = get("lxcat-encodings.txt", NULL, NULL);
  is_int((long long)set->n, 2, "two processes");
  is_str(find(set, "elastic")->comment, "P.A. S\xc3\xa1, UTF-8", "UTF-8 is kept");
  const struct wn_xs_process *p = find(set, "excitation Xx(\xc2\xb5"
                                            "1)");
  is_str(p->comment,
         "pages 1505 \xe2\x80\x93 1513 and an undefined \xef\xbf\xbd, Windows-1252",
         "Windows-1252 becomes UTF-8");
  has_note(set, 17, "not UTF-8");
  wn_xs_free(set);
}

static void test_databases(void)
{
  size_t n = 0;
  char **names = NULL;
  is_int(wn_xs_list_targets(data_path("lxcat-databases.txt"), &n, &names), WN_OK, "list");
  static const char *const want[] = {"N2 (Invented one)", "N2(v1)",
                                     "N2 (Invented one, second edition)", "Xx"};
  is_int((long long)n, 4, "four sets in the file");
  for (size_t i = 0; i < n; i++) {
    is_str(names[i], i < 4 ? want[i] : NULL, "set %zu", i);
    free(names[i]);
  }
  free(names);

  struct wn_xs_set *set = get("lxcat-databases.txt", "N2", "Invented one");
  is_int((long long)set->n, 2, "a full name wins over a part of another");
  is_close(at(set, "elastic", 10), 1e-20, 0, "the first database");
  is_str(set->notes, NULL, "blocks of the other database are not mentioned");
  wn_xs_free(set);
  set = get("lxcat-databases.txt", "N2", "SECOND");
  is_int((long long)set->n, 1, "part of a name, letters of any case");
  is_close(at(set, "elastic", 10), 2e-20, 0, "the second database");
  ok(set->notes != NULL && strstr(set->notes, "ROTATIONAL") != NULL,
     "its ROTATIONAL is named");
  wn_xs_free(set);
  set = get("lxcat-databases.txt", "Xx", NULL);
  is_close(at(set, "elastic", 10), 3e-20, 0, "a gas in one database needs no name");
  wn_xs_free(set);
  set = get("lxcat-databases.txt", NULL, "Other");
  is_str(set->name, "Xx", "a database with one gas needs no target");
  wn_xs_free(set);
}

static void test_loki(void)
{
  struct wn_xs_set *set = get("lxcat-loki.txt", NULL, NULL);
  check(set, loki, COUNT(loki));
  has_note(set, 13, "a block without a keyword: kind excitation");
  is_str(find(set, "elastic")->product, NULL, "elastic has no product");
  wn_xs_free(set);
}

static void test_labels(void)
{
  struct wn_xs_set *set = get("lxcat-twice.txt", NULL, NULL);
  bool unique = true;
  for (size_t i = 0; i < set->n; i++)
    for (size_t k = 0; k < i; k++)
      unique = unique && strcmp(set->process[i].label, set->process[k].label) != 0;
  ok(unique, "labels are unique");
  is_int(find(set, "elastic #3")->line, 21, "third of one name");
  wn_xs_free(set);
  is_str(wn_xs_kind_name(WN_XS_EXCITATION), "excitation", "name of a kind");
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR); /* the warnings are the notes */
  test_basic();
  test_line_ends();
  test_odd();
  test_encodings();
  test_databases();
  test_loki();
  test_labels();
  return done();
}
