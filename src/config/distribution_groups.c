/* src/config/distribution_groups.c - rules for plasma.distributions */
#include "src/config/reader.h"

#include <stdlib.h>
#include <string.h>

#include "src/config/averages.h"
#include "src/config/distributions.h"

/* Logs an error of a key of distribution `d`. */
#define WRONG(r, d, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ =                                                           \
        wn_reader_given((r), "plasma.distributions", (d)->name, (last));                 \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

/* The resolved scenario writes "" for none. */
static void no_empty(char **text)
{
  if (*text != NULL && **text == '\0') {
    free(*text);
    *text = NULL;
  }
}

static void check_wall(struct wn_reader *r, const struct wn_cfg_distribution *d)
{
  const struct wn_config *c = r->c;
  const int side = wn_distribution_side(c, d);
  if (side < 0) {
    WRONG(r, d, "wall", "the grid has no such side; allowed: x_low to %s",
          wn_config_walls.names[2 * c->plasma.dim - 1]);
    return;
  }
  if (c->plasma.wall[side].particles != WN_SIDE_ABSORB &&
      c->plasma.wall[side].particles != WN_SIDE_OPEN)
    WRONG(r, d, "wall",
          "this side takes no particles; allowed: one that absorbs them or is open");
  for (int a = 0; a < c->plasma.dim; a++)
    if (d->low[a] != WN_AUTO || d->high[a] != WN_AUTO) {
      WRONG(r, d, d->low[a] != WN_AUTO ? "low" : "high",
            "has no effect with a wall; give either a region or a wall");
      return;
    }
}

static void check_region(struct wn_reader *r, const struct wn_cfg_distribution *d)
{
  const struct wn_config *c = r->c;
  if (d->angles > 0)
    WRONG(r, d, "angles", "are those to the normal of a wall; give a wall");
  for (int a = 0; a < c->plasma.dim; a++) {
    const double low = wn_distribution_low(d, a), high = wn_distribution_high(c, d, a);
    /* a length may have been rounded */
    if (!(c->plasma.length[a] > 0) ||
        (low < high && high <= c->plasma.length[a] * (1 + 1e-9)))
      continue; /* a length that is not positive has been reported */
    WRONG(
        r, d, d->high[a] != WN_AUTO ? "high" : "low",
        "the region goes from %.9g m to %.9g m along %c, and the domain from 0 to %.9g m",
        low, high, "xyz"[a], c -> plasma.length[a]);
    return;
  }
}

static void check_species(struct wn_reader *r, const struct wn_cfg_distribution *d,
                          long window)
{
  const struct wn_config *c = r->c;
  const long k = wn_distribution_species(c, d);
  if (k < 0 && d->species == NULL)
    WRONG(r, d, "species", "missing; there is more than one mobile species, or none");
  else if (k < 0)
    WRONG(r, d, "species", "there is no species of this name");
  else if (!c->species[k].mobile)
    WRONG(r, d, "species", "this species does not move");
  if (k < 0 || window < 0 || d->wall == NULL || c->species[k].subcycling < 2)
    return;
  const struct wn_cfg_average *a = &c->plasma.averages[window];
  bool more;
  const double frequency = wn_average_frequency(c, a, &more),
               step = c->plasma.time_step * (double)c->species[k].subcycling;
  if (a->phases > 0 && frequency > 0 && step * frequency * (double)a->phases > 1 + 1e-9)
    WRONG(r, d, "window",
          "a phase of %.9g s is shorter than %.9g s, in which the species moves once; at "
          "most %.0f phases",
          1 / frequency / (double)a->phases, step, 1 / frequency / step);
}

void wn_config_check_distributions(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (size_t i = 0; i < p->n_distributions; i++) {
    struct wn_cfg_distribution *d = &p->distributions[i];
    no_empty(&d->species);
    no_empty(&d->window);
    no_empty(&d->wall);
    if (i == WN_MAX_DISTRIBUTIONS) {
      wn_reader_error(r, NULL, "plasma.distributions",
                      "%zu distributions; there can be at most %d", p->n_distributions,
                      WN_MAX_DISTRIBUTIONS);
      return;
    }
    const long window = wn_distribution_window(r->c, d);
    if (window < 0)
      WRONG(r, d, "window", "%s",
            d->window != NULL ? "there is no window of this name in plasma.averages"
                              : "missing; plasma.averages has not exactly one window");
    if (d->wall != NULL)
      check_wall(r, d);
    else
      check_region(r, d);
    check_species(r, d, window);
  }
}
