/* t0300-particles.c - defends: the store of electrons keeps every electron as it was
 * appended, grows up to its limit and no further, says so with status and message and
 * loses nothing then, and compaction takes the dead and only them, in order. No outside
 * numbers: every electron carries its own index. */
#include "particles/particles.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#define LIMIT 5000

static struct wn_electron make(size_t i)
{
  struct wn_electron e = {.id = 1000 + i,
                          .event = (uint32_t)i,
                          .tag = (uint32_t)(7 * i),
                          .w = 1.0f + (float)i};
  for (int k = 0; k < 3; k++) {
    e.x[k] = (double)i + 0.1 * k;
    e.u[k] = (float)i - (float)k;
  }
  return e;
}

static const struct wn_record electron = {sizeof(struct wn_electron),
                                          offsetof(struct wn_electron, t_left), 0};

/* Electrons [from, p->n) that are not the ones made with their index. */
static size_t n_wrong(const struct wn_particles *p, size_t from)
{
  size_t wrong = 0;
  for (size_t i = from; i < p->n; i++) {
    struct wn_electron e = make(i);
    wrong += memcmp(&e, &wn_particles_electrons(p)[i], sizeof e) != 0;
  }
  return wrong;
}

/* The status of reserving n more, and what is said. */
static int reserve_with_log(struct wn_particles *p, size_t n, const char **text)
{
  capture();
  int status = wn_particles_reserve(p, n);
  *text = captured();
  return status;
}

static void grow(struct wn_particles *p)
{
  int bad = 0;
  is_int(wn_particles_init(p, &electron, 3, LIMIT), WN_OK,
         "a store of 3 with a limit of %d", LIMIT);
  is_int((long long)p->n, 0, "it begins empty");
  ok(p->capacity >= 3 && p->limit == LIMIT, "capacity %zu, limit %zu", p->capacity,
     p->limit);
  for (size_t i = 0; i < 4000; i++) {
    struct wn_electron e = make(i);
    bad += wn_particles_append(p, &e, 1) != WN_OK || p->n != i + 1 ||
           p->capacity < p->n || p->capacity > LIMIT;
  }
  is_int(bad, 0,
         "4000 appends, one at a time, with the capacity always between the number and "
         "the limit");
  is_int((long long)n_wrong(p, 0), 0,
         "every electron is what was appended, through all moves");
  is_int((long long)((uintptr_t)p->e % 64), 0, "the array is aligned to 64 bytes");
  is_int((long long)sizeof(struct wn_electron), 64, "an electron takes 64 bytes");
  ok(wn_particles_append(p, p->e, 0) == WN_OK && p->n == 4000,
     "appending nothing changes nothing");
}

static void fill_up(struct wn_particles *p)
{
  static struct wn_electron rest[LIMIT];
  const char *text;
  for (size_t i = 0; i < 1000; i++)
    rest[i] = make(4000 + i);
  is_int(reserve_with_log(p, 1001, &text), WN_EFULL,
         "one more than the limit is refused with WN_EFULL");
  ok(strstr(text, "full") && strstr(text, "population.capacity is 5000") &&
         strstr(text, "4000 particles"),
     "and the message names the key, its value and the number: %s", text);
  ok(p->n == 4000 && n_wrong(p, 0) == 0, "nothing is lost by that");
  is_int(wn_particles_append(p, rest, 1000), WN_OK,
         "the store takes as many as its limit");
  ok(p->n == LIMIT && p->capacity == LIMIT && n_wrong(p, 0) == 0,
     "and holds them: %zu of %zu", p->n, p->capacity);
  is_int(reserve_with_log(p, 1, &text), WN_EFULL, "then it is full");
  ok(strstr(text, "full") != NULL, "and says so");
  is_int(reserve_with_log(p, SIZE_MAX, &text), WN_EFULL,
         "a number that would wrap around is refused");
  is_int(reserve_with_log(p, 0, &text), WN_OK, "no room is always there");
}

static void compact(struct wn_particles *p)
{
  static uint64_t left[LIMIT];
  size_t n = 0, wrong = 0, dead = 0, n_before;
  is_int(wn_particles_compact(p), WN_OK, "compaction of the living");
  ok(p->n == LIMIT && n_wrong(p, 0) == 0, "and moves none");
  for (size_t i = 0; i < p->n; i++) {
    /* runs of dead, single dead, the first and the last; t_left 0 and fractions are alive
     */
    int dies = i == 0 || i == LIMIT - 1 || i % 7 == 3 || (i > 1000 && i < 1100);
    wn_particles_electrons(p)[i].t_left = dies ? WN_DEAD : i % 2 ? 0.0f : 0.25f;
    if (!dies)
      left[n++] = wn_particles_electrons(p)[i].id;
    dead += (size_t)dies;
  }
  n_before = p->n;
  is_int(wn_particles_compact(p), WN_OK, "compaction");
  is_int((long long)(n_before - p->n), (long long)dead, "takes the dead away");
  is_int((long long)p->n, (long long)n, "the rest is there");
  for (size_t i = 0; i < p->n && i < n; i++) {
    struct wn_electron e = make(left[i] - 1000);
    e.t_left = (left[i] - 1000) % 2 ? 0.0f : 0.25f;
    wrong += memcmp(&e, &wn_particles_electrons(p)[i], sizeof e) != 0;
  }
  is_int((long long)wrong, 0, "in order, every byte kept");
  for (size_t i = 0; i < p->n; i++)
    wn_particles_electrons(p)[i].t_left = WN_DEAD;
  ok(wn_particles_compact(p) == WN_OK && p->n == 0, "all dead: an empty store");
  ok(wn_particles_compact(p) == WN_OK && p->n == 0, "an empty store stays empty");
}

/* Records without t_left: the sign of the first word, an int whose 0x80000000 would be
 * -0 as a float and alive. */
static void compact_points(void)
{
  const struct wn_record record = wn_particles_points(WN_POINT_2D2V);
  const int32_t x[] = {0, WN_POINT_DEAD, 1 << 30, -1, 7, WN_POINT_DEAD};
  const size_t n = sizeof x / sizeof x[0];
  struct wn_particles p;
  is_int((long long)record.bytes, 16, "a point of 2d2v takes 16 bytes");
  is_int(wn_particles_init(&p, &record, n, n), WN_OK, "a store of points");
  for (size_t i = 0; i < n; i++) {
    const union wn_word r[4] = {
        {.i = x[i]}, {.i = (int32_t)i}, {.f = 1.5f}, {.f = -1.0f}};
    is_int(wn_particles_append(&p, r, 1), WN_OK, "point %zu", i);
  }
  ok(wn_particles_compact(&p) == WN_OK && p.n == 3, "those with a sign are taken away");
  for (size_t i = 0; i < p.n; i++)
    is_int(((const union wn_word *)wn_particles_at(&p, i))[1].i, (long long)(2 * i),
           "of those that stay, number %zu", i);
  wn_particles_clear(&p);
}

int main(void)
{
  struct wn_particles p;
  plan(0);
  grow(&p);
  fill_up(&p);
  compact(&p);
  wn_particles_clear(&p);
  ok(p.e == NULL && p.n == 0 && p.capacity == 0, "cleared");
  is_int(wn_particles_init(&p, &electron, 0, 10), WN_OK,
         "a store may begin with no capacity");
  struct wn_electron e = make(0);
  is_int(wn_particles_append(&p, &e, 1), WN_OK, "and takes an electron");
  wn_particles_clear(&p);
  compact_points();
  return done();
}
