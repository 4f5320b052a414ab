/* src/config/help.c - help on keys: their descriptions, and the manual */
#include "src/config/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "physics/constants.h"

const char *wn_config_range_text(const struct wn_key *k, char *buf, size_t n)
{
  char lo[32], hi[32];
  size_t used = 0;
  buf[0] = '\0';
  switch (k->type) {
  case WN_KEY_WORD:
  case WN_KEY_WORDS:
    for (size_t i = 0; k->words[i] != NULL && used < n; i++)
      used += (size_t)snprintf(buf + used, n - used, "%s%s", i ? ", " : "", k->words[i]);
    break;
  case WN_KEY_BOOL:
    snprintf(buf, n, "true, false");
    break;
  case WN_KEY_STRING:
  case WN_KEY_FILE:
  case WN_KEY_STRINGS:
    break;
  default: {
    const char *unit = wn_config_units_base(k->unit), *gap = *unit ? " " : "";
    bool angle = k->unit == WN_UNIT_ANGLE; /* readers expect degrees, not radians */
    bool above = k->flags & WN_KEY_ABOVE_MIN;
    snprintf(lo, sizeof lo, "%.9g", angle ? k->min * 180 / WN_PI : k->min);
    if (k->type == WN_KEY_SEED)
      snprintf(hi, sizeof hi, "9223372036854775807"); /* no double is equal to it */
    else
      snprintf(hi, sizeof hi, "%.9g", angle ? k->max * 180 / WN_PI : k->max);
    if (angle)
      unit = "deg";
    snprintf(buf, n, "%s%s%s%s to %s%s%s%s%s", above ? "more than " : "", lo, gap, unit,
             hi, gap, unit, k->flags & WN_KEY_POWER2 ? ", a power of two" : "",
             k->flags & WN_KEY_RISING ? ", rising" : "");
    if (k->automatic != NULL) {
      used = strlen(buf);
      snprintf(buf + used, n - used, ", or \"%s\"", k->automatic);
    }
  }
  }
  return buf;
}

const char *wn_config_type_text(const struct wn_key *k)
{
  switch (k->type) {
  case WN_KEY_QUANTITY:
    return k->unit == WN_UNIT_NONE ? "number" : "number with unit, in quotes";
  case WN_KEY_COUNT:
  case WN_KEY_SEED:
  case WN_KEY_INT:
    return "whole number";
  case WN_KEY_BOOL:
    return "true or false";
  case WN_KEY_WORD:
    return "one of the words, in quotes";
  case WN_KEY_STRING:
  case WN_KEY_FILE:
    return "text in quotes";
  case WN_KEY_STRINGS:
    return "list of texts in quotes";
  case WN_KEY_WORDS:
    return "list of words, in quotes";
  case WN_KEY_QUANTITIES:
  case WN_KEY_FIELDS:
    return "list of numbers with unit, in quotes";
  case WN_KEY_VECTOR:
    return k->flags & WN_KEY_PER_AXIS
               ? "list of numbers with unit, in quotes, one for each axis of the grid"
           : k->n == 2 ? "list of two numbers with unit, in quotes"
                       : "list of three numbers with unit, in quotes";
  case WN_KEY_COUNTS:
  case WN_KEY_INTEGERS:
    return "list of whole numbers, one for each axis of the grid";
  case WN_KEY_MODES:
    return "list of lists of numbers, one for each axis of the grid";
  }
  return "";
}

/* The default in readable form; buf of n. */
static const char *default_text(const struct wn_key *k, char *buf, size_t n)
{
  if (k->flags & WN_KEY_REQUIRED)
    snprintf(buf, n, "none (required)");
  else if (k->def_text != NULL)
    snprintf(buf, n, "%s", k->def_text);
  else if (k->def_plasma != NULL)
    snprintf(buf, n, "%s; %s of model plasma", k->def, k->def_plasma);
  else
    snprintf(buf, n, "%s", k->def);
  return buf;
}

/* The models that use it; buf of n. */
static const char *model_text(const struct wn_key *k, char *buf, size_t n)
{
  size_t n_models = 0, used = 0;
  for (size_t i = 0; i < WN_N_MODELS; i++)
    n_models += (k->flags & wn_config_model_flag[i]) != 0;
  if (n_models == WN_N_MODELS)
    return "all models";
  used = (size_t)snprintf(buf, n, "model%s", n_models > 1 ? "s" : "");
  for (size_t i = 0, done = 0; i < WN_N_MODELS && used < n; i++)
    if (k->flags & wn_config_model_flag[i])
      used += (size_t)snprintf(buf + used, n - used, "%s %s", done++ ? "," : "",
                               wn_config_model_name[i]);
  return buf;
}

/* What stands after the absolute units; buf of n. */
static const char *relative_units(const struct wn_key *k, char *buf, size_t n)
{
  const char *more = wn_config_relative_units(k);
  const bool both = (k->flags & WN_KEY_MCC) && *more;
  snprintf(buf, n, "%s%s", both ? "; in model plasma also" : "", both ? more + 1 : more);
  return buf;
}

/* Text in lines of at most `width` characters, each after `indent` blanks. */
static void wrap(const char *text, size_t width, int indent, FILE *to)
{
  while (*text) {
    size_t n = strlen(text);
    if (n > width) {
      n = width;
      while (n > 0 && text[n] != ' ')
        n--;
      if (n == 0)
        n = strcspn(text, " ");
    }
    size_t shown = n;
    while (shown > 0 && text[shown - 1] == ' ')
      shown--;
    fprintf(to, "%*s%.*s\n", indent, "", (int)shown, text);
    text += n;
    while (*text == ' ')
      text++;
  }
}

static void help_one(const struct wn_key *k, FILE *to)
{
  char buf[300];
  fprintf(to, "%s\n", k->key);
  fprintf(to, "  value    %s\n", wn_config_type_text(k));
  if (*wn_config_units_allowed(k->unit))
    fprintf(to, "  units    %s%s\n", wn_config_units_allowed(k->unit),
            relative_units(k, buf, sizeof buf));
  fprintf(to, "  default  %s\n", default_text(k, buf, sizeof buf));
  if (*wn_config_range_text(k, buf, sizeof buf))
    fprintf(to, "  allowed  %s\n", buf);
  fprintf(to, "  used by  %s\n", model_text(k, buf, sizeof buf));
  wrap(k->help, 76, 2, to);
}

/* End of the first part of a text of n letters: a colon or semicolon outside of brackets;
 * n: none.  A comma is not used, as the text before it is often incomplete. */
static size_t first_part(const char *text, size_t n)
{
  int depth = 0;
  for (size_t i = 0; i + 1 < n; i++) {
    if (strchr("([{", text[i]))
      depth++;
    else if (strchr(")]}", text[i]))
      depth--;
    else if (depth == 0 && (text[i] == ':' || text[i] == ';') && text[i + 1] == ' ')
      return i;
  }
  return n;
}

/* A short description of the key: the first sentence of its help, or a part of a long one. */
static void list_one(const struct wn_key *k, FILE *to)
{
  enum { SHORT = 70 };
  const char *stop = strstr(k->help, ".  ");
  size_t n = stop != NULL ? (size_t)(stop - k->help) : strlen(k->help) - 1;
  if (n > SHORT)
    n = first_part(k->help, n);
  fprintf(to, "%-38s %.*s\n", k->key, (int)n, k->help);
}

int wn_config_help(const char *key, FILE *to)
{
  const struct wn_key *k = wn_config_find_key(key, NULL, NULL);
  if (k != NULL) {
    help_one(k, to);
    return WN_OK;
  }
  /* A group with all its keys, or the last parts of a key alone. */
  size_t len = strlen(key), n = 0;
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const char *full = wn_config_key(i)->key;
    if (strncmp(full, key, len) == 0 && full[len] == '.') {
      list_one(wn_config_key(i), to);
      n++;
    }
  }
  bool group = n > 0;
  for (size_t i = 0; i < wn_config_n_keys() && !group; i++) {
    k = wn_config_key(i);
    if (!wn_config_is_end_of(key, k->key))
      continue;
    if (n++ > 0) /* several keys may have this ending */
      fputc('\n', to);
    help_one(k, to);
  }
  if (n > 0)
    return WN_OK;
  char *near = wn_config_nearest_key(key);
  int status = near != NULL
                   ? WN_FAIL(WN_EINPUT, "no key `%s`; nearest is `%s`", key, near)
                   : WN_FAIL(WN_EINPUT, "no key `%s`; `wilson list keys` shows all", key);
  free(near);
  return status;
}

void wn_config_list(FILE *to)
{
  for (size_t i = 0; i < wn_config_n_keys(); i++)
    list_one(wn_config_key(i), to);
}

void wn_config_list_words(const char *key, FILE *to)
{
  const struct wn_key *k = wn_config_find_key(key, NULL, NULL);
  WN_ASSERT(k != NULL && k->words != NULL);
  for (size_t i = 0; k->words[i]; i++) {
    /* The help of such a key has one sentence for each word, "word: description." */
    size_t len = strlen(k->words[i]);
    const char *s = k->help;
    while (s != NULL && !(strncmp(s, k->words[i], len) == 0 && s[len] == ':')) {
      s = strstr(s, ".  ");
      s = s != NULL ? s + 3 : NULL;
    }
    const char *stop = s != NULL ? strstr(s, ".  ") : NULL;
    int n = s != NULL
                ? (int)(stop != NULL ? (size_t)(stop - s) : strlen(s) - 1) - (int)len - 2
                : 0;
    fprintf(to, "%-18s %.*s\n", k->words[i], n, s != NULL ? s + len + 2 : "");
  }
}

/* Topics of the reference, in the order of the keys: each begins with its first key; the page explains it. */
static const struct topic {
  const char *first, *title, *page;
} topics[] = {
    {"title", "The run", "running.md"},
    {"magnetic_field", "Magnetic field of swarms", "physics.md"},
    {"waveform.shape", "Time-varying field of swarms", "physics.md"},
    {"field_profile.places", "Electric field along z", "altitude.md"},
    {"seed", "Electrons, length and accuracy", "physics.md"},
    {"gas.pressure", "Gas", "cross-sections.md"},
    {"scattering", "Scattering, energy sharing, tables", "physics.md"},
    {"population.target", "Number of macroparticles", "physics.md"},
    {"runaway.thresholds", "Runaways", "physics.md"},
    {"detectors.planes", "Detectors", "physics.md"},
    {"radiation.photons_min", "Radiation of swarms and runaways", "photons.md"},
    {"distribution.bins_per_decade", "Energy distributions", "output.md"},
    {"device", "Device, threads, output", "running.md"},
    {"checkpoint.interval", "Checkpoints", "running.md"},
    {"grid.cells", "Grid", "plasma.md"},
    {"walls.<NAME>.field", "Walls", "plasma.md"},
    {"species.<NAME>.charge", "Species", "plasma.md"},
    {"electrodes.<NAME>.shape", "Electrodes inside the grid", "electrodes.md"},
    {"dielectrics.<NAME>.shape", "Dielectrics inside the grid", "dielectrics.md"},
    {"plasma.time_step", "Time step", "plasma.md"},
    {"plasma.adaptive.least", "Adaptive time steps", "steps.md"},
    {"plasma.mobility_steps", "Method of a plasma", "plasma.md"},
    {"plasma.sparse.least_level", "Sparse grids", "sparse.md"},
    {"plasma.nodes.formula", "Given fields and the implicit mover", "implicit.md"},
    {"plasma.background", "Background, relativity, magnetic field of plasmas",
     "plasma.md"},
    {"plasma.modes", "Output of plasmas", "output.md"},
    {"plasma.averages.<NAME>.start", "Averages of plasmas", "output.md"},
    {"plasma.distributions.<NAME>.species", "Distributions of plasmas", "output.md"},
    {"plasma.sources.<NAME>.species", "Sources", "plasma.md"},
    {"plasma.thermostats.<NAME>.species", "Thermostats", "plasma.md"},
    {"reactions.<NAME>.reactants", "Reactions", "plasma.md"},
    {"followed.<NAME>.sources", "Followed densities", "plasma.md"},
    {"plasma.coulomb.<NAME>.species", "Coulomb collisions", "plasma.md"},
    {"plasma.photoionization.ions", "Photoionization", "photoionization.md"},
    {"plasma.merging.<NAME>.species", "Merging and splitting", "merging.md"},
    {"plasma.test_electrons.number", "Test electrons", "runaway-plasma.md"},
};
enum { N_TOPICS = sizeof topics / sizeof topics[0] };

/* The anchor of a heading, as renderers of Markdown make it: lower case, blanks as hyphens, of the rest
 * letters, digits, hyphens and underscores. */
static void put_anchor(const char *title, FILE *to)
{
  for (; *title; title++) {
    const unsigned char c = (unsigned char)*title;
    if (c == ' ')
      fputc('-', to);
    else if (isalnum(c) || c == '-' || c == '_')
      fputc(tolower(c), to);
  }
}

static void put_link(const char *title, bool code, FILE *to)
{
  const char *tick = code ? "`" : "";
  fprintf(to, "[%s%s%s](#", tick, title, tick);
  put_anchor(title, to);
  fputc(')', to);
}

/* The topic that begins with key i, NULL: none does. */
static const struct topic *topic_at(size_t i)
{
  for (size_t t = 0; t < N_TOPICS; t++)
    if (strcmp(topics[t].first, wn_config_key(i)->key) == 0)
      return &topics[t];
  return NULL;
}

/* The contents: a line a topic, with its keys. */
static void contents(FILE *to)
{
  size_t begun = 0;
  fprintf(to, "## Contents\n\n- [Units](#units)\n");
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct topic *t = topic_at(i);
    if (t != NULL) {
      fputs(begun++ > 0 ? "\n- " : "- ", to);
      put_link(t->title, false, to);
      fputs(":\n", to);
    } else {
      fputs(",\n", to);
    }
    fputs("  ", to);
    put_link(wn_config_key(i)->key, true, to);
  }
  WN_ASSERT(begun == N_TOPICS); /* each first key of the list above is a key */
  fputs("\n\n", to);
}

/* The help of a key with links to the keys that it names. */
static void put_help(const struct wn_key *self, FILE *to)
{
  char *text = NULL;
  size_t size = 0;
  FILE *linked = open_memstream(&text, &size);
  if (linked == NULL) { /* no memory: the text as it is */
    wrap(self->help, 100, 0, to);
    return;
  }
  for (const char *s = self->help; *s;) {
    const char *end = *s == '`' ? strchr(s + 1, '`') : NULL;
    const struct wn_key *k = NULL;
    for (size_t i = 0; end != NULL && k == NULL && i < wn_config_n_keys(); i++) {
      const char *key = wn_config_key(i)->key;
      if (strlen(key) == (size_t)(end - s - 1) && strncmp(key, s + 1, strlen(key)) == 0)
        k = wn_config_key(i);
    }
    if (k != NULL && k != self) {
      put_link(k->key, true, linked);
      s = end + 1;
    } else if (end != NULL) {
      fwrite(s, 1, (size_t)(end + 1 - s), linked);
      s = end + 1;
    } else {
      fputc(*s++, linked);
    }
  }
  fclose(linked);
  wrap(text != NULL ? text : self->help, 100, 0, to);
  free(text);
}

/* Markdown takes <NAME> for a tag, except in code. */
void wn_config_manual(FILE *to)
{
  static const char intro[] =
      "# Keys of scenario files\n"
      "\n"
      "This page is written by `wilson list manual` from the table in "
      "`src/config/keys.c`; "
      "edit that.\n"
      "\n"
      "A scenario file is a [libconfig](https://hyperrealm.github.io/libconfig/) file: "
      "`key = value;`, groups in\n"
      "braces, lists in brackets, text in quotes, comments after `#`.  A key written "
      "here as "
      "`gas.pressure` stands in\n"
      "the group `gas`.  On the command line it is `--set 'gas.pressure=\"760 Torr\"'`.\n"
      "\n"
      "A number that has a unit is written with it, in quotes: `\"760 Torr\"`.  Only 0 "
      "needs "
      "no unit.  An unknown key, a\n"
      "key given twice, a missing or unknown unit and a value out of range are errors; "
      "all "
      "errors of a file are\n"
      "reported at once.\n"
      "\n";
  static const char relative[] =
      "\nIn model plasma lengths and times may be given by what the scenario defines: "
      "`\"64 debye\"`, `\"1/200 period\"`,\n`\"0.1 / omega_p\"`.  The number may be a "
      "ratio of two "
      "numbers.\n\n"
      "- debye: Debye length of the electrons at time 0, at the maximum of the density\n"
      "- cells (cell): of the axis that the key belongs to\n"
      "- periods (period): of the only frequency of the walls\n"
      "- plasma_periods (plasma_period): 2 pi / omega_p\n"
      "- / omega_p: divided by the plasma frequency of the electrons at time 0, in "
      "rad/s\n"
      "- steps (step): `plasma.time_step`\n"
      "- / omega_0, c / omega_0, m omega_0 / q, m c omega_0 / q: units of times, "
      "lengths, "
      "magnetic and electric fields\n  by the plasma frequency, charge and mass of the "
      "species `plasma.reference`, with c = 1\n"
      "\nAny value of model plasma with a unit may be that of another key which the "
      "scenario gives, times a number or\ndivided by one: `\"10 * "
      "walls.x_low.pulse_end\"`, `\"grid.length / 4\"`.  Both are of the same kind; of "
      "lists it "
      "is the\nelement of the same axis.  Values cannot define each other in a circle.  "
      "The "
      "resolved scenario in an output file\nhas the values in m, s and the like, to the "
      "last bit.\n";
  fputs(intro, to);
  contents(to);
  fputs("## Units\n\n", to);
  for (int u = WN_UNIT_NONE + 1; u < WN_N_UNIT_KINDS; u++)
    fprintf(to, "- %s: %s\n", wn_config_units_plural(u), wn_config_units_allowed(u));
  fprintf(
      to,
      "\nA field in Td is the reduced field E/N, one in Hx is B/N (1 Hx = 1e-27 T m3); "
      "the others are\nthe field itself.  Temperatures in C or degC are degrees "
      "Celsius.\n");
  fputs(relative, to);
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    char buf[300];
    const struct topic *t = topic_at(i);
    if (t != NULL)
      fprintf(to, "\n## %s\n\nExplained in [%s](%s).\n", t->title, t->page, t->page);
    fprintf(to, "\n### `%s`\n\n", k->key);
    put_help(k, to);
    fprintf(to, "\n- value: %s\n", wn_config_type_text(k));
    if (*wn_config_units_allowed(k->unit))
      fprintf(to, "- units: %s%s\n", wn_config_units_allowed(k->unit),
              relative_units(k, buf, sizeof buf));
    bool code =
        k->def_text == NULL && !(k->flags & WN_KEY_REQUIRED) && k->def_plasma == NULL;
    fprintf(to, "- default: %s%s%s\n", code ? "`" : "", default_text(k, buf, sizeof buf),
            code ? "`" : "");
    if (*wn_config_range_text(k, buf, sizeof buf))
      fprintf(to, "- allowed: %s\n", buf);
    fprintf(to, "- used by: %s\n", model_text(k, buf, sizeof buf));
  }
}
