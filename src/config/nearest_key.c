/* src/config/nearest_key.c - the key or word that a wrong one was meant to be */
#include "src/config/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"

enum {
  LONGEST = 80, /* letters of a word that is compared; keys are shorter */
  MOST_PARTS = 8
};

/* Words of the field, of other codes and of papers, and the keys or groups for them. */
static const struct {
  const char *word, *key;
} synonyms[] = {
    {"eedf", "distribution"},
    {"eepf", "distribution"},
    {"edf", "distribution"},
    {"iedf", "plasma.distributions"},
    {"iadf", "plasma.distributions"},
    {"iead", "plasma.distributions"},
    {"dt", "plasma.time_step"},
    {"dx", "grid.cells"},
    {"mesh", "grid.cells"},
    {"resolution", "grid.cells"},
    {"en", "fields"},
    {"e_over_n", "fields"},
    {"efield", "fields"},
    {"reduced_field", "fields"},
    {"bfield", "magnetic_field"},
    {"mixture", "gas.components"},
    {"composition", "gas.components"},
    {"lxcat", "gas.components.<NAME>.file"},
    {"cross_section", "gas.components.<NAME>.file"},
    {"anisotropy", "scattering"},
    {"angular", "scattering"},
    {"energy_sharing", "sharing"},
    {"gamma", "walls.<NAME>.yield"},
    {"secondary_emission", "walls.<NAME>.yield"},
    {"sey", "walls.<NAME>.electron_yield"},
    {"delta_max", "walls.<NAME>.electron_yield"},
    {"vaughan", "walls.<NAME>.electron_yield_energy"},
    {"reflection_coefficient", "walls.<NAME>.electron_reflection"},
    {"bias", "walls.<NAME>.voltage"},
    {"potential", "walls.<NAME>.voltage"},
    {"second_harmonic", "walls.<NAME>.harmonics"},
    {"capacitor", "walls.<NAME>.capacitance"},
    {"blocking", "walls.<NAME>.capacitance"},
    {"floating", "walls.<NAME>.capacitance"},
    {"resistor", "walls.<NAME>.resistance"},
    {"inductor", "walls.<NAME>.inductance"},
    {"chemistry", "reactions.<NAME>.reactants"},
    {"detachment", "reactions.<NAME>.reactants"},
    {"recombination", "reactions.<NAME>.reactants"},
    {"metastable", "followed.<NAME>.sources"},
    {"metastables", "followed.<NAME>.sources"},
    {"ne", "species.<NAME>.density"},
    {"te", "species.<NAME>.temperature"},
    {"ppc", "species.<NAME>.per_cell"},
    {"particles_per_cell", "species.<NAME>.per_cell"},
    {"n_particles", "species.<NAME>.macroparticles"},
    {"number_of_particles", "species.<NAME>.macroparticles"},
    {"superparticles", "species.<NAME>.per_cell"},
    {"primaries", "electrons"},
    {"t_end", "duration"},
    {"tmax", "duration"},
    {"end_time", "duration"},
    {"runtime", "duration"},
    {"rng", "seed"},
    {"precision", "accuracy"},
    {"splitting", "population.target"},
    {"roulette", "population.target"},
    {"merging", "population.target"},
    {"snapshots", "plasma.fields_interval"},
    {"restart", "checkpoint"},
    {"gpu", "device"},
    {"cores", "threads"},
    {"mpi", "divide"},
    {"ranks", "divide"},
};

/* Edit distance of a[la] and b[lb] (insertions, deletions, substitutions, transpositions),
 * ignoring case.  Words longer than any key have a large distance from all of them. */
static size_t distance_of(const char *a, size_t la, const char *b, size_t lb)
{
  if (la > LONGEST || lb > LONGEST)
    return LONGEST;
  size_t row[3][LONGEST + 1];
  for (size_t j = 0; j <= lb; j++)
    row[0][j] = j;
  for (size_t i = 1; i <= la; i++) {
    size_t *now = row[i % 3], *up = row[(i - 1) % 3], *upup = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= lb; j++) {
      int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
      size_t d = up[j - 1] + (x != y);
      if (up[j] + 1 < d)
        d = up[j] + 1;
      if (now[j - 1] + 1 < d)
        d = now[j - 1] + 1;
      if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
          y == tolower((unsigned char)a[i - 2]) && upup[j - 2] + 1 < d)
        d = upup[j - 2] + 1;
      now[j] = d;
    }
  }
  return row[la % 3][lb];
}

static size_t distance(const char *a, const char *b)
{
  return distance_of(a, strlen(a), b, strlen(b));
}

/* Largest distance of a useful suggestion: a third of the word, and at least two letters. */
static bool is_near(size_t d, const char *word)
{
  size_t third = strlen(word) / 3;
  return d <= (third > 2 ? third : 2);
}

const char *wn_config_nearest(const char *word, size_t n, const char *const *list)
{
  const char *best = NULL;
  size_t best_d = 0;
  for (size_t i = 0; i < n; i++) {
    size_t d = distance(word, list[i]);
    if (best == NULL || d < best_d) {
      best = list[i];
      best_d = d;
    }
  }
  return best != NULL && is_near(best_d, word) && best_d < strlen(word) ? best : NULL;
}

const char *wn_config_last_part(const char *key)
{
  const char *dot = strrchr(key, '.');
  return dot != NULL ? dot + 1 : key;
}

/* The parts of a key between its dots; n is 0 for one with too many. */
struct parts {
  size_t n, len[MOST_PARTS];
  const char *at[MOST_PARTS];
};

static struct parts split(const char *key)
{
  struct parts p = {0};
  for (const char *at = key;; at++) {
    if (p.n == MOST_PARTS)
      return (struct parts){0};
    p.at[p.n] = at;
    p.len[p.n] = strcspn(at, ".");
    at += p.len[p.n++];
    if (*at == '\0')
      return p;
  }
}

static bool is_name(const struct parts *p, size_t i)
{
  return p->len[i] == strlen(WN_KEY_NAME) &&
         memcmp(p->at[i], WN_KEY_NAME, p->len[i]) == 0;
}

/* Without the part <NAME>, of which a key has at most one. */
static struct parts without_name(const struct parts *p)
{
  struct parts out = {0};
  for (size_t i = 0; i < p->n; i++)
    if (!is_name(p, i)) {
      out.at[out.n] = p->at[i];
      out.len[out.n++] = p->len[i];
    }
  return out;
}

/* Whether a part is one of a key's own: such a word is no name of a species, for example. */
static bool is_own_part(const char *part, size_t len)
{
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct parts p = split(wn_config_key(i)->key);
    for (size_t j = 0; j < p.n; j++)
      if (p.len[j] == len && memcmp(p.at[j], part, len) == 0)
        return true;
  }
  return false;
}

/* Whether the first word is the second with its end missing, and long enough to tell. */
static bool is_begun(const char *a, size_t la, const char *b, size_t lb)
{
  return la >= 3 && la < lb && strncasecmp(a, b, la) == 0;
}

/* Distance of a wrong key from the last parts of a right one, part by part; LONGEST: one of
 * them differs too much.  An incomplete last word and missing groups are one error each. */
static size_t tail_distance(const struct parts *wrong, const struct parts *right)
{
  if (wrong->n > right->n || wrong->n == 0)
    return LONGEST;
  const size_t gone = right->n - wrong->n;
  size_t sum = gone > 0;
  for (size_t i = 0; i < wrong->n; i++) {
    const char *a = wrong->at[i], *b = right->at[i + gone];
    const size_t la = wrong->len[i], lb = right->len[i + gone];
    if (is_name(right, i + gone)) {
      if (is_own_part(a, la))
        return LONGEST;
      continue;
    }
    const bool begun = i + 1 == wrong->n && is_begun(a, la, b, lb);
    const size_t d = begun ? 1 : distance_of(a, la, b, lb);
    if (!begun && d > (la < 3 ? 1 : la / 3))
      return LONGEST;
    sum += d;
  }
  return sum;
}

bool wn_config_is_end_of(const char *end, const char *key)
{
  const struct parts e = split(end), k = split(key), less = without_name(&k);
  return tail_distance(&e, &k) == (e.n < k.n) ||
         tail_distance(&e, &less) == (e.n < less.n);
}

/* Distance of a wrong key from a right one.  An incomplete last word counts as one error; so
 * does the right key in the wrong group, but then the spelling must be nearly right: many
 * short words are similar. */
static size_t key_distance(const char *wrong, const char *right)
{
  const char *last = wn_config_last_part(wrong);
  const size_t n = strlen(wrong), d_last = distance(last, wn_config_last_part(right));
  size_t d = distance(wrong, right);
  if (strncmp(right, wrong, n) == 0 && right[n] == '_')
    return 1;
  if (d_last <= strlen(last) / 4 && d_last + 1 < d)
    d = d_last + 1;
  const struct parts w = split(wrong), r = split(right), less = without_name(&r);
  if (w.n < 2) {
    const char *full = wn_config_last_part(right);
    return n > 3 && d > 2 && is_begun(wrong, n, full, strlen(full)) ? 2 : d;
  }
  const size_t tail = tail_distance(&w, &r), omitted = tail_distance(&w, &less) + 1;
  d = tail < d ? tail : d;
  return less.n < r.n && omitted < d ? omitted : d;
}

/* The group in which a key lies at the top of a scenario, malloc'd; NULL: none. */
static char *group_of(const char *key)
{
  const size_t n = strcspn(key, ".");
  return key[n] ? wn_asprintf("%.*s", (int)n, key) : NULL;
}

static bool is_same_group(const char *a, const char *b)
{
  const size_t n = strcspn(a, ".");
  return n == strcspn(b, ".") && memcmp(a, b, n) == 0;
}

/* Takes ownership of `right`; replaces *best if it is nearer, or as near and in the group of the
 * wrong one. */
static void take_nearer(const char *wrong, char *right, char **best, size_t *best_d)
{
  const size_t d = key_distance(wrong, right);
  const bool tie = *best != NULL && d == *best_d && is_same_group(wrong, right) &&
                   !is_same_group(wrong, *best);
  if (is_near(d, wrong) && (*best == NULL || d < *best_d || tie)) {
    free(*best);
    *best = right;
    *best_d = d;
  } else {
    free(right);
  }
}

/* The name in a wrong key, as N2 in components.N2.frac, for the keys of one kind of named groups or,
 * with *of NULL, for all; *len 0: none. */
static const char *name_in(const char *wrong, const struct wn_named **of, size_t *len)
{
  const char *name = NULL;
  *of = wn_config_named_of(wrong, &name, len);
  if (*of != NULL) {
    if (name[*len] == '\0') /* walls.yield: the name is what is missing */
      *len = 0;
    return name;
  }
  const struct parts p = split(wrong);
  const size_t i = p.n > 1 ? p.n - 2 : 0;
  *len = p.n > 1 && !is_own_part(p.at[i], p.len[i]) ? p.len[i] : 0;
  return p.at[i];
}

static const char *synonym_of(const char *wrong)
{
  const char *last = wn_config_last_part(wrong);
  for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
    if (strcasecmp(last, synonyms[i].word) == 0)
      return synonyms[i].key;
  return NULL;
}

char *wn_config_nearest_key(const char *wrong)
{
  size_t len = 0, best_d = 0;
  const struct wn_named *g;
  const char *name = name_in(wrong, &g, &len), *synonym = synonym_of(wrong);
  char *best = NULL;
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    const char *key = k->key, *hole = strstr(key, WN_KEY_NAME);
    char *full = hole != NULL && (g == NULL || k->named == g) && len > 0
                     ? wn_asprintf("%.*s%.*s%s", (int)(hole - key), key, (int)len, name,
                                   hole + strlen(WN_KEY_NAME))
                     : wn_strdup(key);
    char *group = group_of(key);
    if (full != NULL)
      take_nearer(wrong, full, &best, &best_d);
    if (group != NULL)
      take_nearer(wrong, group, &best, &best_d);
  }
  if (synonym == NULL || (best != NULL && best_d < 2))
    return best;
  free(best);
  return wn_strdup(synonym);
}
