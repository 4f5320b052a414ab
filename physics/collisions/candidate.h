/* physics/collisions/candidate.h - model `mcc`, what collisions of all kinds have in
 * common: which process a candidate may be and whether it is one, the frame of the target,
 * the outcome.  One electron at a time; physics/mcc_collide.h puts it together. */
#ifndef WN_PHYSICS_COLLISIONS_CANDIDATE_H
#define WN_PHYSICS_COLLISIONS_CANDIDATE_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mcc.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "physics/tally.h"
#include "physics/xs_view.h"

/* The electron in the rest frame of the target. */
struct wn_mcc_relative {
  float u[3]; /* m/s */
  float s;    /* |u|^2 in units of WN_UNIT_U^2 */
  float t_ev; /* the kinetic energy that belongs to it */
  float v[3]; /* velocity of the target, m/s */
};

/* Of four processes, whose majorants are f.w, the one that it may be: word is below f.w[3]
 * and not below `below`, where the four begin.  Out: how far the word is above what lies
 * below it, and its own width, as probabilities. */
static WN_HD int wn_mcc_choose_of(struct wn_xs_four f, uint32_t below, uint32_t word,
                                  float *pick, float *width)
{
  int a = word >= f.w[0], b = word >= f.w[1], c = word >= f.w[2];
  below = c ? f.w[2] : b ? f.w[1] : a ? f.w[0] : below;
  uint32_t top = !a ? f.w[0] : !b ? f.w[1] : !c ? f.w[2] : f.w[3];
  *pick = (float)(word - below) * 0x1p-32f;
  *width = (float)(top - below) * 0x1p-32f;
  return a + b + c;
}

/* Which process may it be: the first whose cumulative majorant exceeds the word, which
 * must be below that of all together.  Four are compared at a time: it is the waiting
 * that costs, and the commonest come first.  Out: as above. */
static WN_HD int wn_mcc_choose(const struct wn_mcc *m, int bin, uint32_t word,
                               float *pick, float *width)
{
  const struct wn_xs_four *major = &m->xs.major[bin];
  struct wn_xs_four f = major[0];
  uint32_t below = 0;
  int k = 0;
  while (word >= f.w[3]) {
    below = f.w[3];
    f = *(major += m->xs.n_bins);
    k += 4;
  }
  return k + wn_mcc_choose_of(f, below, word, pick, width);
}

/* Spread of the target's velocity along an axis, m/s; 0: at rest, for a cold gas and for
 * fast electrons. */
static WN_HD float wn_mcc_target_sigma(const struct wn_mcc *m,
                                       const struct wn_gas_view *g, float energy)
{
  return energy < m->xs.thermal_below_ev ? g->sigma_v : 0.0f;
}

/* Velocity of the target, from two words of block REAL. */
static WN_HD void wn_mcc_target(const float *normal, float sigma, const struct wn_rng4 *w,
                                float v[3])
{
  v[0] = sigma * normal[w->w[0] & (WN_XS_NORMALS - 1)];
  v[1] = sigma * normal[w->w[0] >> 11 & (WN_XS_NORMALS - 1)];
  v[2] = sigma * normal[w->w[1] & (WN_XS_NORMALS - 1)];
}

/* q->u and s: u in a frame that moves with v.  gamma v off u, gamma that of the electron:
 * what that leaves out, v^2/c^2 of u (1e-12 at 300 K), is below rounding. */
static WN_HD void wn_mcc_shift(struct wn_mcc_relative *q, const float u[3], float gamma)
{
  for (int i = 0; i < 3; i++)
    q->u[i] = wn_fma(-gamma, q->v[i], u[i]);
  q->s = wn_square_f(q->u);
}

/* Boost of u, of energy t_ev, to a frame that moves with sign * v.  Fills q->u, s and
 * t_ev.  An electron that was slow is slow enough in the other frame. */
static WN_HD void wn_mcc_boost(struct wn_mcc_relative *q, const float u[3], float t_ev,
                               float sign)
{
  wn_mcc_shift(q, u, wn_fma(t_ev, sign * (float)(1.0 / WN_MC2_EV), sign));
  q->t_ev = WN_LIKELY(t_ev < WN_SLOW_EV) ? wn_energy_slow(q->s) : wn_energy_f(q->s);
}

/* A function of its own, so that its addresses take no registers where the bound holds. */
static WN_COLD void wn_mcc_violated(struct wn_tally_alarms *alarms, uint64_t id)
{
  if (alarms != NULL)
    wn_tally_violation(alarms, id);
}

/* Is a candidate of electron id for process k, whose threshold is given, one at relative
 * energy t_ev?
 * pick in [0, width).  t: counts it when the bound does not hold; not if alarms is NULL.
 * second: of block REAL; the bits that wn_mcc_target leaves of it go
 * on where those of pick end, as a process can be rarer than one in 2^32. */
static WN_HD int wn_mcc_is_real(const struct wn_mcc *m, int k, float threshold_ev,
                                float t_ev, float pick, float width, uint32_t second,
                                uint64_t id, struct wn_tally *t)
{
  float p = wn_xs_probability(&m->xs, k, threshold_ev, t_ev);
  if (WN_UNLIKELY(p > width * (1.0f + 1e-6f)))
    wn_mcc_violated(t->alarms, id);
  return pick + (float)(int32_t)(second >> 11) * 0x1p-53f < p;
}

/* Mean free time that belongs to the majorant of a bin, s: for the control variate
 * (src/diag/transport.c).  Candidates that pass the majorant are a Poisson process of
 * rate nu_max * major, so displacement minus the sum of velocity / rate over them is zero
 * on average; so is, at each collision, the part of the new direction that averages to
 * zero. */
static WN_HD float wn_mcc_free_time(const struct wn_mcc *m, const struct wn_xs_top *top)
{
  return m->inv_nu * top->free_time;
}

/* Velocity along z, for the control variate. */
static WN_HD float wn_mcc_velocity_z(float u_z, float energy)
{
  float x = energy * (float)(1.0 / WN_MC2_EV);
  return u_z *
         (WN_LIKELY(energy < WN_SLOW_EV) ? wn_inverse1p_slow(x) : wn_inverse1p_f(x));
}

/* The electron after a collision, back in the frame of the gas: state, sums. */
static WN_HD void wn_mcc_leave(struct wn_mcc_reg *r, const struct wn_electron *e,
                               int index, float given, const struct wn_mcc_relative *q,
                               short near, struct wn_tally *t)
{
  float before = r->energy;
  for (int i = 0; i < 3; i++)
    r->u[i] = q->u[i];
  wn_mcc_rebase(r, q->t_ev);
  r->n_real++;
  wn_mcc_count(t, near, index, e->w, before - r->energy - given);
}

/* An electron of that energy is removed: struct wn_mcc.floor_ev. */
static WN_COLD void wn_mcc_remove(struct wn_tally_group *group, float w, float energy)
{
  wn_tally_sum(&group->removed, (double)w, WN_FIX_RARE);
  wn_tally_sum(&group->dropped, (double)w * (double)energy, WN_FIX_ENERGY);
}

/* What becomes of an electron, and of a newborn of energy `given` if it splits, both after the
 * collision: the energies below floor_ev end them.  Of two the faster goes on; where it does not,
 * neither does.  Returns WN_MCC_DEAD, WN_MCC_CHILD or 0. */
static WN_HD int wn_mcc_remain(const struct wn_mcc *m, float energy, float w, int splits,
                               float given, int group, const struct wn_tally *t)
{
  if (WN_LIKELY(!(energy < m->floor_ev) && !(splits && given < m->floor_ev)))
    return splits ? WN_MCC_CHILD : 0;
  if (splits)
    wn_mcc_remove(&t->group[group], w, given);
  if (!(energy < m->floor_ev))
    return 0;
  wn_mcc_remove(&t->group[group], w, energy);
  return WN_MCC_DEAD;
}

/* u back from the rest frame of the target: q->u, s and t_ev become those in the frame of
 * the gas. */
static WN_HD void wn_mcc_back(struct wn_mcc_relative *q, const float u[3])
{
  wn_mcc_boost(q, u, wn_energy_f(wn_square_f(u)), -1.0f);
}

/* The same of a slow electron; us: what wn_collide_slow returned, from which gamma - 1 =
 * us^2/2c^2.  That leaves out, of gamma - 1, as much as u and us differ by, m/M: 1e-3 of
 * 4e-4 of v for H, which is nothing beside u. */
static WN_HD void wn_mcc_back_slow(struct wn_mcc_relative *q, const float u[3], float us)
{
  const double root = 0.70710678118654752; /* of 1/2 */
  float k = us * (float)(root / WN_C);
  wn_mcc_shift(q, u, -wn_fma(k, k, 1.0f));
  q->t_ev = wn_energy_slow(q->s);
}

/* What a collision changes. */
struct wn_mcc_outcome {
  float u[3];    /* of the electron, in the rest frame of the target */
  float us;      /* of a slow electron: |u| in the centre of mass */
  float drift;   /* of the control variate, m/s */
  float given;   /* energy of the newborn, eV */
  int forbidden; /* the energy in the centre of mass does not cover the loss */
};

/* A candidate before it has changed anything: what it may be, and whether it is. */
struct wn_mcc_case {
  struct wn_mcc_relative q;
  struct wn_rng4 w; /* of block REAL */
  const struct wn_gas_view *g;
  const struct wn_process_view *p;
  struct wn_process_view v; /* a copy of *p, so that it is read once */
  float free_time;
  int real, fast;
  uint32_t event;
};

/* r: at the candidate; word: of the choice. */
static WN_HD struct wn_mcc_case wn_mcc_consider(const struct wn_mcc *m,
                                                struct wn_mcc_kind kind,
                                                const struct wn_mcc_reg *r, uint64_t id,
                                                struct wn_tally *t, uint32_t event,
                                                uint32_t word)
{
  struct wn_mcc_case c;
  float pick, width;
  int bin = wn_xs_bin(&m->xs, r->energy), k = wn_mcc_choose(m, bin, word, &pick, &width);
  c.free_time = wn_mcc_free_time(m, &kind.top[bin]);
  c.p = &m->xs.process[k];
  c.v = *c.p;
  c.g = &m->xs.gas[c.v.gas];
  c.w = wn_rng_with(&m->key, id, event, WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
  wn_mcc_target(kind.normal, wn_mcc_target_sigma(m, c.g, r->energy), &c.w, c.q.v);
  wn_mcc_boost(&c.q, r->u, r->energy, 1.0f);
  c.real = wn_mcc_is_real(m, k, c.v.threshold_ev, c.q.t_ev, pick, width, c.w.w[1], id, t);
  c.fast = !(r->energy < WN_SLOW_EV);
  c.event = event;
  return c;
}

#endif
