/* crosssections/xs_photon.c - files of photon data, and gases of elements. */
#include "crosssections/xs_photon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "crosssections/xs_lxcat_text.h"
#include "physics/photons/bremsstrahlung.h"

enum { MAX_POINTS = 100000, MAX_SPECTRA = 200 };

/* Tables of a file; NUMBER may be missing. */
enum {
  COHERENT,
  INCOHERENT,
  PHOTOELECTRIC,
  K_SHELL,
  PAIR,
  TRIPLET,
  FORM,
  SCATTERING,
  RADIATIVE,
  NUMBER,
  N_TABLES
};
static const char *const table_name[N_TABLES] = {
    "coherent", "incoherent",  "photoelectric",       "k_shell",   "pair",
    "triplet",  "form_factor", "scattering_function", "radiative", "number",
};

/* Points of a table in the order of the file: n pairs x, y from pairs[at]. */
struct part {
  size_t at, n;
  int line;
  double energy_ev; /* of a spectrum */
};

struct reader {
  const char *path;
  char *text, *next;
  int line;
  double *pairs; /* [2 n_pairs] */
  size_t n_pairs, cap;
  struct part table[N_TABLES], spectrum[MAX_SPECTRA];
  size_t n_spectra;
  double z, mass_u, binding_k_ev, binding_next_ev;
  char symbol[4];
};

#define BAD(r, ...) bad_at((r), __VA_ARGS__)
#define bad_at(r, format, ...)                                                           \
  WN_FAIL(WN_EINPUT, "%s:%d: " format, (r)->path, (r)->line, __VA_ARGS__)

/* The next line that is not blank, without its comment; NULL at the end. */
static char *next_line(struct reader *r)
{
  while (r->next != NULL && *r->next != '\0') {
    char *s = r->next, *end = strchr(s, '\n');
    r->next = end != NULL ? end + 1 : NULL;
    if (end != NULL)
      *end = '\0';
    r->line++;
    s[strcspn(s, "#\r")] = '\0';
    s = wn_xs_text_strip(s);
    if (*s != '\0')
      return s;
  }
  return NULL;
}

/* Exactly n numbers at s. */
static int numbers(const struct reader *r, const char *s, int n, double *v)
{
  for (int i = 0; i < n; i++) {
    while (wn_xs_text_is_blank(*s))
      s++;
    const char *end = s;
    if (!wn_xs_text_number(s, &end, &v[i]) || !isfinite(v[i]))
      return BAD(r, "\"%s\" is not %s", s, n == 1 ? "a number" : "two numbers");
    s = end;
  }
  while (wn_xs_text_is_blank(*s))
    s++;
  return *s == '\0' ? WN_OK
                    : BAD(r, "\"%s\" after %s", s, n == 1 ? "the number" : "two numbers");
}

static int grow(struct reader *r, size_t n)
{
  if (r->n_pairs + n <= r->cap)
    return WN_OK;
  size_t cap = 2 * r->cap + n;
  double *p = wn_realloc(r->pairs, 2 * cap, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  r->pairs = p;
  r->cap = cap;
  return WN_OK;
}

static int read_points(struct reader *r, struct part *p, const char *name,
                       double n_points, bool is_spectrum, bool zero_is_allowed)
{
  if (!(n_points >= 2.0 && n_points <= MAX_POINTS && n_points == floor(n_points)))
    return BAD(r, "%s has %g lines: 2 to %d are allowed", name, n_points, MAX_POINTS);
  p->n = (size_t)n_points;
  p->at = r->n_pairs;
  p->line = r->line;
  WN_TRY(grow(r, p->n));
  double before = 0.0;
  for (size_t i = 0; i < p->n; i++) {
    const char *s = next_line(r);
    if (s == NULL)
      return BAD(r, "the file ends in %s, after %zu of %zu lines", name, i, p->n);
    double *v = r->pairs + 2 * r->n_pairs;
    WN_TRY(numbers(r, s, 2, v));
    const bool is_edge = i > 1 && v[0] == before && v[0] > v[-4];
    if (!(v[0] > before) && (is_spectrum || !is_edge))
      return BAD(r, "%s: %g follows %g, and must rise%s", name, v[0], before,
                 is_spectrum ? "" : " (or be the same twice, at an edge)");
    if (is_spectrum && v[0] > 1.0 + 1e-6)
      return BAD(r, "%s: a photon of %g times the energy of the electron", name, v[0]);
    if (v[0] < 1e-12 || v[0] > 1e18)
      return BAD(r, "%s: %g is not between 1e-12 and 1e18", name, v[0]);
    if (v[1] < 0.0 || (v[1] == 0.0 && !zero_is_allowed))
      return BAD(r, "%s: %g must be above 0", name, v[1]);
    if (v[1] != 0.0 && (v[1] < 1e-60 || v[1] > 1e60))
      return BAD(r, "%s: %g is not between 1e-60 and 1e60", name, v[1]);
    before = v[0];
    r->n_pairs++;
  }
  return WN_OK;
}

static bool word(char **s, const char *name)
{
  const size_t n = strlen(name);
  if (strncmp(*s, name, n) != 0 || !wn_xs_text_is_blank((*s)[n]))
    return false;
  *s += n + 1;
  return true;
}

static int read_spectrum(struct reader *r, const char *s)
{
  double v[2];
  WN_TRY(numbers(r, s, 2, v));
  if (r->n_spectra == MAX_SPECTRA)
    return BAD(r, "more than %d spectra", MAX_SPECTRA);
  struct part *p = &r->spectrum[r->n_spectra];
  if (!(v[0] >= 1e-12 && v[0] <= 1e18) || (r->n_spectra > 0 && !(v[0] > p[-1].energy_ev)))
    return BAD(r, "energies of spectra must rise, and %g does not", v[0]);
  p->energy_ev = v[0];
  r->n_spectra++;
  return read_points(r, p, "spectrum", v[1], true, true);
}

static int read_line(struct reader *r, char *s)
{
  double v[2];
  for (int i = 0; i < N_TABLES; i++)
    if (word(&s, table_name[i])) {
      if (r->table[i].n > 0)
        return BAD(r, "%s again, first in line %d", table_name[i], r->table[i].line);
      WN_TRY(numbers(r, s, 1, v));
      return read_points(r, &r->table[i], table_name[i], v[0], false,
                         i == PAIR || i == TRIPLET);
    }
  if (word(&s, "spectrum"))
    return read_spectrum(r, s);
  if (word(&s, "element")) {
    s = wn_xs_text_strip(s);
    if (strlen(s) > 3)
      return BAD(r, "\"%s\" is not the symbol of an element", s);
    strcpy(r->symbol, s);
    return WN_OK;
  }
  if (word(&s, "z")) {
    WN_TRY(numbers(r, s, 1, &r->z));
    return r->z >= 1.0 && r->z <= 100.0 && r->z == floor(r->z)
               ? WN_OK
               : BAD(r, "z is %g: 1 to 100 are allowed", r->z);
  }
  if (word(&s, "mass_u")) {
    WN_TRY(numbers(r, s, 1, &r->mass_u));
    return r->mass_u >= 1.0 && r->mass_u <= 300.0
               ? WN_OK
               : BAD(r, "mass_u is %g: 1 to 300 are allowed", r->mass_u);
  }
  if (word(&s, "binding_ev")) {
    WN_TRY(numbers(r, s, 2, v));
    if (!(v[0] >= v[1] && v[1] >= 0.0))
      return BAD(
          r,
          "binding energies %g and %g: that of the K shell first, then the next, lower",
          v[0], v[1]);
    r->binding_k_ev = v[0];
    r->binding_next_ev = v[1];
    return WN_OK;
  }
  return BAD(r,
             "\"%s\" is none of element, z, mass_u, binding_ev, spectrum and the tables "
             "of data/photons/README",
             s);
}

static int read_all(struct reader *r)
{
  static const char first[] = "# wilson photon data 1";
  if (strncmp(r->text, first, sizeof first - 1) != 0)
    return WN_FAIL(WN_EINPUT,
                   "%s:1: not a file of photon data: the first line must be \"%s\"",
                   r->path, first);
  for (char *s; (s = next_line(r)) != NULL;)
    WN_TRY(read_line(r, s));
  for (int i = 0; i < N_TABLES; i++)
    if (r->table[i].n == 0 && i != NUMBER)
      return WN_FAIL(WN_EINPUT, "%s: no table %s", r->path, table_name[i]);
  const char *missing = r->symbol[0] == '\0'   ? "element"
                        : r->z == 0.0          ? "z"
                        : r->mass_u == 0.0     ? "mass_u"
                        : r->binding_k_ev == 0 ? "binding_ev"
                                               : NULL;
  if (missing != NULL)
    return WN_FAIL(WN_EINPUT, "%s: no %s", r->path, missing);
  return r->n_spectra >= 2 ? WN_OK
                           : WN_FAIL(WN_EINPUT, "%s: fewer than 2 spectra", r->path);
}

/* ---- from what was read to the view */

static double *take(double **at, size_t n)
{
  double *p = *at;
  *at += n;
  return p;
}

static struct wn_photon_table to_table(const struct reader *r, int i, double **at)
{
  const struct part *p = &r->table[i];
  double *x = take(at, p->n), *y = take(at, p->n);
  const bool is_pair = i == PAIR || i == TRIPLET;
  for (size_t k = 0; k < p->n; k++) {
    const double *v = r->pairs + 2 * (p->at + k);
    x[k] = log(v[0]);
    y[k] = is_pair ? v[1] : log(v[1]);
  }
  return (struct wn_photon_table){.ln_x = x, .y = y, .n = (int32_t)p->n};
}

/* Integral of F^2 d(x^2): F^2 ~ x^-2a between points. */
static double *form_integral(const struct wn_photon_table *t, double z, double **at)
{
  double *sum = take(at, (size_t)t->n);
  sum[0] = z * z * exp(2.0 * t->ln_x[0]);
  for (int32_t i = 0; i + 1 < t->n; i++) {
    /* F^2 x^2 = exp(g), g linear in ln x; d(x^2) = 2 x^2 d(ln x) */
    const double g0 = 2.0 * (t->y[i] + t->ln_x[i]),
                 g1 = 2.0 * (t->y[i + 1] + t->ln_x[i + 1]);
    const double h = t->ln_x[i + 1] - t->ln_x[i], d = g1 - g0;
    sum[i + 1] = sum[i] + 2.0 * h * exp(g0) * (fabs(d) < 1e-9 ? 1.0 : expm1(d) / d);
  }
  return sum;
}

static void to_spectrum(const struct reader *r, const struct part *p,
                        struct wn_brems_spectrum *s, double **at)
{
  double *x = take(at, p->n), *f = take(at, p->n);
  for (size_t k = 0; k < p->n; k++) {
    x[k] = fmin(r->pairs[2 * (p->at + k)], 1.0);
    f[k] = r->pairs[2 * (p->at + k) + 1];
  }
  double sum = f[0] * x[0], most = f[0], first = 0.5 * f[0] * x[0] * x[0];
  for (size_t k = 0; k + 1 < p->n; k++) {
    sum += 0.5 * (f[k] + f[k + 1]) * (x[k + 1] - x[k]);
    const double a = x[k], b = x[k + 1]; /* integral of x times a line */
    first += (b - a) / 6.0 * (f[k] * (2.0 * a + b) + f[k + 1] * (a + 2.0 * b));
    most = fmax(most, f[k + 1]);
  }
  for (size_t k = 0; k < p->n; k++)
    f[k] /= sum;
  *s = (struct wn_brems_spectrum){.ln_e = log(p->energy_ev),
                                  .x = x,
                                  .f = f,
                                  .n = (int32_t)p->n,
                                  .most = most / sum,
                                  .mean = first / sum};
}

/* c of physics/photons/bremsstrahlung.h: with A and B the integrals of g dx/x and g dx over [x0, 1], and N the number of photons times E/S,
 * N = (1 + c b) A - c B, so c = (N - A)/(b A - B). */
static struct wn_photon_table tilt(const struct reader *r,
                                   const struct wn_photon_element *v, double **at)
{
  const double least_ev = 0.1;
  const struct part *p = &r->table[NUMBER];
  double *x = take(at, p->n), *y = take(at, p->n);
  for (size_t k = 0; k < p->n; k++) {
    const double *in = r->pairs + 2 * (p->at + k);
    x[k] = log(in[0]);
    const struct wn_brems_between b = wn_brems_between(v, x[k]);
    double above, below;
    wn_brems_parts(&b, least_ev / in[0], &above, &below);
    y[k] = (in[1] * in[0] / wn_brems_stopping(v, x[k]) - above) /
           (b.b * above - (1.0 - below));
  }
  return (struct wn_photon_table){.ln_x = x, .y = y, .n = (int32_t)p->n};
}

static void find_range(struct wn_xs_photon *x)
{
  static const enum wn_photon_process always[] = {
      WN_PHOTON_COHERENT, WN_PHOTON_INCOHERENT, WN_PHOTON_PHOTOELECTRIC};
  double first = 0.0, last = INFINITY;
  for (int i = 0; i < 3; i++) {
    const struct wn_photon_table *t = &x->view.sigma[always[i]];
    first = fmax(first, t->ln_x[0]);
    last = fmin(last, t->ln_x[t->n - 1]);
  }
  for (int i = WN_PHOTON_PAIR; i <= WN_PHOTON_TRIPLET; i++)
    last = fmin(last, x->view.sigma[i].ln_x[x->view.sigma[i].n - 1]);
  x->photon_first_ev = exp(first);
  x->photon_last_ev = exp(last);
  const struct wn_photon_table *s = &x->view.radiative;
  x->electron_first_ev = exp(fmax(s->ln_x[0], x->spectrum[0].ln_e));
  x->electron_last_ev =
      exp(fmin(s->ln_x[s->n - 1], x->spectrum[x->view.n_spectra - 1].ln_e));
}

/* Spectra whose integral is a number, a tilt that leaves them positive, and energies that all tables have. */
static int check_built(const struct wn_xs_photon *x)
{
  const struct wn_photon_table *t = &x->view.tilt;
  for (int32_t i = 0; i < x->view.n_spectra; i++)
    if (!(x->spectrum[i].most > 0.0) || !isfinite(x->spectrum[i].most))
      return WN_FAIL(WN_EINPUT, "%s: the spectrum at %g eV has no photons", x->source,
                     exp(x->spectrum[i].ln_e));
  for (int32_t i = 0; i < t->n; i++)
    if (!(fabs(t->y[i]) < 1.0))
      return WN_FAIL(WN_EINPUT,
                     "%s: the number of photons at %g eV fits neither radiative nor the "
                     "spectra: a tilt of %g",
                     x->source, exp(t->ln_x[i]), t->y[i]);
  if (!(x->photon_first_ev < x->photon_last_ev) ||
      !(x->electron_first_ev < x->electron_last_ev))
    return WN_FAIL(WN_EINPUT, "%s: no energy is in all tables", x->source);
  return WN_OK;
}

static int build(const struct reader *r, struct wn_xs_photon *x)
{
  x->n_data = 2 * r->n_pairs + r->table[FORM].n;
  x->data = wn_alloc(x->n_data, sizeof *x->data);
  x->spectrum = wn_alloc(r->n_spectra, sizeof *x->spectrum);
  x->source = wn_strdup(r->path);
  if (x->data == NULL || x->spectrum == NULL || x->source == NULL)
    return WN_ENOMEM;
  double *at = x->data;
  struct wn_photon_element *v = &x->view;
  strcpy(x->symbol, r->symbol);
  x->mass = r->mass_u * WN_AMU;
  v->z = r->z;
  v->binding_k_ev = r->binding_k_ev;
  v->binding_next_ev = r->binding_next_ev;
  v->sigma[WN_PHOTON_COHERENT] = to_table(r, COHERENT, &at);
  v->sigma[WN_PHOTON_INCOHERENT] = to_table(r, INCOHERENT, &at);
  v->sigma[WN_PHOTON_PHOTOELECTRIC] = to_table(r, PHOTOELECTRIC, &at);
  v->sigma[WN_PHOTON_PAIR] = to_table(r, PAIR, &at);
  v->sigma[WN_PHOTON_TRIPLET] = to_table(r, TRIPLET, &at);
  v->k_shell = to_table(r, K_SHELL, &at);
  v->form_factor = to_table(r, FORM, &at);
  v->form_integral = form_integral(&v->form_factor, v->z, &at);
  v->scattering_function = to_table(r, SCATTERING, &at);
  v->radiative = to_table(r, RADIATIVE, &at);
  for (size_t i = 0; i < r->n_spectra; i++)
    to_spectrum(r, &r->spectrum[i], &x->spectrum[i], &at);
  v->spectrum = x->spectrum;
  v->n_spectra = (int32_t)r->n_spectra;
  if (r->table[NUMBER].n > 0)
    v->tilt = tilt(r, v, &at); /* v->tilt is empty till here */
  find_range(x);
  return check_built(x);
}

int wn_xs_photon_read(const char *path, struct wn_xs_photon **out)
{
  size_t n = 0;
  struct reader *r = wn_alloc(1, sizeof *r);
  struct wn_xs_photon *x = wn_alloc(1, sizeof *x);
  int status = r == NULL || x == NULL ? WN_ENOMEM : WN_OK;
  if (status == WN_OK) {
    r->path = path;
    status = wn_xs_text_read(path, &r->text, &n);
  }
  if (status == WN_OK) {
    wn_sha256_mem(r->text, n, x->sha256);
    r->next = r->text;
    status = read_all(r);
  }
  if (status == WN_OK)
    status = build(r, x);
  if (r != NULL) {
    free(r->text);
    free(r->pairs);
  }
  free(r);
  if (status == WN_OK)
    *out = x;
  else
    wn_xs_photon_free(x);
  return status;
}

void wn_xs_photon_free(struct wn_xs_photon *x)
{
  if (x == NULL)
    return;
  free(x->data);
  free(x->spectrum);
  free(x->source);
  free(x);
}

/* ---- gases */

int wn_xs_formula(const char *formula, wn_xs_atom *each, void *to)
{
  const char *s = formula;
  while (*s >= 'A' && *s <= 'Z') {
    char symbol[4] = {*s++};
    if (*s >= 'a' && *s <= 'z')
      symbol[1] = *s++;
    int count = 0;
    while (*s >= '0' && *s <= '9' && count < 1000)
      count = 10 * count + (*s++ - '0');
    WN_TRY(each(to, symbol, count > 0 ? count : 1));
  }
  if (*s != '\0' || s == formula)
    return WN_FAIL(WN_EINPUT, "\"%s\" is not a formula such as N2 or CO2", formula);
  return WN_OK;
}

struct mixing {
  const struct wn_xs_photon_spec *s;
  double density[WN_PHOTON_ELEMENTS];
  const struct wn_xs_photon_gas *gas;
};

static int mix(void *to, const char *symbol, double count)
{
  struct mixing *m = to;
  for (size_t i = 0; i < m->s->n_elements; i++)
    if (strcmp(m->s->element[i]->symbol, symbol) == 0) {
      m->density[i] += count * m->gas->density;
      return WN_OK;
    }
  return WN_FAIL(WN_EINPUT,
                 "photons have no data of %s, an element of %s: name a file of it "
                 "(data/photons/README)",
                 symbol, m->gas->formula);
}

static int check_range(const struct wn_xs_photon_spec *s, const struct wn_xs_photon *x)
{
  if (!(s->cut_ev >= x->photon_first_ev * (1.0 - 1e-9)))
    return WN_FAIL(
        WN_EINPUT,
        "the photon cut of %g eV is below the tables of %s, which begin at %g eV (%s)",
        s->cut_ev, x->symbol, x->photon_first_ev, x->source);
  if (!(s->most_ev <= x->photon_last_ev * (1.0 + 1e-9)))
    return WN_FAIL(WN_EINPUT,
                   "photons of %g eV are above the tables of %s, which end at %g eV (%s)",
                   s->most_ev, x->symbol, x->photon_last_ev, x->source);
  return WN_OK;
}

int wn_xs_photon_medium(const struct wn_xs_photon_spec *s, struct wn_photon_medium *m)
{
  struct mixing mixing = {.s = s};
  if (s->n_elements > WN_PHOTON_ELEMENTS)
    return WN_FAIL(WN_EINPUT, "photon data of %zu elements: at most %d", s->n_elements,
                   WN_PHOTON_ELEMENTS);
  for (size_t i = 0; i < s->n_elements; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(s->element[i]->symbol, s->element[k]->symbol) == 0)
        return WN_FAIL(WN_EINPUT, "photon data of %s twice: %s and %s",
                       s->element[i]->symbol, s->element[k]->source,
                       s->element[i]->source);
  for (size_t i = 0; i < s->n_gases; i++) {
    mixing.gas = &s->gas[i];
    WN_TRY(wn_xs_formula(s->gas[i].formula, mix, &mixing));
  }
  struct wn_photon_medium made = {.compton = s->compton,
                                  .rayleigh = s->rayleigh,
                                  .cut_ev = s->cut_ev,
                                  .seed = s->seed};
  for (size_t i = 0; i < s->n_elements; i++) {
    if (!(mixing.density[i] > 0.0))
      continue;
    WN_TRY(check_range(s, s->element[i]));
    made.element[made.n] = s->element[i]->view;
    made.density[made.n++] = mixing.density[i];
  }
  if (made.n == 0)
    return WN_FAIL(WN_EINPUT, "%s", "photons have no gas to fly in: no density above 0");
  *m = made;
  return WN_OK;
}
