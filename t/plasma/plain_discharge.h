/* plain_discharge.h - a second program for discharges between two plates: the plain
 * particle-in-cell scheme of textbooks (Birdsall and Langdon), which shares no code with the
 * program under test, not even the random numbers.
 *
 *   leapfrog      v(t - dt/2) -> v(t + dt/2) by E(t) at x(t), then x(t + dt)
 *   grid          linear weighting; E at the nodes by central differences
 *   Poisson       Thomas' algorithm; the plate at x = 0 has 0 V, the other volts sin(2 pi f t)
 *   walls         absorb
 *   collisions    after the push, at most one a particle and step, by null collisions with an
 *                 atom of a Maxwellian gas: the chance of a candidate is 1 - exp(-nu_max dt).
 *                 All are isotropic in the frame of the centre of mass, but for backscattering
 *                 ions, which leave with the velocity of their atom (equal masses);
 *                 ionization divides the energy equally
 *   tables        linear between rows, constant beyond the last; electrons and ions look up
 *                 the energy of the relative motion
 *
 * `wrong` holds readings of a benchmark that differ from these, one at a time. */
#ifndef WN_T_PLASMA_PLAIN_DISCHARGE_H
#define WN_T_PLASMA_PLAIN_DISCHARGE_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PLAIN_ELASTIC,
  PLAIN_EXCITATION_1,
  PLAIN_EXCITATION_2,
  PLAIN_IONIZATION,
  PLAIN_ISOTROPIC,
  PLAIN_BACKSCATTER,
  PLAIN_PROCESSES
};

struct plain_table {
  int n;
  double loss_ev;
  double *energy_ev, *m2;
};

struct plain_wrong {
  int lab_energy;     /* ions: the energy of the ion, the atom at rest, in the tables */
  int cold_gas;       /* of electrons */
  int random_sharing; /* the energy after ionization at random, uniform */
  int energy_gather;  /* E of the cell in the place of E of the nodes */
  int plain_wall_e;   /* E at a plate: that of its cell, without the charge of its node */
  int forward_ionizer; /* the ionizing electron keeps its direction */
  int resting_born;    /* the new electron is at rest and the other has all the energy */
  int accurate;  /* all candidates of a particle in a step, not only the first, and in the
                   middle of its way, not at the end: second order in the step */
  int ion_every; /* ions are pushed once in so many steps; 0: 1 */
  double ion_factor, electron_factor, ionization_factor; /* of cross sections; 0: 1 */
};

struct plain_spec {
  double gas_m3, gas_k, length_m, volts, hertz, plasma_m3, electron_k, ion_k, ion_kg;
  int cells, per_cell, steps; /* a period */
  double bound_ev; /* the bound on the collision frequency holds up to this energy */
  uint64_t seed;
  struct plain_table table[PLAIN_PROCESSES];
  struct plain_wrong wrong;
};

struct plain_particle {
  double x, v[3]; /* cells; m/s */
};

struct plain_species {
  struct plain_particle *p;
  int n, room;
  double charge, mass, nu_max, candidates; /* nu_max: 1/s */
  double *density;                         /* particles of the nodes */
};

/* Sums over steps; densities are in particles of a node. */
struct plain_sums {
  long steps, samples;
  double *electrons, *ions;            /* [cells + 1] */
  double *count, *energy_ev, *path[2]; /* of sampled electrons in the cells around a node;
                                          path: sums of v_x and of v_x^2 */
  double *ionized;                     /* [cells] */
  double n_electrons, n_ions, work_ev[2], wall_ev[2], lost_ev[PLAIN_PROCESSES];
  long events[PLAIN_PROCESSES], wall[2][2];
};

struct plain {
  struct plain_spec s;
  struct plain_species e, i;
  double h, dt, weight; /* m, s; particles of a macroparticle, per m2 */
  double *phi, *field, *upper;
  long step;
  uint64_t random[4];
  struct plain_sums sums;
};

static const double plain_q = 1.602176634e-19, plain_me = 9.1093837015e-31,
                    plain_k = 1.380649e-23, plain_eps = 8.8541878128e-12;

/* ---- random numbers: xoshiro256+ of Blackman and Vigna, seeded by splitmix64 */

static inline uint64_t plain_rotate(uint64_t x, int by)
{
  return x << by | x >> (64 - by);
}

static inline double plain_uniform(struct plain *d)
{
  uint64_t *s = d->random;
  const uint64_t sum = s[0] + s[3], t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = plain_rotate(s[3], 45);
  return ((double)(sum >> 11) + 0.5) * 0x1p-53;
}

static inline void plain_seed(struct plain *d, uint64_t seed)
{
  for (int k = 0; k < 4; k++) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    d->random[k] = z ^ z >> 31;
  }
}

static inline void plain_maxwellian(struct plain *d, double sigma, double v[3])
{
  for (int k = 0; k < 3; k++)
    v[k] = sigma * sqrt(-2.0 * log(plain_uniform(d))) *
           cos(6.283185307179586 * plain_uniform(d));
}

static inline void plain_direction(struct plain *d, double n[3])
{
  const double c = 2.0 * plain_uniform(d) - 1.0, s = sqrt(1.0 - c * c),
               a = 6.283185307179586 * plain_uniform(d);
  n[0] = c;
  n[1] = s * cos(a);
  n[2] = s * sin(a);
}

/* ---- cross sections */

static inline double plain_m2(const struct plain_table *t, double e)
{
  int low = 0, high = t->n - 1;
  if (t->n == 0 || e < t->energy_ev[0])
    return t->n == 0 || t->loss_ev > 0.0 ? 0.0 : t->m2[0];
  if (e >= t->energy_ev[high])
    return t->m2[high];
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (t->energy_ev[middle] <= e)
      low = middle;
    else
      high = middle;
  }
  const double part = (e - t->energy_ev[low]) / (t->energy_ev[high] - t->energy_ev[low]);
  return t->m2[low] + part * (t->m2[high] - t->m2[low]);
}

static inline double plain_factor(double f)
{
  return f > 0.0 ? f : 1.0;
}

/* Bound on the collision frequency up to 20 keV, with a margin for what lies between. */
static inline void plain_bound(struct plain *d, struct plain_species *s, int first,
                               int end, double reduced_kg)
{
  s->nu_max = 0.0;
  for (double e = 1e-5; e < d->s.bound_ev; e *= 1.001) {
    double sum = 0.0;
    for (int k = first; k < end; k++)
      sum += plain_m2(&d->s.table[k], e);
    sum *= d->s.gas_m3 * sqrt(2.0 * e * plain_q / reduced_kg);
    s->nu_max = fmax(s->nu_max, sum);
  }
  s->nu_max *= 1.001 * (first == 0 ? plain_factor(d->s.wrong.electron_factor)
                                   : plain_factor(d->s.wrong.ion_factor));
  s->nu_max *= first == 0 ? fmax(1.0, plain_factor(d->s.wrong.ionization_factor)) : 1.0;
}

/* ---- particles */

static inline struct plain_particle *plain_add(struct plain_species *s)
{
  if (s->n == s->room) {
    s->room = s->room > 0 ? 2 * s->room : 1024;
    s->p = realloc(s->p, (size_t)s->room * sizeof *s->p);
    if (s->p == NULL)
      abort();
  }
  return &s->p[s->n++];
}

static inline void plain_weigh(struct plain_species *s, double x, double w)
{
  const int node = (int)x;
  s->density[node] += w * (1.0 - (x - node));
  s->density[node + 1] += w * (x - node);
}

static inline void plain_deposit(struct plain_species *s, double x)
{
  plain_weigh(s, x, 1.0);
}

static inline double *plain_zeros(int n)
{
  double *a = calloc((size_t)n, sizeof *a);
  if (a == NULL)
    abort();
  return a;
}

static inline void plain_begin_sums(struct plain *d)
{
  struct plain_sums *m = &d->sums;
  double **a[] = {&m->electrons, &m->ions,    &m->count,  &m->energy_ev,
                  &m->path[0],   &m->path[1], &m->ionized};
  for (size_t k = 0; k < sizeof a / sizeof *a; k++)
    free(*a[k]);
  memset(m, 0, sizeof *m);
  for (size_t k = 0; k < sizeof a / sizeof *a; k++)
    *a[k] = plain_zeros(d->s.cells + 1);
}

static inline void plain_fill(struct plain *d, struct plain_species *s, double charge,
                              double mass, double kelvin)
{
  s->charge = charge;
  s->mass = mass;
  s->density = plain_zeros(d->s.cells + 1);
  for (int i = 0; i < d->s.cells * d->s.per_cell; i++) {
    struct plain_particle *p = plain_add(s);
    p->x = d->s.cells * plain_uniform(d);
    plain_maxwellian(d, sqrt(plain_k * kelvin / mass), p->v);
    plain_deposit(s, p->x);
  }
}

static inline struct plain *plain_create(const struct plain_spec *s)
{
  struct plain *d = calloc(1, sizeof *d);
  if (d == NULL)
    abort();
  d->s = *s;
  d->h = s->length_m / s->cells;
  d->dt = 1.0 / (s->hertz * s->steps);
  d->weight = s->plasma_m3 * d->h / s->per_cell;
  d->phi = plain_zeros(s->cells + 1);
  d->field = plain_zeros(s->cells + 1);
  d->upper = plain_zeros(s->cells + 1);
  plain_seed(d, s->seed);
  plain_fill(d, &d->e, -plain_q, plain_me, s->electron_k);
  plain_fill(d, &d->i, plain_q, s->ion_kg, s->ion_k);
  plain_bound(d, &d->e, PLAIN_ELASTIC, PLAIN_ISOTROPIC,
              plain_me * s->ion_kg / (plain_me + s->ion_kg));
  plain_bound(d, &d->i, PLAIN_ISOTROPIC, PLAIN_PROCESSES, 0.5 * s->ion_kg);
  plain_begin_sums(d);
  return d;
}

static inline void plain_free(struct plain *d)
{
  struct plain_sums *m = &d->sums;
  void *a[] = {d->phi,       d->field,     d->upper,     d->e.p,    d->i.p,
               d->e.density, d->i.density, m->count,     m->ions,   m->electrons,
               m->path[0],   m->path[1],   m->energy_ev, m->ionized};
  for (size_t k = 0; k < sizeof a / sizeof *a; k++)
    free(a[k]);
  free(d);
}

/* ---- field */

static inline double plain_rho(const struct plain *d, int node)
{
  const double volume = node == 0 || node == d->s.cells ? 0.5 * d->h : d->h;
  return plain_q * d->weight / volume * (d->i.density[node] - d->e.density[node]);
}

static inline void plain_solve(struct plain *d)
{
  const int n = d->s.cells;
  const double per_h = 1.0 / d->h, scale = d->h * d->h / plain_eps;
  double *phi = d->phi, *u = d->upper, *f = d->field;
  phi[0] = 0.0;
  phi[n] =
      d->s.volts * sin(6.283185307179586 * (double)(d->step % d->s.steps) / d->s.steps);
  u[0] = 0.0; /* phi[k] = u[k] phi[k + 1] + what phi[k] holds after the way up */
  for (int k = 1; k < n; k++) {
    u[k] = 1.0 / (2.0 - u[k - 1]);
    phi[k] = u[k] * (scale * plain_rho(d, k) + phi[k - 1]);
  }
  for (int k = n - 1; k > 0; k--)
    phi[k] += u[k] * phi[k + 1];
  if (d->s.wrong.energy_gather) {
    for (int k = 0; k < n; k++)
      f[k] = (phi[k] - phi[k + 1]) * per_h;
    return;
  }
  const double of_charge = d->s.wrong.plain_wall_e ? 0.0 : 0.5 * d->h / plain_eps;
  for (int k = 1; k < n; k++)
    f[k] = 0.5 * (phi[k - 1] - phi[k + 1]) * per_h;
  f[0] = (phi[0] - phi[1]) * per_h - of_charge * plain_rho(d, 0);
  f[n] = (phi[n - 1] - phi[n]) * per_h + of_charge * plain_rho(d, n);
}

/* ---- motion */

static inline void plain_push(struct plain *d, struct plain_species *s, double dt)
{
  const int n = d->s.cells, is_ion = s == &d->i, of_cell = d->s.wrong.energy_gather;
  const double kick = s->charge / s->mass * dt, cells = dt / d->h;
  double gained = 0.0, lost = 0.0;
  memset(s->density, 0, ((size_t)n + 1) * sizeof *s->density);
  for (int i = 0; i < s->n;) {
    struct plain_particle *p = &s->p[i];
    const int node = (int)p->x;
    const double f = p->x - node,
                 e = of_cell ? d->field[node]
                             : (1.0 - f) * d->field[node] + f * d->field[node + 1],
                 before = p->v[0];
    p->v[0] += kick * e;
    p->x += cells * p->v[0];
    gained += (p->v[0] - before) * (p->v[0] + before);
    if (p->x > 0.0 && p->x < n) {
      plain_deposit(s, p->x);
      i++;
      continue;
    }
    d->sums.wall[is_ion][p->x > 0.0]++;
    lost += p->v[0] * p->v[0] + p->v[1] * p->v[1] + p->v[2] * p->v[2];
    *p = s->p[--s->n];
  }
  d->sums.work_ev[is_ion] += 0.5 * s->mass / plain_q * gained;
  d->sums.wall_ev[is_ion] += 0.5 * s->mass / plain_q * lost;
}

/* ---- collisions */

static inline double plain_square(const double v[3])
{
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Of a particle that collided in the middle of its way: as if it had gone the second half with
 * its velocity v and not with `was`.  Beyond a plate it stays where it is, for this step. */
static inline void plain_bend(struct plain *d, struct plain_species *s, int i, double was,
                              double dt)
{
  struct plain_particle *p = &s->p[i];
  const double x = p->x + 0.5 * dt / d->h * (p->v[0] - was);
  if (!d->s.wrong.accurate || !(x > 0.0 && x < d->s.cells))
    return;
  plain_weigh(s, p->x, -1.0);
  p->x = x;
  plain_weigh(s, p->x, 1.0);
}

static inline void plain_ionize(struct plain *d, struct plain_particle *p,
                                const double atom[3], double left_ev)
{
  double part = d->s.wrong.random_sharing ? plain_uniform(d) : 0.5, n[2][3];
  part = d->s.wrong.resting_born ? 1.0 : part;
  const double x = p->x,
               speed[2] = {sqrt(2.0 * plain_q / plain_me * part * left_ev),
                           sqrt(2.0 * plain_q / plain_me * (1.0 - part) * left_ev)};
  const double was = sqrt(plain_square(p->v));
  for (int k = 0; k < 2; k++)
    plain_direction(d, n[k]);
  if (d->s.wrong.forward_ionizer)
    for (int k = 0; k < 3; k++)
      n[0][k] = p->v[k] / was;
  for (int k = 0; k < 3; k++)
    p->v[k] = atom[k] + speed[0] * n[0][k];
  struct plain_particle *electron = plain_add(&d->e), *ion = plain_add(&d->i);
  electron->x = ion->x = x;
  for (int k = 0; k < 3; k++) {
    electron->v[k] = atom[k] + speed[1] * n[1][k];
    ion->v[k] = atom[k];
  }
  plain_deposit(&d->e, x);
  plain_deposit(&d->i, x);
  d->sums.ionized[(int)x]++;
}

/* Particle i of s meets an atom in a step of dt; at most one process happens. */
static inline void plain_meet(struct plain *d, struct plain_species *s, int i, double dt)
{
  const int is_ion = s == &d->i, first = is_ion ? PLAIN_ISOTROPIC : PLAIN_ELASTIC,
            end = is_ion ? PLAIN_PROCESSES : PLAIN_ISOTROPIC;
  const double m = s->mass, big = d->s.ion_kg, reduced = m * big / (m + big);
  struct plain_particle *p = &s->p[i];
  double atom[3], g[3], n[3];
  plain_maxwellian(d, sqrt(plain_k * d->s.gas_k / big), atom);
  if (!is_ion && d->s.wrong.cold_gas)
    memset(atom, 0, sizeof atom);
  for (int k = 0; k < 3; k++)
    g[k] = p->v[k] - atom[k];
  const double speed = sqrt(plain_square(g)), e = 0.5 * reduced * speed * speed / plain_q,
               look_up = is_ion && d->s.wrong.lab_energy ? 2.0 * e : e,
               per_m2 = d->s.gas_m3 * speed / s->nu_max *
                        plain_factor(is_ion ? d->s.wrong.ion_factor
                                            : d->s.wrong.electron_factor);
  double word = plain_uniform(d), sum = 0.0;
  int process = -1;
  for (int k = first; k < end; k++) {
    sum += per_m2 * plain_m2(&d->s.table[k], look_up) *
           (k == PLAIN_IONIZATION ? plain_factor(d->s.wrong.ionization_factor) : 1.0);
    if (process < 0 && word < sum)
      process = k;
  }
  if (sum > 1.0) {
    fprintf(stderr, "plain_discharge: collision frequency above its bound at %g eV\n", e);
    abort();
  }
  if (process < 0)
    return;
  const double before = plain_square(p->v), was = p->v[0],
               left = e - d->s.table[process].loss_ev;
  if (left < 0.0)
    return;
  d->sums.events[process]++;
  if (process == PLAIN_IONIZATION) {
    plain_ionize(d, p, atom, left);
    plain_bend(d, s, d->e.n - 1, was, dt); /* the place of p may have changed */
    plain_bend(d, s, i, was, dt);
    return;
  }
  if (process == PLAIN_BACKSCATTER) {
    memcpy(p->v, atom, sizeof atom);
  } else {
    const double after = sqrt(2.0 * left * plain_q / reduced);
    plain_direction(d, n);
    for (int k = 0; k < 3; k++)
      p->v[k] = (m * p->v[k] + big * (atom[k] + after * n[k])) / (m + big);
  }
  d->sums.lost_ev[process] += 0.5 * m / plain_q * (before - plain_square(p->v));
  plain_bend(d, s, i, was, dt);
}

/* Candidates are a Poisson process along the list of particles, of which nu_max dt go to a
 * particle.  Plain: the first of them in a particle is the only one, which makes the chance
 * 1 - exp(-nu_max dt). */
static inline void plain_collide(struct plain *d, struct plain_species *s, double dt)
{
  const int n = s->n;
  if (!(s->nu_max > 0.0))
    return;
  for (double at = 0.0;;) {
    at -= log(plain_uniform(d)) / (s->nu_max * dt);
    if (!(at < n))
      return;
    plain_meet(d, s, (int)at, dt);
    at = d->s.wrong.accurate ? at : floor(at) + 1.0;
  }
}

/* ---- steps and sums */

static inline void plain_sample(struct plain *d, int every)
{
  struct plain_sums *m = &d->sums;
  m->steps++;
  m->n_electrons += d->e.n;
  m->n_ions += d->i.n;
  for (int k = 0; k <= d->s.cells; k++) {
    m->electrons[k] += d->e.density[k];
    m->ions[k] += d->i.density[k];
  }
  if (m->steps % every != 0)
    return;
  m->samples++;
  for (int i = 0; i < d->e.n; i++) {
    const struct plain_particle *p = &d->e.p[i];
    const int node = (int)(p->x + 0.5);
    m->count[node] += 1.0;
    m->energy_ev[node] += 0.5 * plain_me / plain_q * plain_square(p->v);
    m->path[0][node] += p->v[0];
    m->path[1][node] += p->v[0] * p->v[0];
  }
}

static inline void plain_step(struct plain *d, int every)
{
  const int slow = d->s.wrong.ion_every > 1 ? d->s.wrong.ion_every : 1;
  plain_solve(d);
  plain_push(d, &d->e, d->dt);
  if (d->step % slow == 0)
    plain_push(d, &d->i, slow * d->dt);
  plain_collide(d, &d->e, d->dt);
  if (d->step % slow == 0)
    plain_collide(d, &d->i, slow * d->dt);
  d->step++;
  plain_sample(d, every);
}

/* Mean density at a node, m-3. */
static inline double plain_density(const struct plain *d, const double *sum, int node)
{
  const double volume = node == 0 || node == d->s.cells ? 0.5 * d->h : d->h;
  return sum[node] * d->weight / volume / (double)d->sums.steps;
}

#endif
