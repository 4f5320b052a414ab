/* fields/electrostatic_slabs_move.c - particles go to the rank that has their cell: see
 * electrostatic_slabs.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic_slabs_parts.h"
#include "particles/parts.h"
#include "physics/electron.h"

/* Place and speed along the axis; dead: it is none. */
static int is_there(const struct wn_field_slabs *f, const struct wn_particles *p,
                    size_t i, int32_t *x, float *u)
{
  if (p->record.no_t_left) {
    const union wn_word *r = wn_particles_at(p, i);
    *x = r[f->axis].i;
    *u = r[f->grid.dim + f->axis].f;
  } else {
    const struct wn_electron *e = wn_particles_at(p, i);
    *x = e->at[f->axis];
    *u = e->u[f->axis];
  }
  return !wn_particles_is_dead(p, i);
}

static int owner_of_place(const struct wn_field_slabs *f, int32_t x)
{
  return wn_slab_owner_of(f, x >> f->grid.bits[f->axis]);
}

/* Those that are elsewhere go to the end of the list `out`, by rank, f->give for each; who stays
 * closes the gaps.  The dead stay. */
static void part(const struct wn_field_slabs *f, struct wn_particles *p,
                 unsigned char *out)
{
  const size_t bytes = p->record.bytes;
  size_t *next = f->next, kept = 0;
  for (int r = 0; r < wn_ranks(); r++)
    next[r] = r > 0 ? next[r - 1] + f->give[r - 1] : 0;
  for (size_t i = 0; i < p->n; i++) {
    int32_t x;
    float u;
    const int to = is_there(f, p, i, &x, &u) ? owner_of_place(f, x) : wn_rank();
    if (to != wn_rank())
      memcpy(out + bytes * next[to]++, wn_particles_at(p, i), bytes);
    else if (kept++ < i)
      memcpy(wn_particles_at(p, kept - 1), wn_particles_at(p, i), bytes);
  }
  p->n = kept;
}

/* f->give: how many go where.  Returns whether one is too fast. */
static int count(const struct wn_field_slabs *f, const struct wn_particles *p, double dt)
{
  const float most = (float)(2.0 * f->grid.h[f->axis] / dt);
  int fast = 0;
  memset(f->give, 0, (size_t)wn_ranks() * sizeof *f->give);
  for (size_t i = 0; i < p->n; i++) {
    int32_t x;
    float u;
    if (!is_there(f, p, i, &x, &u))
      continue;
    fast |= !(fabsf(u) <= most);
    const int to = owner_of_place(f, x);
    f->give[to] += to != wn_rank();
  }
  return fast;
}

static int move(const struct wn_field_slabs *f, struct wn_particles *p)
{
  const size_t words = p->record.bytes / 8, ranks = (size_t)wn_ranks();
  size_t out = 0, in = 0;
  for (size_t r = 0; r < ranks; r++)
    f->next[r] = 1; /* a word each: how many are to come */
  wn_ranks_exchange(f->give, f->next, f->take, f->next);
  for (size_t r = 0; r < ranks; r++) {
    out += f->give[r];
    in += f->take[r];
  }
  unsigned char *going = wn_alloc(out + 1, p->record.bytes);
  const int status =
      wn_particles_room(going != NULL ? wn_particles_reserve(p, in) : WN_ENOMEM);
  if (status == WN_OK) {
    wn_particles_touched(p);
    part(f, p, going);
    for (size_t r = 0; r < ranks; r++) {
      f->give[r] *= words;
      f->take[r] *= words;
    }
    wn_ranks_exchange(going, f->give, wn_particles_at(p, p->n), f->take);
    p->n += in;
  }
  free(going);
  return status;
}

int wn_field_slabs_gather(const struct wn_field_slabs *f, struct wn_particles *p,
                          double dt)
{
  size_t some = 0;
  WN_TRY(wn_particles_host(p));
  const int fast = count(f, p, dt);
  for (int r = 0; r < wn_ranks(); r++)
    some += f->give[r];
  if (wn_ranks_any(fast))
    return WN_FAIL(WN_ERUN,
                   "a particle%s crosses more than a cell along %c in half a step, which "
                   "a grid that is divided in slabs does not allow; take a shorter "
                   "plasma.time_step, or divide = \"electrons\"",
                   fast ? "" : " of another process", "xyz"[f->axis]);
  return wn_ranks_any(some > 0) ? move(f, p) : WN_OK;
}
