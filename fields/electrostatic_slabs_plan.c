/* fields/electrostatic_slabs_plan.c - which planes go from which rank to which, in each step: see
 * electrostatic_slabs_parts.h. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic_slabs_parts.h"

/* For rank r: does it have plane a, and does that go to rank `of`? */
typedef int goes(const struct wn_field_slabs *f, int r, int of, int64_t a);

/* The plane to which the charge of plane a belongs. */
static int64_t home_of(const struct wn_slab *s, int64_t a)
{
  const struct wn_charge_nodes *n = &s->nodes;
  const int low = 2 * s->axis;
  if (s->is_periodic || (a >= 0 && a <= s->cells))
    return wn_slab_wrap(s, a);
  const int side = a < 0 ? low : low + 1,
            mirrors = n->grid.side[side] == WN_SIDE_REFLECT || (n->mirrors >> side & 1u);
  return a < 0 ? mirrors : s->cells - mirrors;
}

static void planes_of(const struct wn_field_slabs *f, int r, int64_t own[2])
{
  wn_slab_planes(&f->spec.poisson, r, f->slab.ranks, own);
}

/* Charge that lies in a guard. */
static int strays(const struct wn_field_slabs *f, int r, int of, int64_t a)
{
  int64_t own[2], k;
  planes_of(f, r, own);
  if (a < -WN_GRID_GUARD || a > f->slab.cells + WN_GRID_GUARD ||
      !wn_slab_is_near(&f->slab, own, WN_SLAB_GUARD, a, &k))
    return 0;
  const int64_t home = home_of(&f->slab, a);
  return wn_slab_owner_of(&f->slab, home) == of && !(home == a && r == of);
}

/* phi that rank `of` wants at its plane k, a guard: rank r has it. */
static int is_wanted(const struct wn_field_slabs *f, int r, int of, int64_t k)
{
  const struct wn_slab *s = &f->slab;
  int64_t own[2];
  planes_of(f, of, own);
  if (k < own[0] - WN_SLAB_GUARD_PHI || k >= own[1] + WN_SLAB_GUARD_PHI ||
      (k >= own[0] && k < own[1]) || (!s->is_periodic && (k < 0 || k > s->cells)))
    return 0;
  return wn_slab_owner_of(s, wn_slab_wrap(s, k)) == r;
}

/* Planes of all that go from `from` to `to`; to list (NULL: they are counted alone) by their own name,
 * or the one that they have where they are at home. */
static size_t list(const struct wn_field_slabs *f, goes *go, int from, int to,
                   int64_t (*name)(const struct wn_slab *, int64_t), int64_t *out)
{
  size_t n = 0;
  for (int64_t a = -WN_SLAB_GUARD_PHI; a <= f->slab.cells + WN_SLAB_GUARD_PHI; a++)
    if (go(f, from, to, a)) {
      if (out != NULL)
        out[n] = name != NULL ? name(&f->slab, a) : a;
      n++;
    }
  return n;
}

static int plan(const struct wn_field_slabs *f, goes *go, size_t words,
                int64_t (*give)(const struct wn_slab *, int64_t),
                int64_t (*take)(const struct wn_slab *, int64_t),
                struct wn_slab_moves *out)
{
  const int me = f->slab.rank;
  const size_t ranks = (size_t)f->slab.ranks;
  out->words_give = wn_alloc(ranks, sizeof *out->words_give);
  out->words_take = wn_alloc(ranks, sizeof *out->words_take);
  if (out->words_give == NULL || out->words_take == NULL)
    return WN_ENOMEM;
  for (size_t r = 0; r < ranks; r++) {
    const size_t n = list(f, go, me, (int)r, NULL, NULL),
                 m = list(f, go, (int)r, me, NULL, NULL);
    out->words_give[r] = n * words;
    out->words_take[r] = m * words;
    out->n_give += n;
    out->n_take += m;
  }
  out->give = wn_alloc(out->n_give + 1, sizeof *out->give);
  out->take = wn_alloc(out->n_take + 1, sizeof *out->take);
  if (out->give == NULL || out->take == NULL)
    return WN_ENOMEM;
  int64_t *to = out->give, *from = out->take;
  for (size_t r = 0; r < ranks; r++) {
    to += list(f, go, me, (int)r, give, to);
    from += list(f, go, (int)r, me, take, from);
  }
  return WN_OK;
}

int wn_slab_plan(struct wn_field_slabs *f)
{
  WN_TRY(plan(f, strays, (size_t)f->slab.padded, NULL, home_of, &f->strays));
  return plan(f, is_wanted, (size_t)f->slab.plane, wn_slab_wrap, NULL, &f->guards);
}

static void free_moves(struct wn_slab_moves *m)
{
  free(m->give);
  free(m->take);
  free(m->words_give);
  free(m->words_take);
}

void wn_slab_plan_free(struct wn_field_slabs *f)
{
  free_moves(&f->strays);
  free_moves(&f->guards);
}
