/* src/config/config.h - the scenario: one table of keys (src/config_keys*.c) defines the
 * reader, `wilson help KEY`, `wilson list keys`, doc/scenario-keys and the resolved scenario
 * in every output file.  SI inside, eV where the name ends in _ev. */
#ifndef WN_SRC_CONFIG_CONFIG_H
#define WN_SRC_CONFIG_CONFIG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "crosssections/xs.h"
#include "fields/nodal_formulas.h"
#include "fields/poisson/poisson.h"
#include "fields/sparse/components.h"
#include "fields/voltage.h"
#include "fields/waveform.h"
#include "physics/electrode.h"
#include "physics/grid_view.h"
#include "physics/levels.h"
#include "physics/merging.h"
#include "physics/midpoint.h"
#include "physics/xs_view.h"

#define WN_AUTO (-1.0) /* value of a key set to "auto" */

/* One line a job: WN_JOB_<name>, its word, its ops (src/jobs/job.h). */
#define WN_JOBS(X)                                                                       \
  X(SWARM, "swarm", wn_job_swarm)                                                        \
  X(RUNAWAY, "runaway", wn_job_runaway)                                                  \
  X(RATE, "runaway-rate", wn_job_rate)                                                   \
  /* the next */
#define WN_JOB_SYMBOL(name, word, ops) WN_JOB_##name,
enum wn_cfg_job { WN_JOBS(WN_JOB_SYMBOL) WN_N_JOBS };
enum wn_cfg_model {
  WN_MODEL_MCC,
  WN_MODEL_PLASMA, /* species on a grid, in the field that they make */
  WN_N_MODELS
};
enum wn_cfg_direction { WN_DIRECTION_ISOTROPIC, WN_DIRECTION_DRIFT, WN_N_DIRECTIONS };
/* Whose density effect, of sharing moller. */
/* How electrons lose what is below moller.cut, from moller.soft_from on. */
enum wn_soft_loss { WN_LOSS_QUANTA, WN_LOSS_CONTINUOUS, WN_N_SOFT_LOSSES };

enum wn_density_effect_of {
  WN_DENSITY_EFFECT_NONE,
  WN_DENSITY_EFFECT_AIR,
  WN_N_DENSITY_EFFECTS
};
/* What becomes of positrons of pairs: counted, with their energy, and left; or they annihilate where they are made; or they move. */
enum wn_cfg_positrons {
  WN_POSITRONS_COUNTED,
  WN_POSITRONS_AT_REST,
  WN_POSITRONS_MOVING,
  WN_N_POSITRONS
};
enum wn_cfg_spectrum { WN_SPECTRUM_MONO, WN_SPECTRUM_MAXWELL, WN_N_SPECTRA };
enum wn_cfg_profile {
  WN_PROFILE_UNIFORM,
  WN_PROFILE_SLAB,     /* uniform in a box: centre +- half of width along each axis */
  WN_PROFILE_GAUSSIAN, /* exp(-sum of ((x - centre)/width)^2 / 2) */
  WN_PROFILE_ANNULUS,  /* uniform between two radii around centre, in x and y */
  WN_PROFILE_RING,     /* exp(-((r - crest)/spread)^2 / 2), r around centre, in x and y */
  WN_PROFILE_SHEET,    /* product of 1/cosh((x - centre)/width)^2 */
  WN_PROFILE_FILE,     /* positions and velocities from a netCDF file */
  WN_N_PROFILES
};
enum wn_divided {
  WN_DIVIDE_AUTO,
  WN_DIVIDE_ELECTRONS,
  WN_DIVIDE_CASES,
  WN_DIVIDE_DOMAINS,
  WN_N_DIVIDED
};
/* Of particles of a run on a GPU: src/config/residence.h. */
enum wn_cfg_residence {
  WN_RESIDENCE_AUTO,
  WN_RESIDENCE_DEVICE,
  WN_RESIDENCE_BATCHES,
  WN_N_RESIDENCES
};
enum wn_cfg_loading { WN_LOADING_QUIET, WN_LOADING_RANDOM, WN_N_LOADINGS };
/* What makes the density follow its profile: the number of particles, or their weights. */
enum wn_cfg_weights { WN_WEIGHTS_EQUAL, WN_WEIGHTS_PROFILE, WN_N_WEIGHTS };
enum wn_cfg_collisions {
  WN_COLLISIONS_NONE,
  WN_COLLISIONS_GAS, /* in the gas of the scenario: electrons by model mcc, others by ion */
  WN_N_COLLISIONS
};
enum wn_cfg_profile_shape {
  WN_GAS_UNIFORM,
  WN_GAS_STANDARD, /* physics/atmosphere.h */
  WN_GAS_TABLE,
  WN_N_GAS_PROFILES
};
enum wn_cfg_upward { WN_UP_ALONG_Z, WN_UP_AGAINST_Z, WN_N_UPWARD };
enum wn_cfg_third_body { WN_THIRD_NONE, WN_THIRD_SELF, WN_THIRD_TOTAL, WN_N_THIRD };

struct wn_cfg_component {
  char *name; /* gas.components.<name> */
  /* in (0, 1]: components with 0 are left out; the fractions add up to 1 within 1e-6, then are
   * normalised */
  double fraction;
  /* as written: a path (relative to the scenario file, then to the working folder), or
   * the name of a built-in set */
  char *file;
  char *path;     /* resolved path, or the name of a built-in set */
  char *target;   /* target string in the file; default: name */
  char *database; /* NULL: there is only one */
  enum wn_xs_beyond beyond;
  enum wn_xs_effective effective;
  /* density for three-body attachment: of this gas, of all gas; or leave the process out */
  enum wn_cfg_third_body third_body;
  char **exclude;
  size_t n_exclude; /* processes to leave out */
  char **factors;   /* on cross sections, as written (src/config/factor.h) */
  size_t n_factors;
  /* excitations with populated upper levels (crosssections/xs_levels.h): temperatures [K],
   * one for all or one each, none: that of the gas; or populated fractions in (0, 1), one
   * each; ratios of statistical weights, one each, none: those of the file */
  char **excited;
  size_t n_excited;
  double *excited_k, *excited_part, *excited_weight;
  size_t n_excited_k, n_excited_part, n_excited_weight;
  /* temperatures of blocks ROTATIONAL and VIBRATIONAL, K; below 0: not used.  Their file,
   * and its resolved path; "": that of the component.  Weights of even and odd J, or none
   * (crosssections/xs_states.h) */
  double rotational_k, vibrational_k;
  char *states_file, *states_path;
  /* photon data of an element of it (data/photons), as written and resolved */
  char *photons_file, *photons_path;
  double *rotational_weight;
  size_t n_rotational_weight;
  bool ions;   /* ions with collisions collide with it, too */
  double mass; /* kg; WN_AUTO: from the file's m/M */
  /* Z of the atoms, for screened-coulomb; WN_AUTO: by name (H He N O Ne Ar Kr Xe,
   * molecules of one element) */
  double atomic_number;
  /* eV; WN_AUTO: N2 13.0, O2 17.4, Ar 10.0, He 15.8, else 0.6 of the ionization energy */
  double opal_width;
};

struct wn_cfg_case {
  char *text; /* as written: "120 Td" */
  double e;   /* V/m */
  double td;  /* reduced field */
};

/* Coefficients that `accuracy` may name (src/jobs/accuracy_goals.h): symbol, name, variable of the
 * output; frequencies are the first of the rates. */
#define WN_GOALS(X)                                                                      \
  X(MEAN_ENERGY, "mean_energy", "mean_energy")                                           \
  X(MOBILITY, "mobility", "drift_velocity_flux")                                         \
  X(BULK_MOBILITY, "bulk_mobility", "drift_velocity_bulk")                               \
  X(FLUX_DT, "flux_DT", "diffusion_transverse_flux")                                     \
  X(FLUX_DL, "flux_DL", "diffusion_longitudinal_flux")                                   \
  X(BULK_DT, "bulk_DT", "diffusion_transverse_bulk")                                     \
  X(BULK_DL, "bulk_DL", "diffusion_longitudinal_bulk")                                   \
  X(IONIZATION, "ionization", "ionization_frequency")                                    \
  X(ATTACHMENT, "attachment", "attachment_frequency")                                    \
  X(ALPHA, "alpha", "townsend_coefficient_reduced")                                      \
  X(ETA, "eta", "attachment_coefficient_reduced")
#define WN_GOAL_SYMBOL(symbol, ...) WN_GOAL_##symbol,
enum wn_goal { WN_GOALS(WN_GOAL_SYMBOL) WN_N_GOALS };
#undef WN_GOAL_SYMBOL

struct wn_cfg_scan {
  char *name;
  char *key;     /* full key: "gas.temperature" */
  char **values; /* as in a scenario, with ranges expanded */
  size_t n_values;
};

#define WN_MAX_SPECIES 8

/* A species of model plasma: species.<name>. */
struct wn_cfg_species {
  char *name;
  double charge; /* in units of e */
  double mass;   /* kg; default: an electron's */
  bool mobile;   /* false: immobile */
  enum wn_cfg_profile profile;
  double density; /* m-3, maximum of the profile, without the perturbation */
  size_t
      per_cell; /* macroparticles in a cell at the maximum of the density; 0: `macroparticles` is given */
  size_t macroparticles; /* in the domain; 0: by per_cell */
  enum wn_cfg_loading loading;
  enum wn_cfg_weights weights;
  double temperature_ev; /* k T of a Maxwellian */
  double thermal_speed;  /* m/s, sqrt(k T/m); WN_AUTO: by the temperature */
  double drift[3];       /* m/s, added to it */
  double centre[3];      /* m; WN_AUTO: the middle of the domain */
  double width[3];  /* m, see enum wn_cfg_profile; WN_AUTO: uniform along that axis */
  double radius[2]; /* m, of an annulus */
  double ring[2];   /* m, of a ring: crest and spread */
  /* The density has the factor 1 + amplitude cos(2 pi sum of mode x / length + phase) */
  double amplitude, phase;
  long mode[3];
  char *file, *path; /* as written, and resolved path; NULL: none */
  enum wn_cfg_collisions collisions;
  /* Species of the ions from ionization and attachment; NULL: none */
  char *ions, *anions;
  /* For ions with collisions: their name in sets of cross sections, one for each component of the gas,
   * and the file of these, as written and resolved; NULL: the file of the component */
  char *ion, *cross_sections, *xs_path;
  size_t subcycling; /* for ions with collisions: steps of the run in one of theirs */
};

/* Directions of electrons that a wall reflects, and how the number of true secondaries is
 * drawn. */
enum wn_reflection_law { WN_LAW_COSINE, WN_LAW_SPECULAR, WN_N_LAWS };
enum wn_emitted_number { WN_NUMBER_NEAREST, WN_NUMBER_POISSON, WN_N_NUMBERS };

/* A side of the domain of model plasma: walls.<name>, name: x_low, x_high, y_low, ...  A
 * side that is not given is periodic. */
struct wn_cfg_wall {
  bool given;
  enum wn_potential field;
  enum wn_side_kind particles;
  /* V: voltage + amplitude * sin(2 pi frequency t + phase) for pulse_start <= t <
   * pulse_end, without the second term if amplitude is 0 */
  double voltage, amplitude, frequency, phase;
  double harmonics[WN_HARMONICS], harmonic_phases[WN_HARMONICS]; /* V, rad */
  /* Between that voltage and the wall (physics/wall_circuit.h): F/m2, WN_AUTO: no capacitor, 0: nothing is
   * connected; ohm m2; H m2; a dielectric on the metal, m (0: none) and relative */
  double capacitance, resistance, inductance, dielectric_thickness, permittivity;
  double yield;       /* secondary electrons for each positive ion */
  double emission_ev; /* kT of secondary electrons */
  /* For each electron: chances of reflection and of scattering back, and true secondaries,
   * constant or (yield_energy_ev not WN_AUTO) at most, by Vaughan's formula
   * (physics/electron_yield.h) */
  double electron_reflection, electron_backscattering, electron_yield;
  double yield_energy_ev, yield_threshold_ev, yield_smoothness;
  enum wn_reflection_law reflection_law;
  enum wn_emitted_number electron_number;
  double pulse_start,
      pulse_end; /* s; the potential is 0 at other times; WN_AUTO: no bound */
};

/* A shape inside the domain of model plasma that is an electrode, or a part of one, or a dielectric:
 * electrodes.<name>, dielectrics.<name>; src/config/electrode_shapes.h. */
struct wn_cfg_electrode {
  char *name;
  char *part_of; /* the electrode that it belongs to; NULL: it is one itself */
  enum wn_electrode_kind shape;
  /* m, as its shape needs them; WN_AUTO: not given */
  double centre[3], semi_axes[3], from[3], to[3], low[3], high[3];
  double radius, thickness;
  double edge_radius;
  int axis;            /* of a disc */
  double permittivity; /* relative, of a dielectric */
  /* Its voltage alone, as of a wall; that of another part has none */
  struct wn_cfg_wall wall;
};

/* A time window of model plasma, over which fields and densities are averaged:
 * plasma.averages.<name>; src/config/averages.h converts it to steps. */
struct wn_cfg_average {
  char *name;
  double start;   /* s; WN_AUTO: such that it ends with the run */
  double length;  /* s; WN_AUTO: `periods`, or to the end of the run */
  size_t periods; /* 0: its length is a time */
  char *
      wall; /* its frequency defines the periods; NULL: that of all walls that have one */
  size_t phases; /* RF phases with separate averages; 0: none */
  size_t blocks; /* for the scatter; 0: one a period, or 10 */
  size_t every;  /* steps from sample to sample */
  bool moments;  /* fluxes and energies of the particles, too */
  char **rates;  /* of collisions: kinds or names of processes (src/sim/grid_rates.h) */
  size_t n_rates;
  bool power; /* what the field gives to each species */
};

/* A distribution of the energies of a species of model plasma, and at a wall of angles:
 * plasma.distributions.<name>; src/config/distributions.h. */
struct wn_cfg_distribution {
  char *name;
  char *species;
  char *window;           /* of plasma.averages; NULL: the only one */
  char *wall;             /* of the particles that this side takes; NULL: in a region */
  double low[3], high[3]; /* m, the region; WN_AUTO: to the end of the domain */
  double energy_max_ev;
  size_t bins,
      angles; /* equal parts of the energies, and of 90 degrees; angles 0: none */
};

/* A source of particles of model plasma, at a side or in a region:
 * plasma.sources.<name>; src/config/sources.h. */
enum wn_cfg_source_profile { WN_SOURCE_UNIFORM, WN_SOURCE_COSINE, WN_N_SOURCE_PROFILES };
struct wn_cfg_source {
  char *name;
  char *species; /* NULL: the only mobile one */
  char *wall;    /* emitted by this side; NULL: in a region */
  /* One of them; WN_AUTO: not given */
  double current;        /* A/m2, magnitude of the charge flux at a side */
  double flux;           /* 1/(m2 s), at a side */
  double rate;           /* 1/(m3 s), in a region, at the maximum of the profile */
  double temperature_ev; /* kT */
  double energy_ev;      /* of the motion along the normal of a side, besides */
  char *pair;     /* species of which a particle is created with each; NULL: none */
  double pair_ev; /* kT of these */
  double low[3], high[3]; /* m, the region; WN_AUTO: to the end of the domain */
  enum wn_cfg_source_profile profile;
  double start, end; /* s; WN_AUTO: to the end of the run */
  double per_step;   /* macroparticles in a step; WN_AUTO: by the weight of the species */
};

/* A thermostat of model plasma: plasma.thermostats.<name>. */
struct wn_cfg_thermostat {
  char *name;
  char *species;          /* NULL: the only mobile one */
  double temperature_ev;  /* kT */
  double time;            /* s, mean time between two new velocities of a particle */
  double low[3], high[3]; /* m, the region; WN_AUTO: to the end of the domain */
};

/* The density of a component of the gas, followed as one number: followed.<component>; the
 * component's own density is its upper limit. */
struct wn_cfg_followed {
  char *name;
  char **sources; /* processes that make one, by their names in the output */
  size_t n_sources;
  double density; /* m-3, at first */
  double loss;    /* 1/s */
};

/* A reaction of species of model plasma by a rate: reactions.<name>; src/config/reactions.h. */
struct wn_cfg_reaction {
  char *name;
  char **reactants, **products; /* names of species */
  size_t n_reactants, n_products;
  double rate;          /* 1/s; WN_AUTO: from the rate constant */
  double rate_constant; /* m3/s; WN_AUTO: none */
  /* Of two reactants it is multiplied by (T/T0)^exponent, T the temperature of the first in a
   * cell; kT0 */
  double exponent, reference_ev;
  char *component;       /* of the gas, whose density multiplies it; NULL: none */
  double density;        /* m-3, the same of a gas that is not followed; WN_AUTO: none */
  double temperature_ev; /* kT of the products */
  double energy_ev;      /* of the electrons among them; WN_AUTO: by the temperature */
};

/* What Coulomb collisions of particles of unequal weights conserve: momentum and energy on
 * average, or those of each cell. */
enum wn_cfg_conserve { WN_CONSERVE_AVERAGE, WN_CONSERVE_CELL, WN_N_CONSERVE };

/* Coulomb collisions of one species, or of two with each other: plasma.coulomb.<name>;
 * src/config/coulomb.h. */
struct wn_cfg_coulomb {
  char *name;
  char **species;
  size_t n_species;
  int method;       /* enum wn_coulomb_method of physics/coulomb.h */
  double logarithm; /* WN_AUTO: from density and temperatures of each cell */
  size_t interval;  /* steps */
  enum wn_cfg_conserve conserve;
};

/* How macroparticles are merged: up to ten become five of them, by new weights; four, or three, become
 * two; both conserve momentum and energy.  Or two become one of the two. */
/* Merging and splitting of the macroparticles of a species in each cell: plasma.merging.<name>;
 * src/sim/merging.c. */
struct wn_cfg_merging {
  char *name;
  char *species; /* NULL: the only mobile one */
  enum wn_merging_method method;
  size_t most, least;               /* in a cell; least 0: no splitting */
  double least_weight, most_weight; /* of a macroparticle, in that of a loaded one */
  double *classes_ev;               /* energies that merging does not cross */
  size_t n_classes;
  double protect_ev; /* above it nothing is merged or split */
  size_t interval;   /* steps */
  /* limits of weights below most_weight: src/sim/weight_limits.h */
  double *fields, *field_limits; /* V/m; the weights there */
  size_t n_fields, n_field_limits;
  double centre[3];                    /* m; WN_AUTO: the middle of the domain */
  double *distances, *distance_limits; /* m from there; the weights there */
  size_t n_distances, n_distance_limits;
};

/* Limits that model plasma may exceed: plasma.allow. */
#define WN_ALLOW_PLASMA_FREQUENCY 1u
#define WN_ALLOW_CELL_CROSSING    2u
#define WN_ALLOW_DEBYE_LENGTH     4u

/* The field of the particles' charge: on the grid, or by the combination technique (fields/sparse/).  Or E
 * and B as given on the nodes (fields/nodal.h). */
enum wn_cfg_geometry { WN_GEOMETRY_CARTESIAN, WN_GEOMETRY_RZ, WN_N_GEOMETRIES };

enum wn_cfg_field { WN_FIELD_OF_GRID, WN_FIELD_SPARSE, WN_FIELD_NODES, WN_N_FIELDS };

struct wn_cfg_plasma {
  int dim; /* axes of the grid */
  enum wn_cfg_geometry geometry;
  size_t cells[3];            /* grid.cells; 1 beyond dim */
  double length[3];           /* grid.length, m */
  struct wn_cfg_wall wall[6]; /* 2 * axis + (0: low, 1: high) */
  size_t n_electrodes;
  struct wn_cfg_electrode *electrodes;
  size_t n_dielectrics;
  struct wn_cfg_electrode *dielectrics; /* dielectrics.<name> */
  int velocities;                       /* velocity components: dim .. 3 (1: 3) */
  double time_step; /* s, of the field; the longest where steps are adaptive */
  struct {          /* plasma.adaptive: src/config/adaptive_step.h */
    double least;   /* s, the shortest step; WN_AUTO: all are time_step */
    double cells,
        quantile;  /* cells that this part of the particles does not exceed in a step */
    double growth; /* new electrons in a step, of those that are there */
    double relaxation;   /* step over the time of dielectric relaxation */
  } adaptive;            /* conditions WN_AUTO: none */
  size_t steps;          /* from duration */
  size_t mobility_steps; /* in a step, for species with collisions */
  enum wn_shape shape;
  enum wn_gather gather;
  enum wn_poisson_method solver;
  enum wn_cfg_field field;
  enum wn_sparse_combined sparse_combine; /* where E of its grids is added up */
  size_t sparse_least,
      sparse_offset; /* levels of sparse grids; offset 0: by the smallest level */
  struct {           /* plasma.nodes: E and B of field nodes */
    struct wn_nodal_parameters by; /* without its b and length */
    char *file, *path;             /* as written, and resolved path; NULL: a formula */
    int between;                   /* the times of the file: 0 steps, 1 linear */
  } nodes;
  enum wn_nodal_mover mover; /* of field nodes */
  struct {                   /* plasma.midpoint: physics/midpoint.h */
    size_t iterations, substeps;
    double tolerance;
    double most_turn, most_cells; /* WN_AUTO: not limited */
  } midpoint;
  char *reference; /* species of the units c / omega_0 and so on; NULL: none */
  bool background; /* uniform charge that neutralizes the particles at t = 0 */
  bool relativistic;
  double magnetic[3];        /* T, uniform */
  unsigned allow;            /* WN_ALLOW_* */
  double integrals_interval; /* s between rows of sums; WN_AUTO: each step */
  double fields_interval;    /* s between maps of fields and densities; WN_AUTO: none */
  size_t fields_coarsening;  /* of the grid of maps and averages */
  bool fields_moments;       /* maps of fluxes and mean energies, too */
  double moments_interval;   /* s between maps of ten moments; WN_AUTO: none */
  bool moments_pressure;     /* maps of the pressure about the mean, too */
  double particles_interval; /* s between samples of particles; WN_AUTO: none */
  size_t particles_sample;   /* particles of each species in a sample */
  size_t n_modes;
  double *modes; /* [n_modes][3] wave numbers along each axis */
  size_t n_averages;
  struct wn_cfg_average *averages;
  size_t n_distributions;
  struct wn_cfg_distribution *distributions;
  size_t n_sources;
  struct wn_cfg_source *sources;
  size_t n_thermostats;
  struct wn_cfg_thermostat *thermostats;
  size_t n_coulomb;
  struct wn_cfg_coulomb *coulomb;
  struct {                  /* plasma.photoionization: src/config/photoionization.h */
    char *electrons, *ions; /* species; ions NULL: there is none */
    double efficiency;
    double quenching_pressure; /* Pa */
    double oxygen_pressure;    /* Pa; WN_AUTO: that of O2 in the gas */
    double chi_min, chi_max;   /* 1/(m Pa) */
    double energy_ev;          /* of a new electron */
    double weight;             /* of a photon; WN_AUTO: that of the ionizing electron */
    double *distances, *distance_weights; /* m from the axis; weights of pairs there */
    size_t n_distances, n_distance_weights;
    size_t pairs_per_step; /* above which weights grow; 0: any number */
  } photoionization;
  size_t n_merging;
  struct wn_cfg_merging *merging;
  struct {          /* plasma.test_electrons: src/config/test_electrons.h */
    char *species;  /* NULL: the only electrons with collisions */
    size_t number;  /* in each energy level; 0: there are none */
    double from_ev; /* lowest energy of a test electron */
    size_t levels_per_decade;
    double *thresholds_ev; /* increasing; at the last a test electron ends */
    size_t n_thresholds;
    size_t rows; /* of the table of passages, for each threshold */
  } test_electrons;
};

struct wn_config {
  char *file; /* scenario file */
  char *title;
  enum wn_cfg_job job;
  enum wn_cfg_model model;

  size_t n_cases;
  struct wn_cfg_case *cases;
  size_t n_scans;
  struct wn_cfg_scan *scans;
  /* At a scan point: cases are those of all points, and these its own; text is the
   * resolved scenario without the scan (wn_config_text).  NULL: no scan. */
  size_t first_case, own_cases;
  char *text, *point;    /* "T 300 K, angles isotropic" */
  bool density_given;    /* gas.number_density is given, not gas.pressure */
  double magnetic_field; /* T */
  double magnetic_hx;    /* B/N, Hx: 1e-27 T m3 */
  /* rad between E (along the drift, +z) and B; B lies in the x-z plane */
  double magnetic_angle;

  /* The factor on the electric fields as a function of time.  is: as given, or read from a
   * file; its lists are times and factors, NULL before the file is read */
  struct {
    struct wn_waveform is;
    size_t n_times, n_factors;
    double *times, *factors;
    char *file, *path;
    char *source; /* path of the file that was read, an input of the run; NULL: none */
    size_t rows;  /* of the output, in a period or the duration */
  } waveform;

  uint64_t seed;
  size_t electrons; /* primaries of each case */
  double initial_energy_ev;
  enum wn_cfg_spectrum initial_spectrum;   /* mono, or mean energy of a Maxwellian */
  enum wn_cfg_direction initial_direction; /* isotropic, or all along the drift (+z) */
  double duration; /* s; WN_AUTO (swarm only): until the accuracy is reached */
  /* s before sampling; WN_AUTO: until the mean energy is steady */
  double relaxation;
  /* relative standard error of mean energy and flux drift at which an automatic duration ends */
  double accuracy;
  double goal[WN_N_GOALS]; /* the same for one coefficient; WN_AUTO: no goal */
  double accuracy_floor;   /* m2: rates below it need no accuracy */
  double sample_interval;  /* s between samples; WN_AUTO: chosen by the job */
  int sample_block;        /* samples in a block; WN_AUTO: chosen by the job */
  bool
      sample_tensor; /* write drift vector and diffusion tensor even without a magnetic field */
  size_t groups; /* independent groups of electrons, for the errors */
  /* mobility steps in a sampling interval (one is exact in a given uniform field) */
  size_t mobility_steps;

  struct
  { /* gas.profile: density along z, src/sim/profile.h; number_density is that at z = 0 */
    enum wn_cfg_profile_shape shape;
    double altitude;           /* m, of z = 0 */
    enum wn_cfg_upward upward; /* where altitude increases */
    size_t n_altitudes, n_densities;
    double *altitudes, *densities; /* m, increasing; 1/m3 */
    char *file, *path, *source;    /* source: as that of the waveform */
  } gas_profile;
  struct {                      /* field_profile: the factor on E along z */
    size_t n_places, n_factors; /* 0: uniform */
    double *places, *factors;   /* m, increasing */
    char *file, *path, *source;
  } field_profile;

  double pressure, temperature; /* Pa, K */
  /* m-3: pressure / (k temperature), or gas.number_density, which then replaces pressure */
  double number_density;
  size_t n_components;
  struct wn_cfg_component *components;

  enum wn_angle_model scattering;
  enum wn_share_model sharing;
  /* of sharing moller (physics/moller.h); soft_from WN_AUTO: never, quantum WN_AUTO: matched */
  double moller_cut_ev, moller_soft_from_ev, moller_soft_quantum_ev;
  enum wn_soft_loss moller_loss;
  enum wn_density_effect_of moller_density;
  /* physics/grouped_angle.h; from WN_AUTO: never; angle in rad */
  double grouped_from_ev, grouped_angle;
  bool thermal_motion;      /* targets have the temperature of the gas */
  double thermal_below_ev;  /* above this electron energy targets are at rest */
  size_t bins_per_octave;   /* cross-section table: a power of two, 16..1024 */
  double energy_max_ev;     /* upper end of the tables */
  double ion_energy_max_ev; /* of the tables of ions; WN_AUTO: from the voltages */

  struct { /* detectors: src/sim/detectors.h */
    size_t n_planes, n_spheres;
    double *planes, *spheres; /* m: z, radius */
    double above_ev;          /* slower electrons are not noted */
    size_t rows;              /* of the table of crossings, each detector */
  } detectors;

  struct {                 /* radiation: src/sim/radiation.h */
    double photons_min_ev; /* least energy of a photon; WN_AUTO: there is no radiation */
    int compton, rayleigh; /* enum wn_photon_compton, wn_photon_rayleigh */
    int angle;             /* enum wn_brems_angle */
    int positrons;         /* enum wn_cfg_positrons */
    double positrons_cut_ev, positrons_stop_ev; /* of positrons that move */
    int positrons_brems;                        /* enum wn_positron_brems */
    double roulette_weight, roulette_below_ev;  /* of photons; 0, WN_AUTO: none */
  } radiation;

  size_t population_target; /* electrons of each case; 0: no control */
  double population_protect_ev;
  size_t capacity; /* maximum number of electrons in the store */
  enum wn_cfg_residence residence;

  size_t n_thresholds;
  double *thresholds_ev; /* runaway.thresholds, increasing */
  /* its place, FILE:LINE: key = value, for errors found with the cross sections */
  char *thresholds_at;
  double stop_above_ev; /* electrons above this are counted and removed; WN_AUTO: never */
  double stop_below_ev; /* electrons below it are removed; 0: none */
  bool runaway_levels;  /* job runaway is a weighted ensemble; runaway-rate always is */
  double levels_from_ev; /* lowest level of either */
  size_t levels_per_decade;
  double plateau_loss; /* loss allowed on the plateau of job runaway-rate */

  size_t distribution_bins_per_decade;
  double distribution_min_ev, distribution_max_ev;

  struct wn_cfg_plasma plasma;
  size_t n_species;
  struct wn_cfg_species *species;
  size_t n_reactions;
  struct wn_cfg_reaction *reactions;
  size_t n_followed;
  struct wn_cfg_followed *followed;

  char *device;           /* "auto", "cpu", "cuda", "cuda:1": see wn_config_device */
  char *scheduler;        /* "auto", or a name of `wilson list schedulers` */
  int threads;            /* 0: all */
  enum wn_divided divide; /* among processes: src/run/divide_cases.h */
  int block_size;         /* threads a block of a GPU scheduler; 0: its choice */
  char *output;
  bool quiet;

  struct {             /* src/run/checkpoint.h */
    double interval;   /* s of the clock; WN_AUTO: never */
    size_t steps;      /* 0: never */
    double wall_limit; /* s of wall clock; WN_AUTO: none */
    size_t step_limit; /* 0: none */
  } checkpoint;
};

/* Reads FILE, applies overrides ("gas.pressure=1 atm"), checks.  All errors are logged
 * with file:line (or "--set key=value"), the key, the value, the allowed values and the
 * nearest valid key; then WN_EINPUT.  check_files: cross-section files must exist. */
int wn_config_read(const char *file, size_t n_set, const char *const *set,
                   struct wn_config **out);
/* The same of a text, which messages call `name`: lines are those of the text, and files that it names are searched
 * beside `name`, as if it stood there.  text may be NULL: the contents of the file `name`. */
int wn_config_read_text(const char *name, const char *text, size_t n_set,
                        const char *const *set, struct wn_config **out);
void wn_config_free(struct wn_config *c);

/* Of inputs.c: the files that a run reads, including the scenario; the list is malloc'd,
 * the names are those of c.  WN_ENOMEM. */
int wn_config_inputs(const struct wn_config *c, size_t *n, const char ***names);

/* The points of a scan: a scenario for each combination of the values; the last scan
 * varies fastest.  Without a scan there is one point, the scenario itself. */
struct wn_scenarios {
  size_t n;
  struct wn_config **c; /* [n] */
};

/* As wn_config_read, for all points; WN_EINPUT, too, if a value is incompatible with the others. */
int wn_scenarios_read(const char *file, size_t n_set, const char *const *set,
                      struct wn_scenarios *out);
/* As wn_config_read_text, for all points. */
int wn_scenarios_read_text(const char *name, const char *text, size_t n_set,
                           const char *const *set, struct wn_scenarios *out);
void wn_scenarios_free(struct wn_scenarios *p);

/* The same scenarios with another number of threads, for a part of the run; p keeps all that they refer to
 * and must outlive them.  WN_ENOMEM. */
int wn_scenarios_share(const struct wn_scenarios *p, int threads,
                       struct wn_scenarios *out);
void wn_scenarios_drop(struct wn_scenarios *p);

/* Value of a scan at a point, in the base unit of its key; NAN for auto, and for a word,
 * which *text gets. */
double wn_scan_value(const struct wn_config *point, size_t scan, const char **text);
/* Whether a scan varies the strength or the angle of the magnetic field. */
bool wn_scan_of_magnetic(const struct wn_config *c);
const char *wn_scan_unit(const struct wn_cfg_scan *scan); /* "K"; "1" for plain numbers */

/* Whether there are collisions with the gas: model mcc, or a species of model plasma. */
bool wn_config_has_gas(const struct wn_config *c);

/* Cases of a scenario, and what a case is called: an E/N of `fields`; plasmas have one. */
size_t wn_config_cases(const struct wn_config *c);
const char *wn_config_case_text(const struct wn_config *c, size_t i_case);

/* Advice for a store that is full, or will be; and for an electron at the upper end of the tables. */
const char *wn_config_more_room(const struct wn_config *c);
const char *wn_config_more_energy(const struct wn_config *c);

/* Whether vectors and tensors of a swarm are written. */
bool wn_config_has_frame(const struct wn_config *c);

/* Whether density or E change along z. */
bool wn_config_gas_changes(const struct wn_config *c);
bool wn_config_field_changes(const struct wn_config *c);
/* Molecules per volume at an altitude within the profile, which must not be uniform; and its ends, m. */
double wn_config_density_at(const struct wn_config *c, double altitude);
void wn_config_altitudes(const struct wn_config *c, double *low, double *high);

#define WN_MAX_DETECTORS 64
/* Planes and spheres at which crossings are noted. */
size_t wn_config_detectors(const struct wn_config *c);

/* Whether electrons are a weighted ensemble, with energy levels. */
bool wn_config_has_levels(const struct wn_config *c);

/* Whether electrons radiate: radiation.photons_min. */
bool wn_config_radiates(const struct wn_config *c);

/* Whether `accuracy` names coefficients. */
bool wn_config_has_goals(const struct wn_config *c);

/* Energy levels, so many a decade; the last edge is `top`.  And those of job runaway-rate. */
void wn_config_levels_between(double from_ev, double top_ev, size_t per_decade,
                              struct wn_levels *out);
void wn_config_levels(const struct wn_config *c, struct wn_levels *out);

/* Whether a species is ions with collisions, or electrons with collisions. */
bool wn_config_is_ion(const struct wn_cfg_species *s);
bool wn_config_is_electron(const struct wn_cfg_species *s);

/* Whether the electrons that walls emit join species k: those that collide, or, where none
 * does, particles of charge -1 and the mass of an electron. */
bool wn_config_is_emitted(const struct wn_config *c, size_t k);

/* Whether a species is electrons, with collisions or without, that walls take and may reflect:
 * mobile, of charge -1 and the mass of an electron. */
bool wn_config_is_any_electron(const struct wn_cfg_species *s);

/* The units with c = 1 of the species plasma.reference, in SI: its plasma frequency omega, rad/s; c/omega,
 * m; m omega/|q|, T; m c omega/|q|, V/m.  False: there is none, or it has no plasma frequency. */
struct wn_normalized {
  double omega, length, magnetic, electric;
};
bool wn_config_normalized(const struct wn_config *c, struct wn_normalized *out);

/* The species of that name; NULL: none, or name is NULL. */
const struct wn_cfg_species *wn_config_species_of(const struct wn_config *c,
                                                  const char *name);
/* The number of the species of that name; without a name of the only one that is mobile;
 * -1: there is none. */
long wn_config_species_or_only(const struct wn_config *c, const char *name);
/* plasma.photoionization: the electrons whose ionizations emit photons, and which new electrons
 * join; NULL: none has this name, or several species could be meant.  The ions; NULL: there is no
 * photoionization, or no such species. */
const struct wn_cfg_species *wn_config_photo_electrons(const struct wn_config *c);
const struct wn_cfg_species *wn_config_photo_ions(const struct wn_config *c);

/* The first species whose collisions, or photons of them, produce `s`; NULL: none. */
const struct wn_cfg_species *wn_config_product_source(const struct wn_config *c,
                                                      const struct wn_cfg_species *s);

/* Whether collisions, or a reaction, produce `s`. */
bool wn_config_is_product(const struct wn_config *c, const struct wn_cfg_species *s);

extern const char *const wn_config_model_name[]; /* of enum wn_cfg_model */

/* The device of the key `device`: the number of a GPU, or one of these.  False for an invalid word. */
enum { WN_ON_CPU = -1, WN_ON_WHATEVER_THERE_IS = -2 };
bool wn_config_device(const char *text, int *gpu);

/* The resolved scenario as libconfig text (every key, defaults included, fractions normalised), for
 * output files; reading it again gives the same configuration.  malloc'd; NULL when out of memory. */
char *wn_config_text(const struct wn_config *c);

int wn_config_help(
    const char *key,
    FILE *
        to); /* unit, default, range, meaning; unknown key: logs the nearest one, WN_EINPUT */
void wn_config_list(FILE *to);   /* one line a key */
void wn_config_manual(FILE *to); /* doc/scenario-keys.md */

#endif
