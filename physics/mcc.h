/* physics/mcc.h - model `mcc`: one electron through a gas by the null-collision method
 * (Skullerud 1968; Koura 1986).  Candidate collisions come at a rate that is a proven
 * upper bound of the collision frequency; the flight between them is exact.  At a
 * candidate one uniform number selects a process, or a null collision.  Any number of
 * collisions in a mobility step.
 *
 * The bound is nu_max, valid at all energies.  In a swarm it may be that of the energies
 * which the electron can have until its horizon (physics/mcc_bands.h).  There the flight
 * is cut and continues in another band.  Either bound is known before the flight, so
 * candidates remain a Poisson process.  Times to a candidate are counted in seconds at
 * the rate nu_max.  At a lower rate they elapse more slowly, in proportion, so that a cut
 * needs no new random number.
 *
 * This file has the constants of a phase, an electron in registers, and the start and end
 * of a mobility step (wn_mcc_load, wn_mcc_store).  Between them a scheduler calls in turn
 *   wn_mcc_flights  (physics/mcc_flight.h)  to a candidate that may be a collision;
 *   wn_mcc_commit   (the same)              brings x and u there;
 *   wn_mcc_collide  (physics/mcc_collide.h) carries it out.
 *
 * Time level: x and u belong to the same time, which is the end of the phase minus the
 * time that remains.
 *
 * Random numbers: an event is a block of four words: choice and next flight of one
 * candidate, and of the one after it if the first is null.  A collision draws its own
 * blocks under the number of the event: enum in physics/rng.h. */
#ifndef WN_PHYSICS_MCC_H
#define WN_PHYSICS_MCC_H
#include <math.h>
#include "physics/constants.h"
#include "physics/continuous_loss.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mcc_bands.h"
#include "physics/mcc_grid.h"
#include "physics/profile.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "physics/tally.h"
#include "physics/helix.h"
#include "physics/xs_view.h"

/* Acceleration of an electron by the electric field: du/dt, m/s2; its square in units of
 * WN_UNIT_U^2/s2. */
struct wn_mcc_force {
  float a[3], a2;
};

enum wn_mcc_spreads { WN_MCC_NO_SPREADS, WN_MCC_FEW_SPREADS, WN_MCC_ALL_SPREADS };

/* sqrt(2 e/m), m/s: speed at 1 eV in the classical limit. */
#define WN_PASS_U 593096.9

struct wn_crossings;

/* Constants of all electrons in a phase. */
struct wn_mcc {
  struct wn_xs_view xs;
  struct wn_rng_key key; /* wn_rng_key(seed) */
  double accel[3];       /* -eE/m, m/s2 */
  double gyro[3];        /* eB/m, 1/s */
  int has_b;
  double dt;                   /* mobility step, s */
  double step;                 /* s: dt times the mobility steps; wn_mcc_set_step */
  double per_step, per_length; /* 1/step; 1/(c step), 1/m */
  float inv_nu;                /* 1/nu_max, s */
  struct wn_mcc_force uniform; /* accel, by wn_mcc_set_field */
  struct wn_turn_field turn;   /* accel and gyro, by the same, where there is a gyro */
  double t_end;                /* time at the end of this phase since release, s */
  int n_groups;
  /* min of the thresholds, stop_above and energy_limit: none of them is checked below
   * it */
  float watch_ev;
  /* last energy of a table with policy error, or the top of the tables */
  double limit_ev;
  double stop_ev; /* electrons above it are counted and removed; INFINITY: none */
  float floor_ev; /* those that a collision leaves below it, too; 0: none */
  int n_thresholds;
  const double *threshold_ev;
  /* cohorts: whether weights are halved from time to time as the number of electrons
   * grows; halvings: how often they were.  An electron records the latter when it passes
   * the first threshold from below (wn_electron_cohort).  Its terms in WN_PASSED_COHORT
   * are in the unit of weight of that time, which removes the growth of the other
   * electrons until it reaches the next threshold.  Doublings, in a decaying ensemble,
   * subtract from halvings.  The count starts at WN_MOST_HALVINGS, so that it is never
   * negative; only differences matter */
  int cohorts;
  uint32_t halvings;
  /* With cohorts, electrons below the first threshold are marked at the end of each
   * phase: they are set to z = 0, and to y = mark_m times the number of the phase. mark_m
   * is a power of two and exceeds twice the distance that light travels in the case.  So
   * y gives the number, whatever the transverse motion since.  m; its inverse */
  double mark_m, per_mark;
  double pass_a; /* size of accel over WN_PASS_U, 1/s: physics/passages.h */
  /* Whether places, forces and sides are those of a grid; then each mobility step is a
   * phase of its own, and accel and uniform are unused */
  int in_grid;
  struct wn_mcc_grid grid;
  /* Which members of struct wn_tally_group.place and spread are needed, for diffusion:
   * some of them, or all (enum wn_mcc_spreads) */
  int spreads;
  /* in a swarm, by wn_mcc_set_bands: whether there are bands, the bands, and the absolute
   * value of accel for which they hold, -1 without a field */
  int banded;
  struct wn_mcc_band band[WN_MCC_BANDS];
  double band_accel;
  /* in a swarm: crossings of detectors are noted here (physics/mcc_detected.h); NULL: there are none */
  struct wn_crossings *crossings;
  /* the same: density and field along z (physics/mcc_profiled.h) */
  struct wn_profile profile;
};

/* Phase of `phase` seconds in `steps` mobility steps. */
static WN_HD void wn_mcc_set_step(struct wn_mcc *m, double step, double steps)
{
  m->step = step;
  m->per_step = 1.0 / step;
  m->per_length = 1.0 / (WN_C * step);
  m->dt = step / steps;
}

/* The constants that follow from accel and gyro. */
static WN_HD void wn_mcc_set_field(struct wn_mcc *m)
{
  double a2 = 0.0;
  for (int i = 0; i < 3; i++) {
    m->uniform.a[i] = (float)m->accel[i];
    a2 += m->accel[i] * m->accel[i];
  }
  m->uniform.a2 = (float)(a2 / (WN_UNIT_U * WN_UNIT_U));
  m->pass_a = sqrt(a2) / WN_PASS_U;
  if (wn_turn_is_felt(m->gyro))
    m->turn = wn_turn_field(m->accel, m->gyro);
}

/* The bands of a swarm with acceleration accel, the largest of its profile, on the host: once for each field.  With a profile there are
 * bands always: the rate of candidates is no longer nu_max, and sums over them are those of bands. */
static inline void wn_mcc_set_bands(struct wn_mcc *m)
{
  const int uniform = wn_profile_is_uniform(&m->profile);
  const double a = sqrt(m->accel[0] * m->accel[0] + m->accel[1] * m->accel[1] +
                        m->accel[2] * m->accel[2]) *
                   (uniform ? 1.0 : m->profile.factor_most),
               made = a > 0.0 ? a : -1.0; /* 0: none are made yet */
  if (m->band_accel == made)
    return;
  m->band_accel = made;
  const int floored = m->floor_ev > 0.0f;
  m->banded = floored || !uniform ||
              wn_mcc_real_part(&m->xs, a) * WN_MCC_BANDS_FROM < 1.0;
  if (m->banded)
    wn_mcc_make_bands(&m->xs, a, floored, m->band);
  if (m->banded && m->xs.continuous != NULL)
    wn_continuous_horizons(m->xs.continuous, m->band);
}

enum wn_mcc_part {
  WN_MCC_ALL,
  WN_MCC_COMMON, /* leave out what is rare and long: WN_MCC_RARE */
  WN_MCC_REST    /* do what COMMON left out */
};

/* What flights do with an energy to be watched (wn_mcc_watch). */
enum wn_mcc_watched {
  WN_MCC_WATCH_HERE,
  WN_MCC_WATCH_APART, /* few are: code of its own, which takes no registers from others */
  WN_MCC_WATCH_STOPS /* nothing: it ends the flight as an event, and the caller starts anew */
};

/* What selects the code that runs, apart from numbers.  A kernel passes constants here,
 * which makes it small; other callers pass wn_mcc_kind(m). */
struct wn_mcc_kind {
  short has_b, in_grid; /* short: passed by value to functions that are not inline */
  short banded;         /* wn_mcc_banded */
  short near;           /* where sums go: WN_SUMS_CELLS and so on (physics/tally.h) */
  short watched;        /* enum wn_mcc_watched */
  int angle_model, share_model;
  int part; /* enum wn_mcc_part: a kernel does collisions in two calls */
  /* parts of m->xs that are read most; a kernel has copies of them in nearer memory */
  const struct wn_xs_top *top;
  const struct wn_mcc_band *band;
  const float *normal;
  /* losses along the flight (physics/continuous_loss.h): a swarm in bands, without a field; never in a kernel */
  short slows;
};

/* Whether candidates come in bands.  Not in a grid: there mobility steps are short
 * compared with the time between candidates, and the question is whether a step has any
 * candidate (physics/mcc_collision_free.h). */
static WN_HD short wn_mcc_banded(const struct wn_mcc *m, int in_grid)
{
  return !in_grid && m->banded;
}

/* Whether losses are along the flight.  Configurations with a field, a grid, or without bands are refused before. */
static WN_HD short wn_mcc_slows(const struct wn_mcc *m)
{
  return !WN_ON_DEVICE && m->xs.continuous != NULL;
}

/* Whether x and u are deferred until wn_mcc_commit.  Not in the magnetic field of a grid,
 * where each flight is committed by itself. */
static WN_HD int wn_mcc_waits(struct wn_mcc_kind kind)
{
  return !(kind.has_b && kind.in_grid);
}

static WN_HD struct wn_mcc_kind wn_mcc_kind(const struct wn_mcc *m)
{
  struct wn_mcc_kind kind = {(short)m->has_b,
                             (short)m->in_grid,
                             wn_mcc_banded(m, m->in_grid),
                             0,
                             0,
                             m->xs.angle_model,
                             m->xs.share_model,
                             WN_MCC_ALL,
                             m->xs.top,
                             m->band,
                             m->xs.normal,
                             wn_mcc_slows(m)};
  return kind;
}

enum {
  WN_MCC_DONE = 1,  /* the mobility step is over */
  WN_MCC_DEAD = 2,  /* attached, removed above stop_ev, or taken by a side */
  WN_MCC_CHILD = 4, /* *child was filled */
  WN_MCC_EVENT = 8, /* a candidate that the majorant does not exclude: wn_mcc_collide */
  WN_MCC_RARE = 16  /* nothing was done: ionization, or an electron that is not slow */
};

/* An electron in registers during a mobility step.  moved (m, since the step began), u
 * and base_ev belong to the last commit, `since` seconds ago; energy, left and next to
 * the present. */
struct wn_mcc_reg {
  float moved[3], u[3], base_ev;
  float since, energy;
  float left; /* s: rest of this mobility step */
  float next; /* to the next candidate, s at the rate nu_max: struct wn_electron.t_next */
  float gained,
      control; /* gained, where kind.slows: less what was lost along the flights */
  /* where candidates come in bands: integral of the energy over time, eV s; in a magnetic
   * field instead the sum over candidates of energy over rate, whose mean is that
   * integral.  Otherwise the sum of the energies at candidates, which then come at the
   * rate nu_max, eV */
  float energy_sum;
  uint32_t n_candidates, n_real;
};

/* Begin a new flight after u was set. */
static WN_HD void wn_mcc_rebase(struct wn_mcc_reg *r, float energy)
{
  r->base_ev = r->energy = energy;
  r->since = 0.0f;
}

/* Whole mobility steps of t_left after the present one; below: the rest of the present
 * one, s. */
static WN_HD double wn_mcc_steps_after(float t_left)
{
  return ceil((double)t_left) - 1.0;
}

static WN_HD double wn_mcc_left(const struct wn_mcc *m, float t_left)
{
  return ((double)t_left - wn_mcc_steps_after(t_left)) * m->dt;
}

static WN_HD void wn_mcc_load(const struct wn_mcc *m, const struct wn_electron *e,
                              struct wn_mcc_reg *r)
{
  for (int i = 0; i < 3; i++) {
    r->moved[i] = 0.0f;
    r->u[i] = e->u[i];
  }
  wn_mcc_rebase(r, wn_energy_f(wn_square_f(r->u)));
  r->left = (float)wn_mcc_left(m, e->t_left);
  r->next = e->t_next;
  r->gained = r->control = r->energy_sum = 0.0f;
  r->n_candidates = r->n_real = 0;
}

/* The force with the accelerations a, m/s2. */
static WN_HD struct wn_mcc_force wn_mcc_force_of(const float a[3])
{
  struct wn_mcc_force f;
  float s[3]; /* a^2 in m2/s4 would overflow a float from 1e8 V/m on */
  for (int i = 0; i < 3; i++) {
    f.a[i] = a[i];
    s[i] = a[i] * (float)(1.0 / WN_UNIT_U);
  }
  f.a2 = wn_dot_f(s, s);
  return f;
}

/* The force on an electron during a mobility step: that of the uniform field, or that of
 * the grid, which its record holds. */
static WN_HD struct wn_mcc_force
wn_mcc_force(const struct wn_mcc *m, struct wn_mcc_kind kind, const struct wn_electron *e)
{
  return kind.in_grid ? wn_mcc_force_of(e->a) : m->uniform;
}

/* Places of struct wn_tally_group, in the order of its members. */
enum {
  WN_TERM_TIME,
  WN_TERM_PATH,
  WN_TERM_ENERGY = 4,
  WN_TERM_CANDIDATES,
  WN_TERM_GAINED,
  WN_TERM_CONTROL,
  WN_TERMS, /* that a mobility step adds to, where diffusion is not asked for */
  WN_TERM_PLACE = 10,
  WN_TERM_SPREAD = 13
};

/* y, n of them, to the sums of a group from place `first` on. */
static WN_HD void wn_mcc_add_terms(const struct wn_tally *t, short near, int group,
                                   int first, int n, const float *y)
{
  wn_i128 *const cells = (wn_i128 *)&t->group[group] + first;
  const uint32_t at =
      t->near_group +
      WN_NEAR_BYTES * ((uint32_t)WN_NEAR_GROUP * (uint32_t)group + (uint32_t)first);
  WN_UNROLLED
  for (int k = 0; k < n; k += WN_NEAR_TOGETHER) {
    const int some = n - k < WN_NEAR_TOGETHER ? n - k : WN_NEAR_TOGETHER;
    wn_i128 *cell[WN_NEAR_TOGETHER];
    for (int i = 0; i < some; i++)
      cell[i] = &cells[k + i];
    wn_tally_near(near, at + WN_NEAR_BYTES * (uint32_t)k, cell, &y[k], some);
  }
}

/* Terms of the path of a mobility step in place and spread: x_i x_k grows by the sum of x_i v_k +
 * x_k v_i, whatever the path; and the mean place of a path is, on average over
 * steady velocities, that halfway between its ends.  w: weight; lived: s. */
struct wn_mcc_way {
  double moved[3], ends[3]; /* ends: the places at both, added; in c * phase */
};

static WN_HD struct wn_mcc_way wn_mcc_way(const struct wn_mcc *m, const double from[3],
                                          const float moved[3])
{
  struct wn_mcc_way way;
  for (int i = 0; i < 3; i++) {
    way.moved[i] = (double)moved[i] * m->per_length;
    way.ends[i] = 2.0 * from[i] * m->per_length + way.moved[i];
  }
  return way;
}

/* Of WN_MCC_FEW_SPREADS. */
static WN_HD void wn_mcc_spread_few(const struct wn_mcc *m, const struct wn_mcc_way *way,
                                    double w, double lived, short near, int group,
                                    const struct wn_tally *t)
{
  const float fix = (float)WN_FIX_STEP;
  const double half_lived = 0.5 * w * lived * m->per_step,
               xx = w * way->moved[0] * way->ends[0],
               yy = w * way->moved[1] * way->ends[1];
  /* place z, xx + yy, nothing, zz */
  const float y[] = {(float)(half_lived * way->ends[2]) * fix, (float)(xx + yy) * fix,
                     0.0f, (float)(w * way->moved[2] * way->ends[2]) * fix};
  wn_mcc_add_terms(t, near, group, WN_TERM_PLACE + 2, 4, y);
}

/* Of WN_MCC_ALL_SPREADS.  By value, so that what is called with does not have to be in
 * memory. */
static WN_COLD void wn_mcc_spread_all(const struct wn_mcc *m, struct wn_mcc_way way,
                                      double w, double lived, short near, int group,
                                      struct wn_tally t)
{
  const float fix = (float)WN_FIX_STEP;
  const double half_lived = 0.5 * w * lived * m->per_step;
  float y[3 + WN_SPREADS];
  for (int i = 0; i < 3; i++) {
    y[i] = (float)(half_lived * way.ends[i]) * fix;
    y[3 + i] = (float)(w * way.moved[i] * way.ends[i]) * fix;
    for (int k = i + 1; k < 3; k++)
      y[3 + WN_SPREAD_YZ - 3 + i + k] =
          (float)(0.5 * w * (way.moved[i] * way.ends[k] + way.moved[k] * way.ends[i])) *
          fix;
  }
  wn_mcc_add_terms(&t, near, group, WN_TERM_PLACE, 3 + WN_SPREADS, y);
}

/* Count a real collision: its process is cell `index` of [n_groups][n_processes]; lost:
 * its energy loss, eV. */
static WN_HD void wn_mcc_count(struct wn_tally *t, short near, int index, float w,
                               float lost)
{
  const float y[] = {w * (float)WN_FIX_WEIGHT, w * lost * (float)WN_FIX_ENERGY};
  wn_i128 *const cell[] = {&t->count[index], &t->lost[index]};
  wn_tally_near(near, t->near_process + WN_NEAR_BYTES * WN_NEAR_PROCESS * (uint32_t)index,
                cell, y, 2);
}

/* What an electron lost along its flights, to the processes that it stands for: as many quanta as have that energy. */
static WN_HD void wn_mcc_count_slowed(const struct wn_mcc *m, float slowed, float w,
                                      int group, struct wn_tally *t)
{
  const struct wn_continuous_loss *c = m->xs.continuous;
  for (int k = 0; k < c->n; k++) {
    const struct wn_continuous_process *p = &c->process[k];
    const int at = group * m->xs.n_processes + p->index;
    const double lost = (double)(w * slowed * p->share);
    wn_tally_sum(&t->count[at], lost * (double)p->per_ev, WN_FIX_WEIGHT);
    wn_tally_sum(&t->lost[at], lost, WN_FIX_ENERGY);
  }
}

/* End of a mobility step: round to what is stored and add the sums to the tallies. *e: as
 * it was loaded, except for event and tag.  what: has WN_MCC_DEAD if the electron is dead
 * already.  Returns 0, or WN_MCC_DEAD if a side of the grid took the electron. */
static WN_HD int wn_mcc_store(const struct wn_mcc *m, struct wn_mcc_kind kind,
                              struct wn_mcc_reg *r, struct wn_electron *e, int what,
                              int group, struct wn_tally *t)
{
  float y[WN_TERMS];
  const float fix_weight = (float)WN_FIX_WEIGHT, fix_energy = (float)WN_FIX_ENERGY,
              fix_step = (float)WN_FIX_STEP;
  double w = (double)e->w, length = w * m->per_length;
  double lived = wn_mcc_left(m, e->t_left) - (double)r->left;
  if (m->spreads) {
    const struct wn_mcc_way way = wn_mcc_way(m, e->x, r->moved);
    if (m->spreads == WN_MCC_FEW_SPREADS)
      wn_mcc_spread_few(m, &way, w, lived, kind.near, group, t);
    else
      wn_mcc_spread_all(m, way, w, lived, kind.near, group, *t);
  }
  for (int i = 0; i < 3; i++) {
    y[WN_TERM_PATH + i] = (float)((double)r->moved[i] * length) * fix_step;
    if (!kind.in_grid)
      e->x[i] += (double)r->moved[i];
    e->u[i] = r->u[i];
  }
  e->t_left = (float)wn_mcc_steps_after(e->t_left);
  e->t_next = r->next;
  y[WN_TERM_TIME] = (float)(w * (lived * m->per_step)) * fix_step;
  const float nu = (float)m->xs.nu_max,
              energy_sum = kind.banded ? r->energy_sum * nu : r->energy_sum,
              candidates = kind.banded ? (float)lived * nu : (float)r->n_candidates;
  y[WN_TERM_ENERGY] = e->w * energy_sum * fix_energy;
  y[WN_TERM_CANDIDATES] = e->w * candidates * fix_weight;
  y[WN_TERM_GAINED] = kind.slows ? 0.0f : e->w * r->gained * fix_energy;
  y[WN_TERM_CONTROL] = (float)((double)(r->moved[2] + r->control) * length) * fix_step;
  wn_mcc_add_terms(t, kind.near, group, 0, WN_TERMS, y);
  t->n_candidates += r->n_candidates;
  t->n_real += r->n_real;
  if (kind.slows)
    wn_mcc_count_slowed(m, -r->gained, e->w, group, t); /* there is no field */
  return kind.in_grid && wn_mcc_grid_arrive(&m->grid, r->moved, what & WN_MCC_DEAD, e, t)
             ? WN_MCC_DEAD
             : 0;
}

#endif
