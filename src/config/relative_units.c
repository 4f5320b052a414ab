/* src/config/relative_units.c - values of model plasma by what the scenario itself defines: Debye lengths,
 * cells, periods, steps, and values of other keys (src/config/relative_form.h).  Each is replaced by the same
 * value in its base unit before it is read, when all that defines it has been read. */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/config/relative_form.h"

#define HEAVIEST (100 * WN_ME) /* kg, of electrons; ions are heavier */

/* The row of an entry whose value may be relative; NULL: it may not. */
static const struct wn_key *row_of(const struct wn_reader *r, const struct wn_entry *e)
{
  const struct wn_key *k = wn_config_find_key(e->key, NULL, NULL);
  return k != NULL && r->model == WN_MODEL_PLASMA && (k->flags & WN_KEY_PLASMA) &&
                 k->unit != WN_UNIT_NONE && !config_setting_is_group(e->value) &&
                 (k->type == WN_KEY_QUANTITY || k->type == WN_KEY_VECTOR)
             ? k
             : NULL;
}

static size_t length(const config_setting_t *v)
{
  return config_setting_is_aggregate(v) ? (size_t)config_setting_length(v) : 1;
}

static const config_setting_t *element(const config_setting_t *v, size_t i)
{
  return config_setting_is_aggregate(v) ? config_setting_get_elem(v, (unsigned)i) : v;
}

/* Element i of a value; false: it is absolute, or not of this form. */
static bool parse_element(const struct wn_key *k, const config_setting_t *v, size_t i,
                          struct wn_relative *out)
{
  const char *text = config_setting_get_string(element(v, i));
  return text != NULL && !(k->automatic != NULL && strcmp(text, k->automatic) == 0) &&
         wn_relative_parse(k, text, out);
}

bool wn_relative_is(const struct wn_reader *r, const struct wn_entry *e)
{
  struct wn_relative unused;
  const struct wn_key *k = row_of(r, e);
  for (size_t i = 0; k != NULL && i < length(e->value); i++)
    if (parse_element(k, e->value, i, &unused))
      return true;
  return false;
}

static bool is_of_reference(enum wn_relative_unit unit)
{
  return unit >= WN_RELATIVE_PER_OMEGA_0 && unit < WN_RELATIVE_N;
}

static bool is_needed(const struct wn_relative *v, const char *key)
{
  static const char *const of_electrons[] = {"density", "charge", "mass", "mobile",
                                             "temperature"};
  const char *name, *last = wn_config_last_part(key);
  size_t len;
  const struct wn_named *g = wn_config_named_of(key, &name, &len);
  if (is_of_reference(v->unit))
    return strcmp(key, "plasma.reference") == 0 ||
           (g == &wn_config_species &&
            (strcmp(last, "density") == 0 || strcmp(last, "charge") == 0 ||
             strcmp(last, "mass") == 0));
  switch (v->unit) {
  case WN_RELATIVE_DEBYE:
  case WN_RELATIVE_PLASMA_PERIODS:
  case WN_RELATIVE_PER_OMEGA_P:
    for (size_t i = 0; i < sizeof of_electrons / sizeof *of_electrons; i++)
      if (g == &wn_config_species && strcmp(last, of_electrons[i]) == 0)
        return v->unit == WN_RELATIVE_DEBYE || strcmp(last, "temperature") != 0;
    return false;
  case WN_RELATIVE_CELLS:
    return strcmp(key, "grid.cells") == 0 || strcmp(key, "grid.length") == 0;
  case WN_RELATIVE_PERIODS:
    return g == &wn_config_walls && strcmp(last, "frequency") == 0;
  case WN_RELATIVE_STEPS:
    return strcmp(key, "plasma.time_step") == 0;
  default:
    return strcmp(key, v->key) == 0;
  }
}

bool wn_relative_needs(const struct wn_reader *r, const struct wn_entry *e,
                       const char *key)
{
  struct wn_relative v;
  const struct wn_key *k = row_of(r, e);
  for (size_t i = 0; k != NULL && i < length(e->value); i++)
    if (parse_element(k, e->value, i, &v) && is_needed(&v, key))
      return true;
  return false;
}

/* A value being resolved: element i of entry e, of row k. */
struct place {
  struct wn_reader *r;
  struct wn_entry *e;
  const struct wn_key *k;
  size_t i;
};

/* Logs an error of the value; REFUSE is false besides. */
#define WRONG(p, ...)  wn_reader_error((p)->r, (p)->e, (p)->e->key, __VA_ARGS__)
#define REFUSE(p, ...) (WRONG(p, __VA_ARGS__), false)

/* Whether what defines the value was rejected, which has been reported. */
static bool is_bad(const struct place *p, const char *key)
{
  const struct wn_entry *e = wn_reader_find(p->r, key);
  if (e == NULL || !e->bad)
    return false;
  p->e->bad = true;
  return true;
}

/* The only species of mobile electrons. */
static const struct wn_cfg_species *electrons(const struct place *p)
{
  static const char *const keys[] = {"density", "charge", "mass", "mobile"};
  const struct wn_config *c = p->r->c;
  const struct wn_cfg_species *found = NULL;
  size_t n = 0;
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *s = &c->species[i];
    for (size_t j = 0; j < sizeof keys / sizeof *keys; j++)
      is_bad(p, wn_reader_given(p->r, "species", s->name, keys[j]).key);
    if (s->mobile && s->charge < 0 && s->mass < HEAVIEST) {
      found = s;
      n++;
    }
  }
  if (n != 1)
    WRONG(p,
          "%zu species are mobile electrons (negative, lighter than 100 me); a Debye "
          "length or a plasma period needs exactly one",
          n);
  else if (!(found->density > 0))
    WRONG(p, "a Debye length or a plasma period needs species.%s.density above 0",
          found->name);
  else
    return p->e->bad ? NULL : found;
  return NULL;
}

/* Debye length sqrt(eps0 kT / (n q^2)) and plasma frequency sqrt(n q^2 / (eps0 m)) at t = 0, at the maximum
 * of the density without the perturbation. */
static bool of_electrons(const struct place *p, enum wn_relative_unit unit, double *above,
                         double *below)
{
  const struct wn_cfg_species *s = electrons(p);
  if (s == NULL)
    return false;
  const double q = s->charge * WN_E, nq2 = s->density * q * q;
  if (unit != WN_RELATIVE_DEBYE) {
    *above = unit == WN_RELATIVE_PLASMA_PERIODS ? 2 * WN_PI : 1;
    *below = sqrt(nq2 / (WN_EPS0 * s->mass));
    return true;
  }
  if (is_bad(p, wn_reader_given(p->r, "species", s->name, "temperature").key))
    return REFUSE(p, "not defined");
  if (!(s->temperature_ev > 0))
    return REFUSE(p, "a Debye length needs species.%s.temperature above 0", s->name);
  *above = sqrt(WN_EPS0 * s->temperature_ev * WN_E / nq2);
  return true;
}

/* The units with c = 1: by the plasma frequency omega_0, charge q and mass m of the species plasma.reference. */
static bool of_reference(const struct place *p, enum wn_relative_unit unit, double *above,
                         double *below)
{
  static const char *const keys[] = {"density", "charge", "mass"};
  struct wn_normalized n;
  const char *name = p->r->c->plasma.reference;
  if (is_bad(p, "plasma.reference"))
    return false;
  if (name == NULL || !*name)
    return REFUSE(p, "units with omega_0 need plasma.reference, the name of the species "
                     "whose plasma frequency it is");
  for (size_t j = 0; j < sizeof keys / sizeof *keys; j++)
    if (is_bad(p, wn_reader_given(p->r, "species", name, keys[j]).key))
      return false;
  if (wn_config_species_of(p->r->c, name) == NULL)
    return REFUSE(p,
                  "units with omega_0 need plasma.reference, and there is no species "
                  "`%s`",
                  name);
  if (!wn_config_normalized(p->r->c, &n))
    return REFUSE(p,
                  "units with omega_0 need species.%s with density and charge other "
                  "than 0",
                  name);
  switch (unit) {
  case WN_RELATIVE_C_PER_OMEGA_0:
    *above = WN_C;
    *below = n.omega;
    break;
  case WN_RELATIVE_OMEGA_0_MAGNETIC:
    *above = n.magnetic;
    break;
  case WN_RELATIVE_OMEGA_0_ELECTRIC:
    *above = n.electric;
    break;
  default:
    *below = n.omega;
  }
  return true;
}

/* A cell along an axis is length / cells of the grid. */
static bool of_cells(const struct place *p, double *above, double *below)
{
  const struct wn_cfg_plasma *c = &p->r->c->plasma;
  const struct wn_entry *cells = wn_reader_find(p->r, "grid.cells");
  if (is_bad(p, "grid.cells") || is_bad(p, "grid.length") || cells == NULL ||
      wn_reader_find(p->r, "grid.length") == NULL)
    return REFUSE(p, "a cell needs grid.cells and grid.length");
  const size_t dim = length(cells->value), d = p->k->flags & WN_KEY_PER_AXIS ? p->i : 0;
  if (d >= dim)
    return REFUSE(p, "there is no cell along %c: the grid has %zu ax%ss", "xyz"[d], dim,
                  dim > 1 ? "e" : "i");
  if (!(c->length[d] > 0))
    return REFUSE(p, "a cell along %c needs grid.length along it", "xyz"[d]);
  for (size_t j = 1; j < dim && !(p->k->flags & WN_KEY_PER_AXIS); j++)
    if (c->length[0] * (double)c->cells[j] != c->length[j] * (double)c->cells[0])
      return REFUSE(p,
                    "this length belongs to no axis, and cells are %.9g m long along x "
                    "and %.9g m along %c; units of lengths: %s, debye, c / omega_0",
                    c->length[0] / (double)c->cells[0],
                    c->length[j] / (double)c->cells[j], "xyz"[j],
                    wn_config_units_allowed(WN_UNIT_LENGTH));
  *above = c->length[d];
  *below = (double)c->cells[d];
  return true;
}

/* The only frequency of the walls. */
static bool of_walls(const struct place *p, double *below)
{
  double first = 0;
  for (int side = 0; side < 6; side++) {
    const char *name = wn_config_walls.names[side];
    const double f = p->r->c->plasma.wall[side].frequency;
    is_bad(p, wn_reader_given(p->r, "walls", name, "frequency").key);
    if (f > 0 && first > 0 && f != first)
      return REFUSE(p,
                    "the walls have the frequencies %.9g Hz and %.9g Hz; a period needs "
                    "exactly one",
                    first, f);
    first = f > 0 ? f : first;
  }
  if (!(first > 0) || p->e->bad)
    return REFUSE(p,
                  "no wall has a voltage with a frequency, which defines the period: "
                  "give walls.<NAME>.frequency, or another unit: %s, plasma_periods, / "
                  "omega_p",
                  wn_config_units_allowed(WN_UNIT_TIME));
  *below = first;
  return true;
}

/* Whether a key of `from` has a meaning in the place of one of k.  kT may be given in K. */
static bool is_of_kind(const struct wn_key *k, const struct wn_key *from)
{
  return from->unit == k->unit ||
         (k->unit == WN_UNIT_KT && from->unit == WN_UNIT_TEMPERATURE);
}

/* The value of another key: of a list the element of the same axis, or the only one. */
static bool of_key(const struct place *p, const char *key, double *x,
                   enum wn_unit_kind *unit)
{
  const char *name;
  size_t len;
  const struct wn_key *k = wn_config_find_key(key, &name, &len);
  if (k == NULL) {
    char *near = wn_config_nearest_key(key);
    WRONG(p, "no key `%s`%s%s%s", key,
          near != NULL ? "; nearest is `" : "; `wilson list keys` shows all",
          near != NULL ? near : "", near != NULL ? "`" : "");
    free(near);
    return false;
  }
  const bool is_list = k->type == WN_KEY_VECTOR;
  if (!is_of_kind(p->k, k) || (k->type != WN_KEY_QUANTITY && !is_list))
    return REFUSE(p, "refers to `%s`: keys of %s cannot define %s", key,
                  wn_config_units_plural(k->unit), wn_config_units_plural(p->k->unit));
  const struct wn_entry *given = wn_reader_find(p->r, key);
  const void *base =
      k->named != NULL ? wn_config_named_find(k->named, p->r->c, name, len) : p->r->c;
  if (given == NULL || base == NULL || !(k->flags & WN_KEY_PLASMA) || is_bad(p, key))
    return REFUSE(p, "refers to `%s`, which the scenario does not give", key);
  const double *at = (const double *)(const void *)((const char *)base + k->offset);
  const size_t n = is_list ? length(given->value) : 1;
  size_t i = 0;
  if (is_list && p->k->type == WN_KEY_VECTOR && k->n == p->k->n &&
      ((k->flags ^ p->k->flags) & WN_KEY_PER_AXIS) == 0)
    i = p->i; /* of the same axis */
  else
    for (size_t j = 1; j < n; j++)
      if (at[j] != at[0])
        return REFUSE(p, "refers to `%s`, which has %zu different values", key, n);
  if (i >= n || at[i] == WN_AUTO || !isfinite(at[i]))
    return REFUSE(p, "refers to `%s`, which has no number here", key);
  *x = at[i];
  *unit = k->unit;
  return true;
}

/* A unit is above / below, and multiplies last: 100 of 100 cells are the length to the last bit, and 100
 * periods 100 / frequency. */
static bool resolve(const struct place *p, const struct wn_relative *v, double *out,
                    enum wn_unit_kind *unit)
{
  double above = 1, below = 1;
  *unit = p->k->unit;
  if (v->divisor == 0 || !isfinite(v->divisor))
    return REFUSE(p, "division by %.9g", v->divisor);
  switch (v->unit) {
  case WN_RELATIVE_CELLS:
    if (!of_cells(p, &above, &below))
      return false;
    break;
  case WN_RELATIVE_PERIODS:
    if (!of_walls(p, &below))
      return false;
    break;
  case WN_RELATIVE_STEPS:
    above = p->r->c->plasma.time_step;
    if (is_bad(p, "plasma.time_step") || !(above > 0))
      return REFUSE(p, "a step needs plasma.time_step");
    break;
  case WN_RELATIVE_OF_KEY:
    if (!of_key(p, v->key, &above, unit))
      return false;
    break;
  default:
    if (is_of_reference(v->unit) ? !of_reference(p, v->unit, &above, &below)
                                 : !of_electrons(p, v->unit, &above, &below))
      return false;
  }
  *out = v->unit == WN_RELATIVE_OF_KEY ? v->number * above / v->divisor
                                       : v->number / (v->divisor * below) * above;
  return isfinite(*out) || REFUSE(p, "not a finite number");
}

/* Element i of the value to the end of a list, or the value itself to a group. */
static int put(const struct place *p, config_setting_t *to, const char *name)
{
  const config_setting_t *from = element(p->e->value, p->i);
  struct wn_relative v;
  enum wn_unit_kind unit;
  double x;
  char number[32];
  if (parse_element(p->k, p->e->value, p->i, &v)) {
    if (!resolve(p, &v, &x, &unit))
      return WN_EINPUT;
    config_setting_t *s = config_setting_add(to, name, CONFIG_TYPE_STRING);
    char *text = wn_asprintf("%s %s", wn_config_units_number(x, number),
                             wn_config_units_base(unit));
    const bool good = s != NULL && text != NULL && config_setting_set_string(s, text);
    free(text);
    return good ? WN_OK : WN_ENOMEM;
  }
  const int type = config_setting_type(from);
  config_setting_t *s = config_setting_add(to, name, type);
  if (s == NULL)
    return WN_ENOMEM;
  switch (
      type) { /* a group or list in a list is refused by its reader: it may be empty */
  case CONFIG_TYPE_STRING:
    return config_setting_set_string(s, config_setting_get_string(from)) ? WN_OK
                                                                         : WN_ENOMEM;
  case CONFIG_TYPE_INT:
    config_setting_set_int(s, config_setting_get_int(from));
    break;
  case CONFIG_TYPE_INT64:
    config_setting_set_int64(s, config_setting_get_int64(from));
    break;
  case CONFIG_TYPE_FLOAT:
    config_setting_set_float(s, config_setting_get_float(from));
    break;
  default:
    break;
  }
  return WN_OK;
}

int wn_relative_resolve(struct wn_reader *r, struct wn_entry *e, config_t *to,
                        const config_setting_t **value)
{
  struct place p = {.r = r, .e = e, .k = row_of(r, e)};
  config_setting_t *root = config_root_setting(to);
  if (!config_setting_is_aggregate(e->value)) {
    WN_TRY(put(&p, root, "value"));
  } else {
    config_setting_t *list = config_setting_add(root, "value", CONFIG_TYPE_LIST);
    if (list == NULL)
      return WN_ENOMEM;
    for (; p.i < length(e->value); p.i++)
      WN_TRY(put(&p, list, NULL));
  }
  *value = config_setting_get_elem(root, 0);
  return WN_OK;
}
