/* t0204-lxcat-mutations.c - defends: no damage to a cross-section file makes the reader
 * crash, hang or return a set that breaks its promises.  Every file of t/data/lxcat-*.txt
 * is changed at random (fixed seed, same changes everywhere), read, prepared and
 * evaluated; the status must be success or invalid input, and a set that is returned must
 * be sound. Arguments, for longer hunts by hand: number of changed files (3000), seed
 * (1).  A file that fails stays as t0204-mutated.txt. */
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "crosssections/xs_beyond.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH "t0204-mutated.txt"
#define MAX  32768

static const char *const files[] = {
    "lxcat-basic.txt",     "lxcat-line-ends.txt", "lxcat-odd.txt",
    "lxcat-encodings.txt", "lxcat-channels.txt",  "lxcat-databases.txt",
    "lxcat-effective.txt", "lxcat-loki.txt",      "lxcat-twice.txt",
};
#define N_FILES (sizeof files / sizeof files[0])

/* Pieces that mean something to the reader. */
static const char *const pieces[] = {
    "ELASTIC\n",
    "EFFECTIVE\n",
    "\nIONIZATION\nXx -> Xx^+\n12\n",
    "ATTACHMENT\n",
    "\n-----\n",
    "------------\n1 1e-20\n",
    "->",
    " <-> ",
    "1e999",
    "-1",
    "1e-20",
    "0",
    "nan",
    "inf",
    "1e-400",
    "\r",
    "\r\n",
    "\n\n",
    "\xff",
    "\xe2\x80",
    "\t",
    "COMMENT: 3-body\n",
    "TIMES_N: CM3\n",
    "PARAM.: E = , m/M = , g1/g0 = 1\n",
    "PARAM.: E = 1e300 eV\n",
    "PROCESS: E + E + E, Excitation\n",
    "PROCESS: ,Elastic\n",
    "PROCESS: -> , Attachment\n",
    "DATABASE:\n",
    "xxxxxxxxxxxxxxxxxxxxxxxx\n",
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000",
};

static uint64_t state;

/* xorshift64*: any generator does, as long as it is the same everywhere. */
static size_t draw(size_t below)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return below == 0 ? 0 : (size_t)((state * 2685821657736338717ULL >> 33) % below);
}

static size_t load(const char *name, char *buf)
{
  char path[4096];
  const char *top = getenv("WN_SRCDIR");
  snprintf(path, sizeof path, "%s/t/data/%s", top != NULL ? top : ".", name);
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return 0;
  size_t n = fread(buf, 1, MAX / 2, f);
  fclose(f);
  return n;
}

/* Puts text at place, as far as there is room. */
static size_t insert(char *buf, size_t n, size_t place, const char *text, size_t length)
{
  if (n + length > MAX)
    return n;
  memmove(buf + place + length, buf + place, n - place);
  memcpy(buf + place, text, length);
  return n + length;
}

static size_t mutate(char *buf, size_t n)
{
  static char copy[MAX];
  size_t place = draw(n + 1), length = draw(1 + draw(200));
  if (length > n - place)
    length = n - place;
  switch (draw(8)) {
  case 0: /* one byte, any value */
    if (place < n)
      buf[place] = (char)draw(256);
    return n;
  case 1: /* one bit */
    if (place < n)
      buf[place] = (char)(buf[place] ^ (1 << draw(8)));
    return n;
  case 2: /* a stretch is lost */
    memmove(buf + place, buf + place + length, n - place - length);
    return n - length;
  case 3: /* a stretch appears elsewhere too */
    memcpy(copy, buf + place, length);
    return insert(buf, n, draw(n + 1), copy, length);
  case 4: /* the end is lost */
    return draw(4) == 0 ? place : n;
  case 5: { /* another file's stretch */
    static char other[MAX];
    size_t m = load(files[draw(N_FILES)], other), from = draw(m + 1);
    size_t some = draw(2000);
    return insert(buf, n, place, other + from, some < m - from ? some : m - from);
  }
  default: {
    const char *piece = pieces[draw(sizeof pieces / sizeof pieces[0])];
    return insert(buf, n, place, piece, strlen(piece));
  }
  }
}

static bool sound(const struct wn_xs_set *set)
{
  static const double energies[] = {0, 1e-3, 0.3, 5, 30, 1e3, 1e5, 1e9, INFINITY};
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (p->n < 2 || p->target == NULL || p->label == NULL || !isfinite(p->loss_ev) ||
        !isfinite(p->threshold_ev) || p->energy_ev[0] >= p->energy_ev[p->n - 1])
      return false;
    for (size_t r = 0; r < p->n; r++)
      if (!isfinite(p->energy_ev[r]) || !(p->sigma[r] >= 0 && p->sigma[r] < 1e-15) ||
          p->energy_ev[r] < (r > 0 ? p->energy_ev[r - 1] : 0) ||
          (p->energy_ev[r] < p->threshold_ev && p->sigma[r] != 0))
        return false;
    for (size_t k = 0; k < sizeof energies / sizeof energies[0]; k++)
      for (int b = 0; b < WN_XS_N_BEYOND; b++) {
        double s = wn_xs_sigma(set, p, energies[k], (enum wn_xs_beyond)b);
        /* RBEB has no value at infinity. */
        if (!(s >= 0 && isfinite(s)) && !(b == WN_XS_BEYOND_BORN && isinf(energies[k])))
          return false;
      }
    for (size_t k = 0; k < i; k++)
      if (strcmp(p->label, set->process[k].label) == 0)
        return false;
  }
  return set->n > 0;
}

/* Everything that can be done with a file; false when a promise is broken. */
static bool use_file(size_t *n_read, size_t *n_prepared)
{
  size_t n = 0;
  char **names = NULL;
  int status = wn_xs_list_targets(PATH, &n, &names);
  if (status != WN_OK)
    return status == WN_EINPUT;
  bool good = true;
  for (size_t i = 0; i <= n; i++) {
    struct wn_xs_set *set = NULL;
    char *target = i < n ? names[i] : NULL;
    char *database = target != NULL ? strstr(target, " (") : NULL;
    if (database != NULL && draw(2) == 0)
      *database = '\0';
    status = wn_xs_read_lxcat(PATH, target, NULL, &set);
    good = good && (status == WN_OK || status == WN_EINPUT) &&
           (set != NULL) == (status == WN_OK);
    if (set != NULL) {
      ++*n_read;
      good = good && sound(set);
      status =
          wn_xs_prepare(set, WN_XS_EFFECTIVE_SUBTRACT, draw(2) == 0 ? 0 : 5e24, 0, NULL);
      good = good && (status == WN_OK || status == WN_EINPUT) && sound(set);
      *n_prepared += status == WN_OK;
      wn_xs_free(set);
    }
  }
  for (size_t i = 0; i < n; i++)
    free(names[i]);
  free(names);
  return good;
}

int main(int argc, char **argv)
{
  static char buf[MAX];
  size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 3000;
  state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  if (state == 0)
    state = 1; /* 0 would stay 0 */
  size_t bad = 0, n_read = 0, n_prepared = 0, missing = 0;
  plan(4);
  for (size_t i = 0; i < N_FILES; i++)
    missing += load(files[i], buf) == 0;
  is_int((long long)missing, 0, "all files are there");
  wn_log_set_level(WN_LOG_ERROR);
  if (freopen("t0204-messages", "w", stderr) == NULL) /* thousands of true messages */
    return 1;
  for (size_t i = 0; i < count && bad == 0; i++) {
    size_t n = load(files[i % N_FILES], buf);
    for (size_t k = 1 + draw(6); k > 0; k--)
      n = mutate(buf, n);
    FILE *f = fopen(PATH, "wb");
    if (f == NULL || fwrite(buf, 1, n, f) != n || fclose(f) != 0)
      return 1;
    bad += !use_file(&n_read, &n_prepared);
    if (draw(100) == 0)
      rewind(stderr);
  }
  is_int((long long)bad, 0, "%zu changed files: each gave a sound set or was refused",
         count);
  /* Guards against a test that tests nothing: many changed files must still be read. */
  ok(n_read > count / 10, "%zu sets were read", n_read);
  ok(n_prepared > count / 100, "%zu sets were prepared", n_prepared);
  if (bad == 0) {
    remove(PATH);
    remove("t0204-messages");
  }
  return done();
}
