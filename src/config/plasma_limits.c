/* src/config/plasma_limits.c - see plasma_limits.h. */
#include "src/config/plasma_limits.h"

#include <math.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "particles/sort.h"
#include "physics/constants.h"
#include "physics/ten_moments.h"
#include "src/config/adaptive_step.h"
#include "src/config/averages.h"
#include "src/config/coulomb.h"
#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/config/source_numbers.h"

#define MIB (1024.0 * 1024.0)

/* The Debye length is checked for species whose plasma frequency exceeds this fraction of
 * the largest: grid heating of heavier species is slower by that factor. */
#define LIGHT 0.1

static double plasma_frequency(const struct wn_cfg_species *s)
{
  double q = s->charge * WN_E;
  return sqrt(s->density * q * q / (WN_EPS0 * s->mass));
}

/* m/s after a fall through that voltage, from rest. */
static double fallen(const struct wn_cfg_species *s, double voltage)
{
  const double gamma = 1.0 + fabs(s->charge) * WN_E * voltage / (s->mass * WN_C * WN_C);
  return WN_C * sqrt(1.0 - 1.0 / (gamma * gamma));
}

/* Whether collisions hinder a fall from wall to wall: the distance has so many mean free paths, which are
 * taken for a cross section of 1e-19 m2, about the largest of electrons in most gases.  A sheath is a small
 * part of the distance. */
#define MANY_PATHS 100.0
static int is_stopped(const struct wn_config *c, const struct wn_cfg_species *s,
                      double distance)
{
  return s->collisions != WN_COLLISIONS_NONE &&
         distance * c->number_density * 1e-19 > MANY_PATHS;
}

/* omega_p: for cold species at the same place, the root of the sum of squares; less if
 * they are separated.  The maximum density counts.  In a step each species rotates by the
 * angle of its own step.  Debye length of each species, sqrt(eps0 kT / (n q^2)).  Below h
 * / pi, where the shortest wave of the grid, k = pi / h, has k lambda = 1, the aliases of
 * the grid are undamped: the plasma heats until they are damped. */
void wn_plasma_limits(const struct wn_config *c, struct wn_plasma_limits *out)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  const struct wn_geometry g = wn_plasma_geometry(c);
  struct wn_plasma_limits l = {.debye = INFINITY, .voltage = wn_plasma_voltage(c)};
  const double dt = wn_step_of_level(c, wn_step_levels(c)); /* the shortest */
  double square = 0, in_step = 0, greatest = 0, h[3];
  for (int d = 0; d < p->dim; d++) {
    h[d] = wn_axis_shortest(&g.axis[d]);
    l.h_max = fmax(l.h_max, wn_axis_longest(&g.axis[d]));
  }
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *s = &c->species[i];
    double omega = s->mobile ? plasma_frequency(s) : 0;
    square += omega * omega * (1 + s->amplitude);
    in_step += pow(omega * (double)s->subcycling, 2) * (1 + s->amplitude);
    greatest = fmax(greatest, omega);
  }
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *s = &c->species[i];
    double thermal = sqrt(s->temperature_ev * WN_E / s->mass);
    double omega = plasma_frequency(s), debye = thermal / omega;
    if (!s->mobile)
      continue;
    for (int d = 0; d < p->dim && l.voltage > 0.0; d++) {
      if (is_stopped(c, s, p->length[d]))
        continue;
      const double cells = fallen(s, l.voltage) * dt * (double)s->subcycling / h[d];
      if (cells > l.driven) {
        l.driven = cells;
        l.driven_one = s;
      }
    }
    for (int d = 0; d < p->dim && s->profile != WN_PROFILE_FILE; d++) {
      double cells = (WN_PLASMA_SPEEDS * thermal + fabs(s->drift[d])) * dt *
                     (double)s->subcycling / h[d];
      if (l.fastest == NULL || cells > l.crossing) {
        l.crossing = cells;
        l.fastest = s;
      }
    }
    for (int d = 0; d < p->dim; d++) {
      const double cells = wn_source_speed(c, s) * dt / h[d];
      if (cells > l.crossing) {
        l.crossing = cells;
        l.fastest = s;
      }
    }
    if (!(s->temperature_ev > 0) && omega > 0 && omega >= LIGHT * greatest &&
        s->profile != WN_PROFILE_FILE)
      l.cold = s;
    if (s->temperature_ev > 0 && omega > 0 && omega >= LIGHT * greatest &&
        debye < l.debye) {
      l.debye = debye;
      l.coldest = s;
    }
  }
  l.omega_p = sqrt(square);
  l.omega_p_dt = sqrt(in_step) * dt;
  *out = l;
}

double wn_plasma_particles(const struct wn_config *c, const struct wn_cfg_species *s)
{
  if (s->profile == WN_PROFILE_FILE)
    return NAN;
  return s->density > 0 ? (double)wn_loading_number(c, s) : 0;
}

double wn_plasma_moving(const struct wn_config *c)
{
  double n = 0.0;
  for (size_t i = 0; i < c->n_species; i++)
    if (c->species[i].mobile && c->species[i].profile != WN_PROFILE_FILE)
      n +=
          wn_plasma_particles(c, &c->species[i]) + wn_source_residents(c, &c->species[i]);
  return n;
}

double wn_plasma_nodes(const struct wn_config *c)
{
  double n = 1;
  for (int d = 0; d < c->plasma.dim; d++)
    n *= (double)c->plasma.cells[d] + 1 + 2 * WN_GRID_GUARD;
  return n;
}

double wn_plasma_map_nodes(const struct wn_config *c)
{
  double n = 1;
  for (int d = 0; d < c->plasma.dim; d++)
    n *= (double)(c->plasma.cells[d] / c->plasma.fields_coarsening) + 1;
  return n;
}

double wn_plasma_map_values(const struct wn_config *c)
{
  double n = 2.0 + c->plasma.dim;
  for (size_t i = 0; i < c->n_species; i++)
    n += c->plasma.fields_moments && c->species[i].mobile ? 2.0 + c->plasma.dim : 1.0;
  return n;
}

double wn_plasma_order_bytes(const struct wn_config *c)
{
  const struct wn_grid_view g = wn_plasma_grid(c);
  double bytes = 0;
  for (size_t i = 0; i < c->n_species; i++) {
    const double n = wn_plasma_particles(c, &c->species[i]);
    if (wn_plasma_orders(c, i))
      bytes += (double)wn_sort_bytes(&g, c->threads, wn_plasma_record(c, i).bytes,
                                     isnan(n) ? 0 : (size_t)n);
  }
  return bytes;
}

double wn_plasma_diagnostics_bytes(const struct wn_config *c)
{
  double bytes = wn_plasma_all_node_sums_bytes(c) + wn_plasma_ten_moments_bytes(c) +
                 wn_coulomb_bytes(c) + wn_merging_bytes(c);
  for (size_t i = 0; i < c->plasma.n_averages; i++)
    bytes += wn_average_bytes(c, &c->plasma.averages[i]);
  return bytes;
}

double wn_plasma_all_node_sums_bytes(const struct wn_config *c)
{
  const bool maps = c->plasma.fields_moments && c->plasma.fields_interval != WN_AUTO;
  bool power = false;
  for (size_t i = 0; i < c->plasma.n_averages; i++)
    power = power || c->plasma.averages[i].power;
  return wn_plasma_node_sums_bytes(c, wn_average_values(c)) +
         wn_plasma_node_sums_bytes(c, (maps ? 2 + c->plasma.dim : 0) + power);
}

double wn_plasma_ten_moments_bytes(const struct wn_config *c)
{
  if (wn_plasma_moment_records(c) == 0)
    return 0.0;
  /* sums of 128 bits, and of 64 for each thread; as doubles, with the net charge and a buffer */
  return wn_plasma_nodes(c) *
         (WN_TEN_MOMENTS * (double)(sizeof(wn_i128) +
                                    sizeof(int64_t) * (size_t)wn_threads(c->threads)) +
          (WN_TEN_MOMENTS + 2) * sizeof(double));
}

double wn_plasma_bytes(const struct wn_config *c)
{
  double bytes =
      wn_plasma_grid_bytes(c) + wn_plasma_order_bytes(c) + wn_plasma_diagnostics_bytes(c);
  for (size_t i = 0; i < c->n_species; i++) {
    double n = wn_plasma_particles(c, &c->species[i]);
    bytes += isnan(n) ? 0 : n * (double)wn_plasma_record(c, i).bytes;
  }
  return bytes;
}

/* Values that particles add at a time at a node, at most. */
static double values_at_nodes(const struct wn_config *c)
{
  const bool maps = c->plasma.fields_moments && c->plasma.fields_interval != WN_AUTO;
  double most = fmax(wn_average_values(c), maps ? 2 + c->plasma.dim : 0);
  for (size_t i = 0; i < c->plasma.n_averages; i++)
    most = fmax(most, c->plasma.averages[i].power);
  if (wn_plasma_moment_records(c) > 0)
    most = fmax(most, WN_TEN_MOMENTS);
  return most;
}

/* Ten moments that are taken with a step (device/expected_sums.cuh). */
static bool takes_moments(const struct wn_config *c)
{
  return c->plasma.field == WN_FIELD_NODES && wn_plasma_moment_records(c) > 0;
}

double wn_plasma_grid_gpu_all_bytes(const struct wn_config *c)
{
  const double with_step =
      takes_moments(c) ? 8.0 * WN_TEN_MOMENTS * (double)c->n_species : 0.0;
  return wn_plasma_grid_gpu_bytes(c) +
         wn_plasma_nodes(c) *
             (16.0 * values_at_nodes(c) + with_step); /* device/node_sums.cu */
}

double wn_plasma_batches_gpu_bytes(const struct wn_config *c)
{
  return wn_plasma_grid_gpu_all_bytes(c) + (double)wn_gpu_batches_bytes(takes_moments(c));
}

/* Lists by cells, an eighth longer than they need be (device/merging.cu). */
static double merging_gpu_bytes(const struct wn_config *c, const double *of)
{
  double cells = 1.0, bytes = 0.0;
  for (int d = 0; d < c->plasma.dim; d++)
    cells *= (double)c->plasma.cells[d];
  for (size_t i = 0; i < c->plasma.n_merging; i++) {
    const long k = wn_merging_species(c, &c->plasma.merging[i]);
    bytes += sizeof(uint32_t) * (3.0 * cells + 1.125 * (k >= 0 ? of[k] : 0.0)) +
             wn_merging_limits_bytes(c, &c->plasma.merging[i], true);
  }
  return bytes;
}

static double particles_gpu_bytes(const struct wn_config *c, const double *of)
{
  double bytes = merging_gpu_bytes(c, of);
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_gpu_need need = {.electrons = (size_t)of[i],
                                     .record_bytes = wn_plasma_record(c, i).bytes,
                                     .ordered = c->species[i].mobile,
                                     .listed =
                                         c->species[i].collisions != WN_COLLISIONS_NONE,
                                     .shape = {.n_groups = 1}};
    bytes += (double)wn_gpu_forecast(&need);
  }
  return bytes;
}

double wn_plasma_particles_gpu_bytes(const struct wn_config *c)
{
  double loaded[WN_MAX_SPECIES];
  for (size_t k = 0; k < c->n_species; k++) /* NAN: of a file */
    loaded[k] = fmax(0.0, wn_plasma_particles(c, &c->species[k]));
  return particles_gpu_bytes(c, loaded);
}

double wn_plasma_gpu_bytes(const struct wn_config *c)
{
  return wn_plasma_grid_gpu_all_bytes(c) + wn_plasma_particles_gpu_bytes(c);
}

double wn_plasma_gpu_bytes_of(const struct wn_config *c, const double *macroparticles)
{
  return wn_plasma_grid_gpu_all_bytes(c) + particles_gpu_bytes(c, macroparticles);
}

int wn_plasma_fits(const struct wn_config *c)
{
  const double bytes = wn_plasma_bytes(c);
  const struct wn_memory m = wn_memory_here();
  double particles = 0.0;
  for (size_t i = 0; i < c->n_species; i++)
    particles += fmax(0.0, wn_plasma_particles(c, &c->species[i])); /* NAN: of a file */
  if (bytes > m.total)
    return WN_FAIL(
        WN_EINPUT,
        "%s: the run takes %.2f MiB at the beginning, for %.10g particles and the grid, "
        "and %s has %.2f MiB; choose fewer cells (grid.cells) or particles "
        "(species.<NAME>.per_cell or .macroparticles)",
        c->file, bytes / MIB, particles, m.limit, m.total / MIB);
  if (bytes > m.available)
    wn_log(
        WN_LOG_WARN,
        "%s: the run takes %.2f MiB at the beginning, for %.10g particles and the grid; "
        "of the %.2f MiB that %s has, %.2f MiB are not in use",
        c->file, bytes / MIB, particles, m.total / MIB, m.limit, m.available / MIB);
  return WN_OK;
}
