/* fields/halo.c - planes exchanged between ranks in each step: charge in guard planes is added to that of
 * the owners, phi in guard planes is a copy of theirs.  See electrostatic_parts.h. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic_parts.h"

int wn_slab_ranges(const struct wn_slab *s, int64_t guard,
                   size_t range[WN_SLAB_RANGES][2])
{
  int n = 0, had = 0;
  for (int64_t a = -WN_GRID_GUARD, k; a <= s->cells + WN_GRID_GUARD; a++) {
    const int has = wn_slab_is_near(s, s->own, guard, a, &k);
    WN_ASSERT(n < WN_SLAB_RANGES);
    if (has && !had)
      range[n][0] = (size_t)wn_slab_at_plane(s, a);
    if (has)
      range[n][1] = (size_t)wn_slab_at_plane(s, a + 1);
    n += had && !has;
    had = has;
  }
  return n + had;
}

/* Whether rank r has plane a and sends it to rank `to`. */
typedef int sends(const struct wn_electrostatic *f, int r, int to, int64_t a);

/* The plane that the charge of plane a is added to. */
static int64_t home_of(const struct wn_slab *s, int64_t a)
{
  const struct wn_charge_nodes *n = &s->nodes;
  const int low = 2 * s->axis;
  if (s->wraps || (a >= 0 && a <= s->cells))
    return wn_slab_wrap(s, a);
  const int side = a < 0 ? low : low + 1,
            mirrors = n->grid.side[side] == WN_SIDE_REFLECT || (n->mirrors >> side & 1u);
  return a < 0 ? mirrors : s->cells - mirrors;
}

static void planes_of(const struct wn_electrostatic *f, int r, int64_t own[2])
{
  wn_slab_planes(&f->spec.poisson, r, f->slab.ranks, own);
}

/* Charge in a guard plane. */
static int sends_charge(const struct wn_electrostatic *f, int r, int to, int64_t a)
{
  int64_t own[2], k;
  planes_of(f, r, own);
  if (a < -WN_GRID_GUARD || a > f->slab.cells + WN_GRID_GUARD ||
      !wn_slab_is_near(&f->slab, own,
                       f->spec.gpu != NULL ? WN_SLAB_GUARD_CHARGE_GPU : WN_SLAB_GUARD, a,
                       &k))
    return 0;
  const int64_t home = home_of(&f->slab, a);
  return wn_slab_owner_of(&f->slab, home) == to && !(home == a && r == to);
}

/* phi for plane k of rank `to`, a guard. */
static int sends_phi(const struct wn_electrostatic *f, int r, int to, int64_t k)
{
  const struct wn_slab *s = &f->slab;
  int64_t own[2];
  planes_of(f, to, own);
  if (k < own[0] - WN_SLAB_GUARD_PHI || k >= own[1] + WN_SLAB_GUARD_PHI ||
      (k >= own[0] && k < own[1]) || (!s->wraps && (k < 0 || k > s->cells)))
    return 0;
  return wn_slab_owner_of(s, wn_slab_wrap(s, k)) == r;
}

/* The number of planes from rank `from` to rank `to`.  out (or NULL): their numbers; on the other end
 * of the exchange they are called `name` of that (NULL: the same). */
static size_t list(const struct wn_electrostatic *f, sends *sent, int from, int to,
                   int64_t (*name)(const struct wn_slab *, int64_t), int64_t *out)
{
  size_t n = 0;
  for (int64_t a = -WN_SLAB_GUARD_PHI; a <= f->slab.cells + WN_SLAB_GUARD_PHI; a++)
    if (sent(f, from, to, a)) {
      if (out != NULL)
        out[n] = name != NULL ? name(&f->slab, a) : a;
      n++;
    }
  return n;
}

static int plan(const struct wn_electrostatic *f, sends *sent, size_t words,
                int64_t (*name_sent)(const struct wn_slab *, int64_t),
                int64_t (*name_received)(const struct wn_slab *, int64_t),
                struct wn_halo *out)
{
  const int rank = f->slab.rank;
  const size_t ranks = (size_t)f->slab.ranks;
  out->words_send = wn_alloc(ranks, sizeof *out->words_send);
  out->words_receive = wn_alloc(ranks, sizeof *out->words_receive);
  if (out->words_send == NULL || out->words_receive == NULL)
    return WN_ENOMEM;
  for (size_t r = 0; r < ranks; r++) {
    const size_t n = list(f, sent, rank, (int)r, NULL, NULL),
                 m = list(f, sent, (int)r, rank, NULL, NULL);
    out->words_send[r] = n * words;
    out->words_receive[r] = m * words;
    out->n_send += n;
    out->n_receive += m;
  }
  out->send = wn_alloc(out->n_send + 1, sizeof *out->send);
  out->receive = wn_alloc(out->n_receive + 1, sizeof *out->receive);
  if (out->send == NULL || out->receive == NULL)
    return WN_ENOMEM;
  int64_t *to = out->send, *from = out->receive;
  for (size_t r = 0; r < ranks; r++) {
    to += list(f, sent, rank, (int)r, name_sent, to);
    from += list(f, sent, (int)r, rank, name_received, from);
  }
  return WN_OK;
}

int wn_halo_create(struct wn_electrostatic *f)
{
  const size_t padded = (size_t)f->slab.padded, plane = (size_t)f->slab.plane;
  WN_TRY(plan(f, sends_charge, padded, NULL, home_of, &f->sums));
  WN_TRY(plan(f, sends_phi, plane, wn_slab_wrap, NULL, &f->copies));
  const size_t charge = (f->sums.n_send + f->sums.n_receive) * padded,
               phi = (f->copies.n_send + f->copies.n_receive) * plane;
  if (f->spec.gpu == NULL)
    f->buffer = wn_alloc((charge > phi ? charge : phi) + 1, sizeof *f->buffer);
  return f->spec.gpu == NULL && f->buffer == NULL ? WN_ENOMEM : WN_OK;
}

static void free_halo(struct wn_halo *h)
{
  free(h->send);
  free(h->receive);
  free(h->words_send);
  free(h->words_receive);
}

void wn_halo_free(struct wn_electrostatic *f)
{
  free_halo(&f->sums);
  free_halo(&f->copies);
  free(f->buffer);
}

void wn_halo_add(struct wn_electrostatic *f, int64_t *quanta)
{
  const struct wn_halo *h = &f->sums;
  const size_t padded = (size_t)f->slab.padded, bytes = padded * sizeof *quanta;
  _Static_assert(sizeof(double) == sizeof(int64_t), "one buffer for either");
  int64_t *to = (int64_t *)(void *)f->buffer, *from = to + h->n_send * padded;
  for (size_t i = 0; i < h->n_send; i++) {
    int64_t *plane = quanta + wn_slab_at_plane(&f->slab, h->send[i]);
    memcpy(to + i * padded, plane, bytes);
    memset(plane, 0, bytes);
  }
  wn_ranks_exchange(to, h->words_send, from, h->words_receive);
  for (size_t i = 0; i < h->n_receive; i++) {
    int64_t *home = quanta + wn_slab_at_plane(&f->slab, h->receive[i]);
    for (size_t n = 0; n < padded; n++)
      home[n] += from[i * padded + n];
  }
}

void wn_halo_copy(struct wn_electrostatic *f)
{
  const struct wn_halo *h = &f->copies;
  const size_t plane = (size_t)f->slab.plane, bytes = plane * sizeof(double);
  double *from = f->buffer + h->n_send * plane;
  for (size_t i = 0; i < h->n_send; i++)
    memcpy(f->buffer + i * plane, wn_slab_phi(f, h->send[i]), bytes);
  wn_ranks_exchange(f->buffer, h->words_send, from, h->words_receive);
  for (size_t i = 0; i < h->n_receive; i++)
    memcpy(wn_slab_phi(f, h->receive[i]), from + i * plane, bytes);
}
