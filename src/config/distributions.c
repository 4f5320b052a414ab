/* src/config/distributions.c - see distributions.h. */
#include "src/config/distributions.h"
#include <string.h>
#include "src/config/internal.h"

long wn_distribution_species(const struct wn_config *c,
                             const struct wn_cfg_distribution *d)
{
  return wn_config_species_or_only(c, d->species);
}

long wn_distribution_window(const struct wn_config *c,
                            const struct wn_cfg_distribution *d)
{
  for (size_t i = 0; i < c->plasma.n_averages; i++)
    if (d->window != NULL ? strcmp(d->window, c->plasma.averages[i].name) == 0
                          : c->plasma.n_averages == 1)
      return (long)i;
  return -1;
}

int wn_distribution_side(const struct wn_config *c, const struct wn_cfg_distribution *d)
{
  for (int side = 0; side < 2 * c->plasma.dim && d->wall != NULL; side++)
    if (strcmp(d->wall, wn_config_walls.names[side]) == 0)
      return side;
  return -1;
}

double wn_distribution_low(const struct wn_cfg_distribution *d, int a)
{
  return d->low[a] == WN_AUTO ? 0.0 : d->low[a];
}

double wn_distribution_high(const struct wn_config *c,
                            const struct wn_cfg_distribution *d, int a)
{
  return d->high[a] == WN_AUTO ? c->plasma.length[a] : d->high[a];
}

double wn_distribution_extent(const struct wn_config *c,
                              const struct wn_cfg_distribution *d)
{
  const int side = wn_distribution_side(c, d);
  double all = 1.0;
  for (int a = 0; a < c->plasma.dim; a++)
    if (side < 0)
      all *= wn_distribution_high(c, d, a) - wn_distribution_low(d, a);
    else if (a != side / 2)
      all *= c->plasma.length[a];
  return all;
}

size_t wn_distribution_cells(const struct wn_cfg_distribution *d)
{
  return (d->angles > 0 ? d->angles : 1) * (d->bins + 1) + 2;
}

double wn_distribution_bytes(const struct wn_config *c,
                             const struct wn_cfg_distribution *d)
{
  const long w = wn_distribution_window(c, d);
  const double sets = w >= 0 ? 1.0 + (double)c->plasma.averages[w].phases : 1.0;
  /* integers of the block; of rows with the sums over angles: mean, scatter and two more */
  const double rows = (double)(wn_distribution_cells(d) + d->bins + d->angles);
  return sets * rows * (double)(16 + 3 * sizeof(double));
}
