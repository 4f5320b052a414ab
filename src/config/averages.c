/* src/config/averages.c - see averages.h. */
#include "src/config/averages.h"
#include <math.h>
#include <string.h>
#include "src/config/internal.h"

double wn_average_frequency(const struct wn_config *c, const struct wn_cfg_average *a,
                            bool *more)
{
  double found = 0.0;
  *more = false;
  for (int side = 0; side < 2 * c->plasma.dim; side++) {
    const double f = c->plasma.wall[side].frequency;
    if (f == 0.0 ||
        (a->wall != NULL && strcmp(a->wall, wn_config_walls.names[side]) != 0))
      continue;
    if (found != 0.0 && found != f)
      *more = true;
    found = f;
  }
  return *more ? 0.0 : found;
}

size_t wn_average_periods(const struct wn_config *c, const struct wn_cfg_average *a,
                          double period)
{
  const double run = c->plasma.time_step * (double)c->plasma.steps,
               most = floor(run / period * (1 + 1e-9) + 1e-6);
  return a->start == WN_AUTO && (double)a->periods > most ? (size_t)most : a->periods;
}

struct wn_window wn_average_window(const struct wn_config *c,
                                   const struct wn_cfg_average *a)
{
  const double dt = c->plasma.time_step, end = dt * (double)c->plasma.steps;
  bool more;
  struct wn_window w = {.phases = a->phases, .every = a->every};
  if (a->periods > 0) {
    w.period = 1.0 / wn_average_frequency(c, a, &more);
    const size_t periods = wn_average_periods(c, a, w.period);
    w.length = (double)periods * w.period;
    w.blocks =
        periods > 0 && a->blocks > 0 && periods % a->blocks == 0 ? a->blocks : periods;
  } else {
    w.length = a->length != WN_AUTO ? a->length : end - a->start;
    w.blocks = a->blocks > 0 ? a->blocks : WN_AVERAGE_BLOCKS;
  }
  w.start = a->start != WN_AUTO ? a->start : end - w.length;
  /* the first step whose middle is not before the start */
  const double first = ceil(w.start / dt - 0.5);
  w.first = first > 0.0 ? (size_t)first : 0;
  return w;
}

long wn_window_block(const struct wn_window *w, double dt, size_t i)
{
  const double part = (((double)i + 0.5) * dt - w->start) / w->length;
  if (w->blocks == 0 || i < w->first || part >= 1.0)
    return -1;
  const long block = (long)(part * (double)w->blocks);
  return block < 0 ? 0 : block < (long)w->blocks ? block : (long)w->blocks - 1;
}

bool wn_window_samples(const struct wn_window *w, size_t i)
{
  return (i - w->first) % w->every == 0;
}

size_t wn_window_phase(const struct wn_window *w, double dt, size_t i)
{
  const double turns = ((double)i + 0.5) * dt / w->period;
  const size_t phase = (size_t)((turns - floor(turns)) * (double)w->phases);
  return phase < w->phases ? phase : w->phases - 1;
}

void wn_average_rate_word(const char *rate, char word[WN_RATE_WORD])
{
  size_t n = 0;
  for (; *rate != '\0' && n + 1 < WN_RATE_WORD; rate++) {
    const char c = *rate;
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
      word[n++] = c;
    else if (n > 0 && word[n - 1] != '_')
      word[n++] = '_';
  }
  while (n > 0 && word[n - 1] == '_')
    n--;
  word[n] = '\0';
}

size_t wn_average_quantities(const struct wn_config *c, const struct wn_cfg_average *a)
{
  const size_t dim = (size_t)c->plasma.dim;
  size_t n = 2 + dim + c->n_species; /* potential, charge, field, densities */
  for (size_t k = 0; k < c->n_species; k++) {
    n += a->moments && c->species[k].mobile ? 2 + dim : 0; /* number, fluxes, energy */
    n += a->power && c->species[k].mobile;
    n += c->species[k].collisions != WN_COLLISIONS_NONE ? a->n_rates : 0;
  }
  return n;
}

double wn_average_bytes(const struct wn_config *c, const struct wn_cfg_average *a)
{
  double nodes = 1.0;
  for (int d = 0; d < c->plasma.dim; d++)
    nodes *= (double)(c->plasma.cells[d] / c->plasma.fields_coarsening) + 1.0;
  /* the current block, mean and scatter of the earlier ones, and one more for each species */
  const double n = 3.0 * (double)wn_average_quantities(c, a) +
                   (a->moments ? (double)c->n_species : 0.0);
  return (double)(a->phases + 1) * n * nodes * sizeof(double);
}

int wn_average_values(const struct wn_config *c)
{
  int most = 0;
  for (size_t i = 0; i < c->plasma.n_averages; i++) {
    const struct wn_cfg_average *a = &c->plasma.averages[i];
    const int rates = (int)(a->n_rates < WN_NODE_VALUES ? a->n_rates : WN_NODE_VALUES),
              here = a->moments ? 2 + c->plasma.dim : 0;
    most = here > most ? here : most;
    most = rates > most ? rates : most;
  }
  return most;
}
