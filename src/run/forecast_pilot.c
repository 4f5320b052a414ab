/* src/run/forecast_pilot.c - see forecast_pilot.h. */
#include "src/run/forecast_pilot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "particles/load_balance.h"
#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/config/source_numbers.h"
#include "src/config/sources.h"
#include "src/jobs/job.h"
#include "src/run/forecast_outlook.h"
#include "src/run/step.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/plasma.h"

#define HARDLY       0.7 /* f above which a pilot has as many particles as the run */
#define MANY_OF_CELL 500 /* whose scatter does not matter */
#define N_MARKS      64
#define MOST_COPIED  ((size_t)4 << 20) /* macroparticles from a GPU, to count cells */
#define EARLIER      0.6 /* of the pilot: the last count of cells before that at its end */
#define LIGHT        1e4 /* most_weight below which merging may not reach per_cell_most */
#define FULL         0.999 /* of a store, as a forecast of its limit is rounded */
#define ROOM         64    /* times the store of the run */

struct wn_cfg_species wn_pilot_species(const struct wn_config *c, size_t k)
{
  struct wn_cfg_species s = c->species[k];
  const double n = wn_source_residents(c, &c->species[k]);
  const struct wn_geometry g = wn_plasma_geometry(c);
  double cells = 1.0;
  if (!(n > 0.0) || s.density > 0.0 || !s.mobile)
    return s;
  for (int d = 0; d < c->plasma.dim; d++)
    cells *= (double)c->plasma.cells[d];
  s.profile = WN_PROFILE_UNIFORM;
  s.per_cell = (size_t)fmax(1.0, n / cells);
  s.density =
      wn_loading_weight(c, &c->species[k]) * (double)s.per_cell / wn_geometry_cell(&g);
  return s;
}

/* Macroparticles of the run for one of the pilot. */
static double unit(const struct wn_config *few, const struct wn_config *c, size_t k)
{
  const double w[2] = {wn_loading_weight(few, &few->species[k]),
                       wn_loading_weight(c, &c->species[k])};
  return w[0] > 0.0 && w[1] > 0.0 ? w[0] / w[1] : 1.0;
}

/* ---- the steps of a pilot */

/* What a pilot notes at the end of each whole step, of each species. */
struct notes {
  struct wn_outlook *number[WN_MAX_SPECIES]; /* macroparticles */
  struct wn_outlook *steps;                  /* in the whole step */
  struct wn_outlook *seconds, *moved;        /* for all steps in it: s; moves */
  /* Sums over whole steps: of macroparticles at their ends, and at those of all steps in them */
  double of_whole[WN_MAX_SPECIES], of_all[WN_MAX_SPECIES];
  double first[WN_MAX_SPECIES], peak[WN_MAX_SPECIES];
  /* Cells with macroparticles of a species that is merged, after 1, 2, 4 ... whole steps, and at the end */
  double cells[WN_MAX_SPECIES][N_MARKS], cells_now[WN_MAX_SPECIES];
  double counted[WN_MAX_SPECIES]; /* whole steps at the last count */
};

static void free_notes(struct notes *n)
{
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    wn_outlook_free(n->number[k]);
  wn_outlook_free(n->steps);
  wn_outlook_free(n->seconds);
  wn_outlook_free(n->moved);
}

static int create_notes(const struct wn_sim *s, struct notes *n)
{
  *n = (struct notes){.steps = NULL};
  int status = wn_outlook_create(&n->steps);
  if (status == WN_OK)
    status = wn_outlook_create(&n->seconds);
  if (status == WN_OK)
    status = wn_outlook_create(&n->moved);
  for (size_t k = 0; k < s->n_species && status == WN_OK; k++)
    status = wn_outlook_create(&n->number[k]);
  if (status != WN_OK)
    free_notes(n);
  return status;
}

static double number(const struct wn_sim *s, size_t k)
{
  return (double)wn_particles_all(&s->species[k]->p);
}

static void note_numbers(const struct wn_sim *s, struct notes *n)
{
  for (size_t k = 0; k < s->n_species; k++) {
    wn_outlook_note(n->number[k], number(s, k));
    n->peak[k] = fmax(n->peak[k], number(s, k));
  }
}

double wn_pilot_moves(const struct wn_sim *s)
{
  double n = 0.0;
  for (size_t k = 0; k < s->n_species; k++)
    if (!s->species[k]->is_fixed)
      n += number(s, k) / (double)s->species[k]->subcycling;
  return n;
}

static const struct wn_cfg_merging *merging_of(const struct wn_config *c, size_t k)
{
  for (size_t i = 0; i < c->plasma.n_merging; i++)
    if (wn_merging_species(c, &c->plasma.merging[i]) == (long)k)
      return &c->plasma.merging[i];
  return NULL;
}

/* Cells that have macroparticles of a species; those on a GPU are copied. */
static int count_cells(const struct wn_sim *s, size_t k, double *cells)
{
  struct wn_particles *p = &s->species[k]->p;
  WN_TRY(wn_particles_read(p));
  const struct wn_grid_view grid = wn_plasma_grid(s->c);
  unsigned char *has = wn_alloc(wn_cell_pairs_cells(&grid), 1);
  size_t n = 0;
  if (has == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < p->n; i++) {
    unsigned char *it = &has[wn_cell_pairs_cell(&grid, wn_particles_at(p, i))];
    n += !*it;
    *it = 1;
  }
  *cells = (double)n;
  free(has);
  return WN_OK;
}

/* Of all that are merged, but on a GPU no store that takes long to copy. */
static int note_cells(const struct wn_sim *s, struct notes *n)
{
  const uint64_t whole = s->adaptive.clock.whole;
  int mark = 0;
  while (whole >> mark > 1)
    mark++;
  for (size_t k = 0; k < s->n_species; k++)
    if (merging_of(s->c, k) != NULL &&
        (s->gpu == NULL || s->species[k]->p.n < MOST_COPIED)) {
      WN_TRY(count_cells(s, k, &n->cells_now[k]));
      n->counted[k] = (double)whole;
      if (whole == (uint64_t)1 << mark)
        n->cells[k][mark] = n->cells_now[k];
    }
  return WN_OK;
}

/* A species that grows is as many as the store of the run holds. */
static int is_full(const struct wn_sim *s, const struct wn_config *c,
                   const struct notes *n)
{
  for (size_t k = 0; k < s->n_species; k++)
    if (number(s, k) > n->first[k] &&
        number(s, k) * unit(s->c, c, k) >= (double)c->capacity)
      return 1;
  return 0;
}

/* A whole step: all its parts. */
static int whole_step(struct wn_sim *s, const struct wn_config *c, struct notes *n)
{
  const uint64_t before = s->n_steps, whole = s->adaptive.clock.whole;
  const double begun = wn_clock_now();
  double moved = 0.0;
  while (s->adaptive.clock.whole == whole) {
    moved += wn_pilot_moves(s);
    WN_TRY(wn_step(s, s->adaptive.length));
    for (size_t k = 0; k < s->n_species; k++)
      n->of_all[k] += number(s, k);
    if (s->adaptive.clock.whole < c->plasma.steps)
      WN_TRY(wn_adaptive_next(s));
  }
  note_numbers(s, n);
  for (size_t k = 0; k < s->n_species; k++)
    n->of_whole[k] += number(s, k);
  wn_outlook_note(n->steps, (double)(s->n_steps - before));
  wn_outlook_note(n->seconds, wn_clock_now() - begun);
  wn_outlook_note(n->moved, moved);
  return WN_OK;
}

static int make_steps(struct wn_sim *s, const struct wn_config *c,
                      const struct wn_pilot_budget *b, struct notes *n)
{
  const double begun = wn_clock_now(), many = WN_PILOT_MANY * wn_pilot_moves(s);
  note_numbers(s, n);
  memcpy(n->first, n->peak, sizeof n->first);
  while (s->adaptive.clock.whole < c->plasma.steps && s->n_steps < b->steps &&
         !is_full(s, c, n) &&
         ((s->n_steps < b->least && wn_pilot_moves(s) < many) ||
          wn_clock_now() - begun < b->seconds)) {
    WN_TRY(whole_step(s, c, n));
    const uint64_t whole = s->adaptive.clock.whole;
    if ((whole & (whole - 1)) == 0)
      WN_TRY(note_cells(s, n));
  }
  return note_cells(s, n);
}

/* ---- what follows from it */

/* Cells with macroparticles of a species at the end of the run: they become more as in the last part of the pilot; all, where
 * they are not known. */
static double cells_at_end(const struct wn_sim *s, const struct wn_config *c,
                           const struct notes *n, size_t k)
{
  const struct wn_grid_view grid = wn_plasma_grid(s->c);
  const double all = (double)wn_cell_pairs_cells(&grid), now = n->cells_now[k],
               whole = n->counted[k];
  int mark = 0;
  if (!(now > 0.0))
    return all;
  while (ldexp(1.0, mark + 1) <= EARLIER * whole)
    mark++;
  const double then = ldexp(1.0, mark),
               more = whole > then ? (now - n->cells[k][mark]) / (whole - then) : 0.0;
  return fmin(all, now + fmax(0.0, more) * ((double)c->plasma.steps - whole));
}

/* Macroparticles of a species of the pilot at most: of its store, or those that merging leaves in these cells.  It makes nothing
 * heavier than limits of weights by field or place, and leaves what is above protected_energy. */
static double most_of(const struct wn_sim *s, const struct wn_config *c,
                      const struct notes *n, size_t k, double store)
{
  const struct wn_cfg_merging *m = merging_of(s->c, k);
  return m != NULL && wn_merging_limits(m) == NULL && m->most_weight >= LIGHT
             ? fmin(store, (double)m->most * cells_at_end(s, c, n, k))
             : store;
}

/* The number of the run and its store, which a pilot may have reached: see struct wn_pilot. */
static void see_full(const struct wn_outlook *o, double times, double store, double most,
                     double of_run, size_t k, struct wn_pilot *out)
{
  double low = 1.0, high = times, end;
  wn_outlook_mean(o, times, most, &end);
  out->needed[k] = fmax(out->peak[k], of_run * end);
  out->full_at[k] = INFINITY;
  if (!(out->needed[k] > FULL * of_run * store && out->needed[k] > out->first[k]))
    return;
  wn_outlook_mean(o, low, most, &end);
  if (end >= FULL * store) /* in the pilot */
    high = low;
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (low + high);
    wn_outlook_mean(o, middle, most, &end);
    *(end < FULL * store ? &low : &high) = middle;
  }
  out->full_at[k] = high / times;
}

static void conclude(const struct wn_sim *s, const struct wn_config *c,
                     const struct notes *n, double first, struct wn_pilot *out)
{
  const double whole = (double)c->plasma.steps,
               times = whole / (double)s->adaptive.clock.whole;
  const double steps = wn_outlook_steady(n->steps, times),
               noted = (double)s->n_steps / (double)s->adaptive.clock.whole;
  double work = 0.0, end = 0.0;
  out->reached = 1.0 / times;
  out->late_seconds = wn_outlook_late(n->seconds) / wn_outlook_late(n->steps);
  out->late_moves = wn_outlook_late(n->moved) / wn_outlook_late(n->steps);
  out->steps = steps * whole;
  for (size_t k = 0; k < s->n_species; k++) {
    const double of_run = unit(s->c, c, k), store = (double)c->capacity / of_run,
                 most = most_of(s, c, n, k, INFINITY);
    double now;
    const double mean = wn_outlook_mean(n->number[k], times, fmin(store, most), &now);
    out->first[k] = of_run * n->first[k];
    out->peak[k] = of_run * fmax(n->peak[k], now);
    see_full(n->number[k], times, store, most, of_run, k, out);
    out->peak[k] = fmin(out->peak[k], (double)c->capacity);
    if (s->species[k]->is_fixed)
      continue;
    /* where there are more steps while there are more particles */
    const double together =
        n->of_whole[k] > 0.0 ? n->of_all[k] / (n->of_whole[k] * noted) : 1.0;
    const double each = 1.0 / (double)s->species[k]->subcycling;
    work += each * mean * together;
    end += each * now;
  }
  out->grown = first > 0.0 ? work / first : 1.0;
  out->at_end = first > 0.0 ? end / first : 1.0;
}

size_t wn_pilot_capacity(const struct wn_config *c)
{
  return c->capacity < SIZE_MAX / ROOM ? c->capacity * ROOM : c->capacity;
}

struct wn_pilot wn_pilot_none(const struct wn_config *c)
{
  struct wn_pilot none = {
      .part = 1.0, .steps = (double)c->plasma.steps, .grown = 1.0, .at_end = 1.0};
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    none.full_at[k] = INFINITY;
  return none;
}

int wn_pilot_follow(struct wn_sim *s, const struct wn_config *c,
                    const struct wn_pilot_budget *b, struct wn_pilot *out)
{
  struct notes n;
  *out = wn_pilot_none(c);
  WN_TRY(wn_sim_begin(s, 0));
  WN_TRY(create_notes(s, &n));
  const double first = wn_pilot_moves(s);
  wn_adaptive_begin(s);
  const int status = make_steps(s, c, b, &n);
  if (s->adaptive.clock.whole > 0)
    conclude(s, c, &n, first, out);
  free_notes(&n);
  return status;
}

/* ---- fewer macroparticles */

double wn_pilot_part(const struct wn_config *c)
{
  double f = 0.0;
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species s = wn_pilot_species(c, k);
    if (s.profile == WN_PROFILE_FILE)
      return 1.0;
    const double n = wn_plasma_particles(c, &s);
    if (s.mobile && n > 0.0)
      f = fmax(f, WN_PILOT_FEW / n);
    if (s.mobile && n > 0.0 && s.macroparticles == 0)
      f = fmax(f, 1.0 / (double)s.per_cell);
  }
  for (size_t i = 0; i < c->plasma.n_merging; i++)
    f = fmax(f, WN_PILOT_FEW_OF_CELL / (double)c->plasma.merging[i].most);
  if (c->plasma.photoionization.pairs_per_step > 0)
    f = fmax(f, WN_PILOT_FEW_PAIRS / (double)c->plasma.photoionization.pairs_per_step);
  return f > HARDLY || !(f > 0.0) ? 1.0 : f;
}

static size_t fewer(double f, size_t n)
{
  return n > 0 ? (size_t)fmax(1.0, rint(f * (double)n)) : 0;
}

/* Particles of a cell on average that merging leaves where it takes all above `most`, and between passes they mix with
 * those of other cells and become more by GROWN: their number is a Poisson number, whose part above `most` is what
 * they become more.  E[(X - n)+] = m P(X >= n) - n P(X > n). */
#define GROWN 0.02
static double excess(double m, size_t n)
{
  double p = exp(-m), at_most = 0.0, below = 0.0; /* of X = j; X <= n; X < n */
  for (size_t j = 0; j <= n; j++) {
    at_most += p;
    below += j < n ? p : 0.0;
    p *= m / (double)(j + 1);
  }
  return m * (1.0 - below) - (double)n * (1.0 - at_most);
}

static double mean_below(size_t n)
{
  double low = 0.0, high = (double)n;
  if (n > MANY_OF_CELL)
    return (double)n;
  for (int i = 0; i < 40; i++) {
    const double m = 0.5 * (low + high);
    *(excess(m, n) > GROWN * m ? &high : &low) = m;
  }
  return low;
}

/* The limit in a cell with which a part f of the mean is left. */
static size_t fewer_of_cell(double f, size_t most)
{
  const double mean = f * mean_below(most);
  size_t n = 1;
  while (mean_below(n) < mean)
    n++;
  return n > 1 && mean - mean_below(n - 1) < mean_below(n) - mean ? n - 1 : n;
}

struct wn_cfg_merging wn_pilot_merging(const struct wn_config *c,
                                       const struct wn_cfg_merging *m, double f)
{
  struct wn_cfg_merging few = *m;
  const long k = wn_merging_species(c, m);
  few.most =
      k >= 0 && c->species[k].mobile ? fewer_of_cell(f, m->most) : fewer(f, m->most);
  few.least = fewer(f, m->least);
  return few;
}

size_t wn_pilot_pairs(const struct wn_config *c, double f)
{
  return fewer(f, c->plasma.photoionization.pairs_per_step);
}

/* A scenario with the part f of the macroparticles; the arrays are its own. */
struct small {
  struct wn_config c;
  struct wn_cfg_species *species;
  struct wn_cfg_merging *merging;
  struct wn_cfg_source *sources;
};

static void free_small(struct small *s)
{
  free(s->species);
  free(s->merging);
  free(s->sources);
}

static int make_small(const struct wn_config *c, double f, struct small *out)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  *out = (struct small){.c = *c};
  out->species = wn_alloc(c->n_species, sizeof *out->species);
  out->merging = wn_alloc(p->n_merging, sizeof *out->merging);
  out->sources = wn_alloc(p->n_sources, sizeof *out->sources);
  if (out->species == NULL || out->merging == NULL || out->sources == NULL) {
    free_small(out);
    return WN_ENOMEM;
  }
  for (size_t k = 0; k < c->n_species; k++) {
    struct wn_cfg_species *s = &out->species[k];
    *s = wn_pilot_species(c, k);
    s->macroparticles = fewer(f, s->macroparticles);
    s->per_cell = fewer(f, s->per_cell);
  }
  for (size_t i = 0; i < p->n_merging; i++)
    out->merging[i] = wn_pilot_merging(c, &p->merging[i], f);
  for (size_t i = 0; i < p->n_sources; i++) {
    struct wn_cfg_source *o = &out->sources[i];
    *o = p->sources[i];
    if (o->per_step != WN_AUTO)
      o->per_step *= f;
  }
  out->c.species = out->species;
  out->c.capacity = wn_pilot_capacity(c);
  out->c.plasma.merging = out->merging;
  out->c.plasma.sources = out->sources;
  out->c.plasma.photoionization.pairs_per_step = wn_pilot_pairs(c, f);
  return WN_OK;
}

int wn_pilot_run(const struct wn_config *c, const struct wn_gas *gas,
                 const struct wn_device_plan *plan, double f,
                 const struct wn_pilot_budget *b, struct wn_pilot *out)
{
  struct small few;
  struct wn_sim *s = NULL;
  *out = wn_pilot_none(c);
  WN_TRY(make_small(c, f, &few));
  int status = wn_sim_create(&few.c, gas, &wn_job_of(c)->needs, plan, &s);
  if (status == WN_OK)
    status = wn_pilot_follow(s, c, b, out);
  out->part = f;
  wn_sim_free(s);
  free_small(&few);
  return status;
}
