/* schedulers/mcc_splits.c - see mcc_splits.h.
 *
 * In double precision, up to eight at a time: of 128 lanes some ten split in a round, so
 * loops go to the next multiple of that, over copies of the first entry. */
#include "schedulers/mcc_splits.h"
#include "physics/ionize.h"
#include "physics/mcc_collide.h"

#define LANES   WN_MCC_LANES
#define ABREAST 8
/* of trials that rbeb makes of all; few have taken none then, and go on one by one */
#define BLOCKS 2

/* The entries up to n, which is a multiple of ABREAST. */
static void fill_up(struct wn_mcc_splits *x, int n)
{
  for (int i = x->n; i < n; i++) {
    x->process[i] = x->process[0];
    x->id[0][i] = x->id[0][0], x->id[1][i] = x->id[1][0];
    x->event[i] = x->event[0];
    x->word[0][i] = x->word[0][0], x->word[1][i] = x->word[1][0];
    for (int k = 0; k < 3; k++) {
      x->u[k][i] = x->u[k][0];
      x->v[k][i] = x->v[k][0];
    }
  }
}

static void look_up(const struct wn_mcc *m, struct wn_mcc_splits *x, int n)
{
  for (int i = 0; i < n; i++) {
    const struct wn_process_view *p = &m->xs.process[x->process[i]];
    x->loss_ev[i] = p->loss_ev;
    x->b_ev[i] = p->b_ev;
    x->mass_ev[i] = m->xs.gas[p->gas].mass_ev;
  }
}

static inline uint64_t id_of(const struct wn_mcc_splits *x, int i)
{
  return (uint64_t)x->id[1][i] << 32 | x->id[0][i];
}

WN_CLONES static void draw(const struct wn_mcc *m, struct wn_mcc_splits *restrict x,
                           int n)
{
  const uint64_t seed = m->key.seed;
  for (int i = 0; i < n; i++) {
    const struct wn_rng4 w = wn_rng(seed, (uint64_t)x->id[1][i] << 32 | x->id[0][i],
                                    x->event[i], WN_RNG_EVENT, WN_RNG_BLOCK_IONIZE);
    x->ionize[0][i] = w.w[0], x->ionize[1][i] = w.w[1], x->ionize[2][i] = w.w[2],
    x->ionize[3][i] = w.w[3];
  }
  for (int i = 0; i < n; i++) {
    const struct wn_rng4 w = wn_rng(seed, (uint64_t)x->id[1][i] << 32 | x->id[0][i],
                                    x->event[i], WN_RNG_BIRTH, 0);
    x->birth[0][i] = w.w[0], x->birth[1][i] = w.w[1], x->birth[2][i] = w.w[2],
    x->birth[3][i] = w.w[3];
  }
}

WN_CLONES static void weigh(struct wn_mcc_splits *restrict x, int n)
{
  for (int i = 0; i < n; i++) {
    const double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]},
                 t_ev = wn_kinetic_ev(u, wn_gamma(u)), loss_ev = x->loss_ev[i];
    x->t_ev[i] = t_ev;
    x->rest[i] = t_ev > loss_ev ? t_ev - loss_ev : 0.0; /* t_ev was rounded */
  }
}

/* A block of trials of wn_rbeb_from for those that have taken none yet. */
static inline __attribute__((always_inline)) void
try_rbeb(uint64_t seed, uint32_t block, struct wn_mcc_splits *restrict x, int n)
{
  uint32_t r[4][LANES];
  for (int i = 0; i < n; i++) {
    const struct wn_rng4 w = wn_rng(seed, (uint64_t)x->id[1][i] << 32 | x->id[0][i],
                                    x->event[i], WN_RNG_EVENT, block);
    r[0][i] = w.w[0], r[1][i] = w.w[1], r[2][i] = w.w[2], r[3][i] = w.w[3];
  }
  for (int i = 0; i < n; i++) {
    const struct wn_rbeb s = {x->t[i],   x->ratio[i], x->bound[i],
                              x->far[i], x->l[i],     x->phi[i]};
    const double before = x->w_ev[i], taken = x->taken[i], b_ev = x->b_ev[i];
    double one, other;
    const int first = wn_rbeb_try(&s, r[0][i], r[1][i], &one),
              second = wn_rbeb_try(&s, r[2][i], r[3][i], &other);
    const double w = first ? one : other;
    x->w_ev[i] = taken > 0.0 ? before : w * b_ev;
    x->taken[i] = first ? 1.0 : second ? 1.0 : taken;
  }
}

/* wn_ionize_rbeb of all: its first BLOCKS. */
WN_CLONES static void begin_rbeb(const struct wn_mcc *m, struct wn_mcc_splits *restrict x,
                                 int n)
{
  for (int i = 0; i < n; i++) {
    const double t_ev = x->t_ev[i], b_ev = x->b_ev[i], t = t_ev / b_ev;
    const struct wn_rbeb s = wn_rbeb(t, t_ev, b_ev);
    x->t[i] = t;
    x->ratio[i] = s.ratio;
    x->bound[i] = s.bound;
    x->far[i] = s.far;
    x->l[i] = s.l;
    x->phi[i] = s.phi;
    x->w_ev[i] = 0.0;
    x->taken[i] = t <= 1.0 ? 1.0 : 0.0;
  }
  for (uint32_t block = 0; block < BLOCKS; block++)
    try_rbeb(m->key.seed, WN_RNG_BLOCK_SHARE + block, x, n);
}

/* Energies of the newborns. */
static void share(const struct wn_mcc *m, struct wn_mcc_splits *x, int n)
{
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  const uint64_t seed = m->key.seed;
  if (kind.share_model == WN_SHARING_RBEB)
    begin_rbeb(m, x, n);
  for (int i = 0; i < x->n; i++) {
    const struct wn_process_view *p = &m->xs.process[x->process[i]];
    if (kind.share_model != WN_SHARING_RBEB)
      x->w_ev[i] = wn_mcc_share(m, kind, m->xs.gas[p->gas].opal_ev, p, x->t_ev[i],
                                x->rest[i], x->ionize[2][i], id_of(x, i), x->event[i]);
    if (kind.share_model != WN_SHARING_RBEB || x->taken[i] > 0.0)
      continue;
    const struct wn_rbeb s = {x->t[i],   x->ratio[i], x->bound[i],
                              x->far[i], x->l[i],     x->phi[i]};
    x->w_ev[i] =
        wn_rbeb_from(&s, seed, id_of(x, i), x->event[i], WN_RNG_BLOCK_SHARE + BLOCKS) *
        x->b_ev[i];
  }
  for (int i = x->n; i < n; i++)
    x->w_ev[i] = x->w_ev[0];
}

static inline __attribute__((always_inline)) void
ionize(int angle_model, struct wn_mcc_splits *restrict x, int n)
{
  for (int i = 0; i < n; i++) {
    const struct wn_rng4 w = {{0, 0, x->word[0][i], x->word[1][i]}},
                         r = {{x->ionize[0][i], x->ionize[1][i], 0, 0}};
    const double rest = x->rest[i], given = x->w_ev[i],
                 w_ev = given > rest ? rest : given;
    double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]}, v[3];
    wn_mcc_ionize(angle_model, x->mass_ev[i], x->t_ev[i], rest, w_ev, &w, &r, u, v);
    const double gamma = wn_gamma(v);
    x->drift[i] = angle_model == WN_ANGLE_ISOTROPIC ? u[2] + v[2] : 0.0;
    for (int k = 0; k < 3; k++) {
      x->u[k][i] = u[k];
      x->born[k][i] = v[k] + gamma * (double)x->v[k][i];
    }
  }
}

WN_CLONES static void ionize_isotropic(struct wn_mcc_splits *restrict x, int n)
{
  ionize(WN_ANGLE_ISOTROPIC, x, n);
}

WN_CLONES static void ionize_forward(struct wn_mcc_splits *restrict x, int n)
{
  ionize(WN_ANGLE_OKHRIMOVSKYY, x, n);
}

void wn_mcc_split_many(const struct wn_mcc *m, struct wn_mcc_splits *x)
{
  const int n = (x->n + ABREAST - 1) / ABREAST * ABREAST;
  fill_up(x, n);
  look_up(m, x, n);
  draw(m, x, n);
  weigh(x, n);
  share(m, x, n);
  if (m->xs.angle_model == WN_ANGLE_ISOTROPIC)
    ionize_isotropic(x, n);
  else
    ionize_forward(x, n);
}
