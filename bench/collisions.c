/* bench/collisions.c - what a real collision of one scenario costs, beside one of another.
 *
 *   bench/collisions SCENARIO PEER
 *
 * Both are done on one thread by `openmp`: every case of SCENARIO, a job that follows
 * released electrons for a given time, from its release to its end; and between its steps,
 * so that both see the same machine, which other programs share, the relaxed swarm of
 * PEER's first field in steps of PHASE candidates.  Of REPEATS that one is shown in which
 * both took least.  Only steps are timed, in processor time, births and the store with
 * them, samples not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "base/error.h"
#include "src/config/config.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"

#define REPEATS 5
#define RELAX   400   /* steps */
#define PHASE   100.0 /* candidates an electron and step */

struct subject {
  struct wn_config *c;
  struct wn_gas *gas;
  struct wn_sim *s;
};

struct cost {
  double s, candidates, real;
};

/* A case, and the peer meanwhile. */
struct pair {
  struct cost own, peer;
};

static double ns_a_real(const struct cost *k)
{
  return k->s / k->real * 1e9;
}

static void show(const char *name, const struct cost *k)
{
  printf("%-12s %6.2f candidates  %6.1f ns a candidate  %6.1f ns a real collision", name,
         k->candidates / k->real, k->s / k->candidates * 1e9, ns_a_real(k));
}

static void show_pair(const char *name, const struct pair *p)
{
  show(name, &p->own);
  printf("  %5.2f times the peer's %.1f\n", ns_a_real(&p->own) / ns_a_real(&p->peer),
         ns_a_real(&p->peer));
}

static int open_subject(const char *path, struct subject *b)
{
  const char *sets[] = {"scheduler=\"openmp\"", "threads=1", "device=\"cpu\""};
  struct wn_device_plan plan;
  WN_TRY(wn_config_read(path, 3, sets, &b->c));
  WN_TRY(wn_gas_create(b->c, &b->gas));
  WN_TRY(wn_device_choose(b->c, &plan));
  return wn_sim_create(b->c, b->gas, &wn_job_of(b->c)->needs, &plan, &b->s);
}

static void close_subject(struct subject *b)
{
  wn_sim_free(b->s);
  wn_gas_free(b->gas);
  wn_config_free(b->c);
}

static double processor_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A step, which adds to k. */
static int step(struct subject *b, double dt, struct cost *k)
{
  const struct wn_species *e = b->s->species[0];
  const uint64_t candidates = e->candidates, real = e->real;
  const double t = processor_time();
  const int status = wn_step(b->s, dt);
  k->s += processor_time() - t;
  k->candidates += (double)(e->candidates - candidates);
  k->real += (double)(e->real - real);
  return status;
}

/* The swarm goes on from where it is, as many as they were. */
static int swarm(struct subject *b, struct cost *k)
{
  WN_TRY(step(b, PHASE / b->gas->table->view.nu_max, k));
  return wn_species_control(b->s->species[0]);
}

static int relax(struct subject *b)
{
  struct cost none = {0.0, 0.0, 0.0};
  int status = wn_sim_begin(b->s, 0);
  b->s->species[0]->population.target = b->c->electrons;
  b->s->species[0]->population.may_split = 1;
  for (int k = 0; k < RELAX && status == WN_OK; k++)
    status = swarm(b, &none);
  return status;
}

/* A case from its release to its end. */
static int follow(struct subject *b, size_t i_case, struct subject *peer,
                  struct pair *best)
{
  const double want = WN_RUNAWAY_CANDIDATES / b->gas->table->view.nu_max,
               steps = fmax(1.0, ceil(b->c->duration / want - 1e-9));
  struct pair now = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  WN_TRY(wn_sim_begin(b->s, i_case));
  for (double k = 0.0; k < steps; k += 1.0) {
    WN_TRY(step(b, b->c->duration / steps, &now.own));
    while (now.peer.s < now.own.s)
      WN_TRY(swarm(peer, &now.peer));
  }
  if (!(best->own.s > 0.0) || ns_a_real(&now.own) + ns_a_real(&now.peer) <
                                  ns_a_real(&best->own) + ns_a_real(&best->peer))
    *best = now;
  return WN_OK;
}

static void add(struct cost *to, const struct cost *k)
{
  to->s += k->s;
  to->candidates += k->candidates;
  to->real += k->real;
}

static int compare(struct subject *one, struct subject *peer)
{
  struct pair *best = calloc(one->c->n_cases, sizeof *best),
              all = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  int status = best != NULL ? relax(peer) : WN_ENOMEM;
  for (int r = 0; r < REPEATS; r++)
    for (size_t i = 0; i < one->c->n_cases && status == WN_OK; i++)
      status = follow(one, i, peer, &best[i]);
  if (status == WN_OK) {
    printf("%s, beside %s: one thread, best of %d\n", one->c->title, peer->c->title,
           REPEATS);
    for (size_t i = 0; i < one->c->n_cases; i++) {
      show_pair(wn_config_case_text(one->c, i), &best[i]);
      add(&all.own, &best[i].own);
      add(&all.peer, &best[i].peer);
    }
    show_pair("all cases", &all);
    show("the peer", &all.peer);
    printf("\n");
  }
  free(best);
  return status;
}

int main(int argc, char **argv)
{
  struct subject one = {NULL, NULL, NULL}, peer = {NULL, NULL, NULL};
  if (argc != 3) {
    fprintf(stderr, "usage: bench/collisions SCENARIO PEER\n");
    return 2;
  }
  int status = open_subject(argv[1], &one);
  if (status == WN_OK)
    status = open_subject(argv[2], &peer);
  if (status == WN_OK && !(one.c->duration > 0.0)) {
    fprintf(stderr, "bench/collisions: %s has no duration\n", argv[1]);
    status = WN_EINPUT;
  }
  if (status == WN_OK)
    status = compare(&one, &peer);
  close_subject(&one);
  close_subject(&peer);
  return status == WN_OK ? 0 : status == WN_EINPUT ? 2 : 1;
}
