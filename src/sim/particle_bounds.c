/* src/sim/particle_bounds.c - see particle_bounds.h. */
#include "src/sim/particle_bounds.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "particles/load_balance.h"
#include "src/sim/plasma.h"

#define TEXT 320 /* bytes for the text of a state */
/* Terms of one particle in the sum of a check (physics/sample.h). */
#define BROKEN   ((wn_i128)1)
#define CROSSING ((wn_i128)1 << 64)

static int in_grid(const struct wn_sim *s)
{
  return s->c->model == WN_MODEL_PLASMA;
}

/* The kinds of records that are checked: electrons and ions that collide, and points. */
static int is_electron(const struct wn_species *of)
{
  return of->model.ops->is_ion || of->model.ops->is_electron;
}

static struct wn_sample look_of(const struct wn_sim *s, const struct wn_species *of)
{
  struct wn_sample what = {.kind = WN_SAMPLE_BROKEN,
                           .velocities = 3,
                           .relativistic = 1,
                           .most = {INFINITY, INFINITY, INFINITY}};
  if (!in_grid(s))
    return what;
  const struct wn_points *m = wn_plasma_points(of);
  const double dt = s->interval * of->subcycling / of->mobility_steps;
  what.dim = m->grid.dim;
  what.relativistic = m->relativistic;
  if (!is_electron(of)) {
    what.kind = WN_SAMPLE_BROKEN_POINTS;
    what.velocities = wn_point_velocities(m->kind);
    what.weighted = wn_point_weighs(what.dim, what.velocities);
  }
  for (int d = 0; d < what.dim && !of->is_fixed; d++)
    what.most[d] = (float)(wn_axis_shortest(&s->geometry.axis[d]) / dt);
  return what;
}

/* ---- text of one particle */

/* m, of a fixed-point place. */
static double position(const struct wn_sim *s, const struct wn_grid_view *g, int d,
                       int32_t at)
{
  return wn_axis_of_place(&s->geometry.axis[d], ldexp((double)at, -g->bits[d]));
}

/* For an ion, too: in a grid the mass is in the points of its species. */
static void electron_text(const struct wn_sim *s, const struct wn_species *of,
                          const struct wn_electron *e, char *text)
{
  const double u[3] = {(double)e->u[0], (double)e->u[1], (double)e->u[2]};
  double x[3] = {0.0, 0.0, 0.0}, ev;
  if (in_grid(s)) {
    const struct wn_points *m = wn_plasma_points(of);
    ev = wn_point_energy_ev(m, 3, e->u);
    for (int d = 0; d < m->grid.dim; d++)
      x[d] = position(s, &m->grid, d, e->at[d]);
  } else {
    ev = wn_kinetic_ev(u, wn_gamma(u));
    memcpy(x, e->x, sizeof x);
  }
  snprintf(text, TEXT,
           "id 0x%016" PRIx64 ", event %" PRIu32 ": %.6g eV, x (%.6g, %.6g, %.6g) m, u "
           "(%.6g, %.6g, %.6g) m/s, weight %.6g, time to its next candidate %.6g s",
           e->id, e->event, ev, x[0], x[1], x[2], u[0], u[1], u[2], (double)e->w,
           (double)e->t_next);
}

static void point_text(const struct wn_sim *s, const struct wn_sample *what,
                       const struct wn_grid_view *g, const float *r, char *text)
{
  int n = snprintf(text, TEXT, "x (");
  for (int d = 0; d < what->dim; d++) {
    int32_t at;
    memcpy(&at, r + d, sizeof at);
    n += snprintf(text + n, TEXT - (size_t)n, "%s%.6g", d ? ", " : "",
                  position(s, g, d, at));
  }
  n += snprintf(text + n, TEXT - (size_t)n, ") m, u (");
  for (int d = 0; d < what->velocities; d++)
    n += snprintf(text + n, TEXT - (size_t)n, "%s%.6g", d ? ", " : "",
                  (double)r[what->dim + d]);
  snprintf(text + n, TEXT - (size_t)n, ") m/s, weight %.6g",
           what->weighted ? (double)r[what->dim + what->velocities] : 1.0);
}

/* The text of the rank with the smallest key; INT64_MAX: the rank has none. */
static int first_of_all(int64_t key, char *text, size_t n)
{
  int64_t least = key;
  char *all = wn_alloc((size_t)wn_ranks(), TEXT), own[TEXT] = "";
  int64_t *keys = wn_alloc((size_t)wn_ranks(), sizeof *keys);
  if (all == NULL || keys == NULL) {
    free(all);
    free(keys);
    return WN_ENOMEM;
  }
  if (key != INT64_MAX)
    snprintf(own, sizeof own, "%s", text);
  wn_ranks_least(&least, 1);
  wn_ranks_gather(&key, sizeof key, keys);
  wn_ranks_gather(own, TEXT, all);
  text[0] = '\0';
  for (int r = wn_ranks() - 1; r >= 0; r--)
    if (least != INT64_MAX && keys[r] == least)
      snprintf(text, n, "%s", all + (size_t)r * TEXT);
  free(all);
  free(keys);
  return WN_OK;
}

/* Ids have 64 bits; the upper 63 suffice to select one. */
static int64_t key_of(const struct wn_species *of, size_t i)
{
  return is_electron(of) ? (int64_t)(wn_particles_electrons(&of->p)[i].id >> 1)
                         : (int64_t)i;
}

/* The state of the first particle with `want`, BROKEN or CROSSING. */
static int name(const struct wn_sim *s, size_t k, const struct wn_sample *what,
                wn_i128 want, char *text, size_t n)
{
  struct wn_species *of = s->species[k];
  int64_t key = INT64_MAX;
  size_t first = 0;
  WN_TRY(wn_particles_read(&of->p));
  for (size_t i = 0; i < of->p.n; i++)
    if (wn_sample_broken(what, wn_particles_at(&of->p, i)) == want &&
        key_of(of, i) < key) {
      key = key_of(of, i);
      first = i;
    }
  if (key != INT64_MAX && is_electron(of))
    electron_text(s, of, wn_particles_at(&of->p, first), text);
  else if (key != INT64_MAX)
    point_text(s, what, &wn_plasma_points(of)->grid, wn_particles_at(&of->p, first),
               text);
  return first_of_all(key, text, n);
}

void wn_bounds_fastest(const struct wn_sim *s, size_t k, char *text, size_t n)
{
  struct wn_species *of = s->species[k];
  char own[TEXT] = "";
  double most = -1.0;
  size_t first = 0;
  const int is_there = is_electron(of) && wn_particles_read(&of->p) == WN_OK;
  const struct wn_electron *e = wn_particles_electrons(&of->p);
  for (size_t i = 0; is_there && i < of->p.n; i++) {
    const double u[3] = {(double)e[i].u[0], (double)e[i].u[1], (double)e[i].u[2]},
                 u2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    if (u2 > most || (u2 == most && e[i].id < e[first].id)) {
      most = u2;
      first = i;
    }
  }
  if (most >= 0.0)
    electron_text(s, of, &e[first], own);
  /* the faster, the smaller the key: positive floats are ordered like their bits */
  int64_t bits;
  memcpy(&bits, &most, sizeof bits);
  text[0] = '\0';
  if (first_of_all(most >= 0.0 ? INT64_MAX - 1 - bits : INT64_MAX, own, sizeof own) ==
          WN_OK &&
      own[0] != '\0')
    snprintf(text, n, "; the fastest now: %s", own);
}

void wn_bounds_particle(const struct wn_sim *s, size_t k, uint64_t id, char *text,
                        size_t n)
{
  struct wn_species *of = s->species[k];
  char own[TEXT] = "";
  const int is_there = is_electron(of) && wn_particles_read(&of->p) == WN_OK;
  const struct wn_electron *e = wn_particles_electrons(&of->p);
  for (size_t i = 0; is_there && i < of->p.n && own[0] == '\0'; i++)
    if (e[i].id == id)
      electron_text(s, of, &e[i], own);
  if (first_of_all(own[0] != '\0' ? wn_rank() : INT64_MAX, own, sizeof own) != WN_OK ||
      own[0] == '\0')
    snprintf(own, sizeof own, "id 0x%016" PRIx64 ", which has ended since", id);
  snprintf(text, n, "; the first by its id, now: %s", own);
}

/* ---- checks */

/* *crossing: number that cross more than a cell.  WN_ERUN where a state is not finite. */
static int look(const struct wn_sim *s, size_t k, const struct wn_sample *what,
                uint64_t *crossing)
{
  const struct wn_species *of = s->species[k];
  wn_i128 sum = 0;
  char text[TEXT] = "";
  *crossing = 0;
  WN_TRY(wn_particles_sample(&of->p, what, &sum));
  const uint64_t broken = (uint64_t)sum;
  *crossing = (uint64_t)(sum >> 64);
  if (broken == 0)
    return WN_OK;
  WN_TRY(name(s, k, what, BROKEN, text, sizeof text));
  return WN_FAIL(WN_ERUN,
                 "at %.6g s the state of %" PRIu64 " %s of species %s is no finite "
                 "number: this is a bug, or memory has failed; the first: %s",
                 s->time, broken, broken == 1 ? "particle" : "particles",
                 wn_sim_species_name(s, k), text);
}

static int say_crossing(const struct wn_sim *s, size_t k, const struct wn_sample *what,
                        uint64_t crossing)
{
  char text[TEXT] = "";
  WN_TRY(name(s, k, what, CROSSING, text, sizeof text));
  return WN_FAIL(WN_ERUN,
                 "at %.6g s %" PRIu64
                 " of %zu particles of species %s cross more than a cell in a step, and "
                 "use the field of another place; the first: %s; take a shorter step or "
                 "longer cells, or set plasma.allow = [\"cell-crossing\"]",
                 s->time, crossing, wn_particles_all(&s->species[k]->p),
                 wn_sim_species_name(s, k), text);
}

/* After a full store the particles are at different times. */
static int is_whole(const struct wn_sim *s)
{
  for (size_t k = 0; k < s->n_species; k++)
    if (s->species[k]->is_full)
      return 0;
  return 1;
}

int wn_bounds_look(struct wn_sim *s)
{
  if (s->looked_at == s->n_steps || !is_whole(s)) /* already checked */
    return WN_OK;
  s->looked_at = s->n_steps;
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_sample what = look_of(s, s->species[k]);
    uint64_t crossing;
    s->looks[k] += wn_particles_all(&s->species[k]->p);
    WN_TRY(look(s, k, &what, &crossing));
    if (crossing > 0 && !(s->c->plasma.allow & WN_ALLOW_CELL_CROSSING))
      return say_crossing(s, k, &what, crossing);
    s->crossed[k] += crossing;
  }
  return WN_OK;
}

int wn_bounds_finite(const struct wn_sim *s)
{
  for (size_t k = 0; k < s->n_species && is_whole(s); k++) {
    const struct wn_sample what = look_of(s, s->species[k]);
    uint64_t crossing;
    WN_TRY(look(s, k, &what, &crossing));
  }
  return WN_OK;
}

void wn_bounds_report(const struct wn_sim *s)
{
  for (size_t k = 0; k < s->n_species; k++)
    if (s->crossed[k] > 0)
      wn_log(WN_LOG_WARN,
             "species %s: %" PRIu64 " of %" PRIu64
             " particles that were checked, in every %dth step, crossed more than a "
             "cell in it, as plasma.allow permits",
             wn_sim_species_name(s, k), s->crossed[k], s->looks[k], WN_BOUNDS_EVERY);
}

int wn_bounds_define(struct wn_output *o, const struct wn_config *c)
{
  static const struct wn_output_var vars[] = {
      {WN_VAR("crossings", "1", "particles that crossed more than a cell in a step"),
       .comment = "of those that were checked, crossings_looked_at; a particle counts in "
                  "each of these steps",
       WN_DIMS("species")},
      {WN_VAR("crossings_looked_at", "1",
              "particles checked, in every 16th step and the last"),
       WN_DIMS("species")}};
  static_assert(WN_BOUNDS_EVERY == 16, "the name above says so");
  return c->plasma.allow & WN_ALLOW_CELL_CROSSING
             ? wn_output_define_all(o, vars, sizeof vars / sizeof vars[0])
             : WN_OK;
}

int wn_bounds_put(const struct wn_sim *s, struct wn_output *o)
{
  double crossed[WN_MAX_SPECIES], looks[WN_MAX_SPECIES];
  if (!(s->c->plasma.allow & WN_ALLOW_CELL_CROSSING))
    return WN_OK;
  for (size_t k = 0; k < s->n_species; k++) {
    crossed[k] = (double)s->crossed[k];
    looks[k] = (double)s->looks[k];
  }
  WN_TRY(wn_output_put(o, "crossings", -1, crossed));
  return wn_output_put(o, "crossings_looked_at", -1, looks);
}
