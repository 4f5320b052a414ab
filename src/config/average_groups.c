/* src/config/average_groups.c - rules for the windows of plasma.averages */
#include "src/config/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "src/config/averages.h"

static struct wn_given of(const struct wn_reader *r, const struct wn_cfg_average *a,
                          const char *last)
{
  return wn_reader_given(r, "plasma.averages", a->name, last);
}

/* Logs an error of a key of average `a`. */
#define WRONG(r, a, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ = of((r), (a), (last));                                     \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

/* Do the periods have a frequency? */
static bool has_period(struct wn_reader *r, const struct wn_cfg_average *a)
{
  const struct wn_config *c = r->c;
  const char *const *names = wn_config_walls.names;
  bool more;
  int side = 0;
  if (a->wall != NULL) {
    while (side < 2 * c->plasma.dim && strcmp(a->wall, names[side]) != 0)
      side++;
    if (side == 2 * c->plasma.dim) {
      WRONG(r, a, "wall", "the grid has no such side; allowed: x_low to %s",
            names[side - 1]);
      return false;
    }
    if (c->plasma.wall[side].frequency == 0) {
      WRONG(r, a, "wall", "this side's voltage has no frequency");
      return false;
    }
  }
  if (wn_average_frequency(c, a, &more) > 0)
    return true;
  WRONG(r, a, "periods",
        more ? "the walls have voltages of more than one frequency; name the side that "
               "defines the periods, as in wall = \"x_high\""
             : "no wall has a voltage with a frequency; give a length");
  return false;
}

/* Keys without effect in combination with others. */
static bool check_keys(struct wn_reader *r, const struct wn_cfg_average *a)
{
  const size_t n = r->n_errors;
  if (a->periods > 0 && a->length != WN_AUTO)
    WRONG(r, a, "length", "the window is %zu periods long; give either periods or length",
          a->periods);
  if (a->periods == 0 && a->length == WN_AUTO && a->start == WN_AUTO)
    WRONG(r, a, "length",
          "%sthe length of the window is not given; give periods, a length, or a start "
          "for a window to the end of the run",
          of(r, a, "length").entry == NULL ? "missing; " : "");
  if (a->periods == 0 && a->wall != NULL)
    WRONG(r, a, "wall", "has no effect without plasma.averages.%s.periods", a->name);
  if (a->periods == 0 && a->phases > 0)
    WRONG(r, a, "phases", "are parts of a period; give plasma.averages.%s.periods",
          a->name);
  if (a->phases == 1)
    WRONG(r, a, "phases", "one phase is the whole period; allowed: 0, or 2 and more");
  if (a->periods > 0 && a->blocks > 0 && a->periods % a->blocks != 0)
    WRONG(r, a, "blocks", "%zu blocks do not make whole periods of %zu", a->blocks,
          a->periods);
  return r->n_errors == n;
}

/* A rate of a species in names of results. */
static void name_of(const struct wn_config *c, const char *rate, size_t k, char name[256])
{
  char word[WN_RATE_WORD];
  wn_average_rate_word(rate, word);
  snprintf(name, 256, "%s_%s", word, c->species[k].name);
}

/* Names of two rates, maybe of two species. */
static void check_names(struct wn_reader *r, const struct wn_cfg_average *a, size_t i,
                        size_t j)
{
  const struct wn_config *c = r->c;
  char one[256], other[256];
  for (size_t k = 0; k < c->n_species * c->n_species; k++) {
    name_of(c, a->rates[i], k / c->n_species, one);
    name_of(c, a->rates[j], k % c->n_species, other);
    if (strcmp(one, other) == 0) {
      WRONG(r, a, "rates",
            "\"%s\" and \"%s\" would have the same name in the results, rate_%s",
            a->rates[j], a->rates[i], one);
      return;
    }
  }
}

/* Of collision rates; whether a process exists is known only with the cross sections. */
static void check_rates(struct wn_reader *r, const struct wn_cfg_average *a)
{
  bool collide = false;
  for (size_t k = 0; k < r->c->n_species; k++)
    collide = collide || r->c->species[k].collisions != WN_COLLISIONS_NONE;
  if (a->n_rates > 0 && !collide)
    WRONG(r, a, "rates",
          "no species collides with the gas; give one collisions = \"gas\"");
  if (a->n_rates > WN_AVERAGE_RATES) {
    WRONG(r, a, "rates", "%zu rates; there can be at most %d", a->n_rates,
          WN_AVERAGE_RATES);
    return;
  }
  for (size_t i = 0; i < a->n_rates; i++)
    for (size_t j = 0; j < i; j++)
      check_names(r, a, i, j);
}

/* In a trial the scenario's duration is shortened. */
static void warn_cut(struct wn_reader *r, const struct wn_cfg_average *a,
                     const struct wn_window *w)
{
  const struct wn_given k = of(r, a, "periods");
  const size_t n = wn_average_periods(r->c, a, w->period);
  wn_log_at(WN_LOG_WARN, k.entry->from_set ? k.entry->place : r->file,
            k.entry->from_set ? 0 : k.entry->line,
            "key `%s` = %zu: the run has %zu whole period%s; %s", k.key, a->periods, n,
            n == 1 ? "" : "s",
            n > 0 ? "the window is all of them" : "there is no average");
}

/* The window lies in the run, and each of its parts has samples. */
static void check_window(struct wn_reader *r, const struct wn_cfg_average *a)
{
  const struct wn_config *c = r->c;
  const struct wn_window w = wn_average_window(c, a);
  const double dt = c->plasma.time_step, end = dt * (double)c->plasma.steps,
               slack = 1 + 1e-9, sample = dt * (double)a->every;
  if (a->periods > 0 && wn_average_periods(c, a, w.period) < a->periods)
    warn_cut(r, a, &w);
  if (w.blocks == 0)
    return;
  const char *first = a->start != WN_AUTO ? "start"
                      : a->periods > 0    ? "periods"
                                          : "length";
  /* a run ends with a step: less than half a step is within rounding */
  if (w.start < -0.5 * dt || w.start + w.length > end + 0.5 * dt || !(w.length > 0)) {
    WRONG(r, a, first,
          "the window goes from %.9g s to %.9g s, and the run from 0 to %.9g s", w.start,
          w.start + w.length, end);
    return;
  }
  if (w.length / (double)w.blocks * slack < sample)
    WRONG(r, a, "blocks",
          "a block of %.9g s is shorter than the sampling interval, %.9g s; at most %.0f",
          w.length / (double)w.blocks, sample, floor(w.length / sample * slack));
  else if (w.phases > 0 && w.period / (double)w.phases * slack < sample)
    WRONG(r, a, "phases",
          "a phase of %.9g s is shorter than the sampling interval, %.9g s; at most %.0f",
          w.period / (double)w.phases, sample, floor(w.period / sample * slack));
}

void wn_config_check_averages(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (size_t i = 0; i < p->n_averages; i++) {
    struct wn_cfg_average *a = &p->averages[i];
    if (a->wall != NULL &&
        *a->wall == '\0') { /* the resolved scenario writes "" for none */
      free(a->wall);
      a->wall = NULL;
    }
    if (i == WN_MAX_AVERAGES) {
      wn_reader_error(r, NULL, "plasma.averages", "%zu windows; there can be at most %d",
                      p->n_averages, WN_MAX_AVERAGES);
      return;
    }
    check_rates(r, a);
    if (check_keys(r, a) && (a->periods == 0 || has_period(r, a)) && p->steps > 0)
      check_window(r, a);
  }
}
