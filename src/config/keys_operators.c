/* src/config/keys_operators.c - the keys of what creates, removes or changes particles of model plasma
 * outside a flight (src/sim/operators.h): sources, thermostats, reactions, followed densities, Coulomb
 * collisions, photoionization, merging, test electrons; after those of src/config/keys_plasma.c */
#include "src/config/keys.h"

#include "physics/constants.h"
#include "physics/coulomb.h"

#define WORD(symbol, word) word,
static const char *const coulomb_words[] = {WN_COULOMB_METHODS(WORD) NULL};
#undef WORD
static const char *const conserve_words[] = {"average", "cell", NULL};
static const char *const merging_words[] = {"weights", "two", "one", NULL};
static const char *const source_words[] = {"uniform", "cosine", NULL};

#define N_WORDS(list) (sizeof(list) / sizeof *(list)-1)
_Static_assert(N_WORDS(source_words) == WN_N_SOURCE_PROFILES, "a word per profile");
_Static_assert(N_WORDS(coulomb_words) == WN_N_COULOMB_METHODS, "a word per method");
_Static_assert(N_WORDS(merging_words) == WN_N_MERGING, "a word per method");
_Static_assert(N_WORDS(conserve_words) == WN_N_CONSERVE, "a word per kind");

#define OAT(field)                                                                       \
  .named = &wn_config_sources, .offset = offsetof(struct wn_cfg_source, field)
#define TAT(field)                                                                       \
  .named = &wn_config_thermostats, .offset = offsetof(struct wn_cfg_thermostat, field)
#define CAT(field)                                                                       \
  .named = &wn_config_coulomb, .offset = offsetof(struct wn_cfg_coulomb, field)
#define MAT(field)                                                                       \
  .named = &wn_config_merging, .offset = offsetof(struct wn_cfg_merging, field)
#define RAT(field)                                                                       \
  .named = &wn_config_reactions, .offset = offsetof(struct wn_cfg_reaction, field)
#define FAT(field)                                                                       \
  .named = &wn_config_followed, .offset = offsetof(struct wn_cfg_followed, field)
#define THERMOSTATS(name)     "plasma.thermostats." WN_KEY_NAME "." name
#define SOURCES(name)         "plasma.sources." WN_KEY_NAME "." name
#define COULOMB(name)         "plasma.coulomb." WN_KEY_NAME "." name
#define MERGING(name)         "plasma.merging." WN_KEY_NAME "." name
#define FOLLOWED(name)        "followed." WN_KEY_NAME "." name
#define REACTIONS(name)       "reactions." WN_KEY_NAME "." name
#define PHOTOIONIZATION(name) "plasma.photoionization." name
#define TEST_ELECTRONS(name)  "plasma.test_electrons." name

/* m: light takes some seconds */
#define LONGEST 1e9

const struct wn_key wn_config_operator_keys[] = {
    {KEY(SOURCES("species"), STRING, PLASMA), OAT(species),
     .def_text = "the only mobile species",
     .help = "Species of the particles of a source.  One that has no particles at time 0 "
             "has `density` 0, and `per_step` then determines the weight of a "
             "macroparticle."},
    {KEY(SOURCES("wall"), STRING, PLASMA), OAT(wall), .def_text = "none: in a region",
     .help =
         "The side that emits the particles, such as x_low; not a periodic one; or an "
         "electrode, uniformly over its surface, along the normal there.  "
         "Their charge is subtracted from what the side has taken.  They leave at "
         "times spread evenly over a step, each in an interval of its own, and fly "
         "for the rest of it: second order in the step."},
    {QUANTITY(SOURCES("current"), CURRENT, PLASMA | WN_KEY_ABOVE_MIN), OAT(current),
     .def = "\"none\"", .automatic = "none", .max = 1e20,
     .help = "Magnitude of the current density that leaves the side.  Either this or "
             "`flux` is needed with `wall`."},
    {QUANTITY(SOURCES("flux"), FLUX, PLASMA | WN_KEY_ABOVE_MIN), OAT(flux),
     .def = "\"none\"", .automatic = "none", .max = 1e40,
     .help = "Particles that leave the side per area and time, in place of `current`."},
    {QUANTITY(SOURCES("rate"), CREATION, PLASMA | WN_KEY_ABOVE_MIN), OAT(rate),
     .def = "\"none\"", .automatic = "none", .max = 1e45,
     .help = "Particles created per volume and time in the region of the source, at the "
             "maximum of its `profile`.  Needed without `wall`."},
    {QUANTITY(SOURCES("temperature"), KT, PLASMA), OAT(temperature_ev), .def = "0",
     .max = 1e9,
     .help = "Temperature of the particles, kT or in K.  At a side their velocities are "
             "those of the flux of a Maxwellian into the domain (mean energy 2 kT), in a "
             "region those of a Maxwellian.  0: none."},
    {QUANTITY(SOURCES("energy"), ENERGY, PLASMA), OAT(energy_ev), .def = "0", .max = 1e9,
     .help = "Energy of a beam from a side, along its normal; that of `temperature` is "
             "added to it, as if a Maxwellian had been accelerated by it."},
    {KEY(SOURCES("pair"), STRING, PLASMA), OAT(pair), .def_text = "none",
     .help = "Species of which a particle is created at the same place and time as each "
             "particle of a source in a region, with the opposite charge and the same "
             "weight: ionization at a given rate."},
    {QUANTITY(SOURCES("pair_temperature"), KT, PLASMA), OAT(pair_ev), .def = "0",
     .max = 1e9, .help = "Temperature of the particles of `pair`, kT or in K."},
    {KEY(SOURCES("low"), VECTOR, PLASMA | WN_KEY_PER_AXIS), .unit = WN_UNIT_LENGTH,
     OAT(low), .n = 3, .def = "\"auto\"", .automatic = "auto", .max = LONGEST,
     .help = "Lower end of the region of a source without `wall` along each axis.  auto: "
             "that of the domain."},
    {KEY(SOURCES("high"), VECTOR, PLASMA | WN_KEY_PER_AXIS), .unit = WN_UNIT_LENGTH,
     OAT(high), .n = 3, .def = "\"auto\"", .automatic = "auto", .max = LONGEST,
     .help = "Upper end of the region along each axis.  auto: that of the domain."},
    {KEY(SOURCES("profile"), WORD, PLASMA), OAT(profile), .def = "\"uniform\"",
     .words = source_words,
     .help = "Profile of a source in a region.  uniform: the same rate everywhere.  "
             "cosine: along each axis half a wave of a cosine, 0 at the ends of the "
             "region."},
    {QUANTITY(SOURCES("start"), TIME, PLASMA), OAT(start), .def = "0", .max = 1e3,
     .help = "Time at which the source is switched on."},
    {QUANTITY(SOURCES("end"), TIME, PLASMA), OAT(end), .def = "\"none\"",
     .automatic = "none", .max = 1e3,
     .help = "Time at which the source is switched off.  none: it stays on."},
    {KEY(SOURCES("per_step"), QUANTITY, PLASMA | WN_KEY_ABOVE_MIN), OAT(per_step),
     .def = "\"auto\"",
     .def_text = "auto: 20 if the species has density 0 and no other source gives it, "
                 "else by the weight of the species",
     .automatic = "auto", .max = 1e9,
     .help = "Macroparticles of a source in a step, on average, for a species of density "
             "0: this determines their weight.  The number up to any time is the rate "
             "times the time to within one."},
    {KEY(THERMOSTATS("species"), STRING, PLASMA), TAT(species),
     .def_text = "the only mobile species",
     .help = "Species of a thermostat, which gives its particles in a region new "
             "velocities at random times: those of a Maxwellian.  What their energies "
             "change by is in no sum.  Not on a GPU."},
    {QUANTITY(THERMOSTATS("temperature"), KT, PLASMA | WN_KEY_REQUIRED),
     TAT(temperature_ev), .max = 1e9,
     .help = "Temperature of the new velocities, kT or in K."},
    {QUANTITY(THERMOSTATS("time"), TIME, PLASMA | WN_KEY_REQUIRED | WN_KEY_ABOVE_MIN),
     TAT(time), .max = 1e3,
     .help =
         "Mean time between two new velocities of a particle: in a step of dt it gets "
         "one with the probability 1 - exp(-dt/time)."},
    {KEY(THERMOSTATS("low"), VECTOR, PLASMA | WN_KEY_PER_AXIS), .unit = WN_UNIT_LENGTH,
     TAT(low), .n = 3, .def = "\"auto\"", .automatic = "auto", .max = LONGEST,
     .help =
         "Lower end of the region of a thermostat along each axis.  auto: that of the "
         "domain."},
    {KEY(THERMOSTATS("high"), VECTOR, PLASMA | WN_KEY_PER_AXIS), .unit = WN_UNIT_LENGTH,
     TAT(high), .n = 3, .def = "\"auto\"", .automatic = "auto", .max = LONGEST,
     .help = "Upper end of the region along each axis.  auto: that of the domain."},
    {KEY(REACTIONS("reactants"), STRINGS, PLASMA | WN_KEY_REQUIRED), RAT(reactants),
     .n_offset = offsetof(struct wn_cfg_reaction, n_reactants),
     .help =
         "Species of a particle that reacts by itself or with the gas, as in "
         "[\"anions\"], or of two that react with each other in a cell, as in "
         "[\"electrons\", \"ions\"]; each event removes one particle of each.  The same "
         "name twice: two particles of one species.  Not on a GPU.  doc/plasma.md."},
    {KEY(REACTIONS("products"), STRINGS, PLASMA), RAT(products),
     .n_offset = offsetof(struct wn_cfg_reaction, n_products), .def = "[]",
     .help =
         "Species of the particles that each event creates at the place of the first "
         "reactant: up to two, and none for recombination.  The sum of the charges "
         "is that of the reactants.  Macroparticles of all species of a reaction have "
         "the same weight, density / per_cell; a density of 0 means that there are "
         "none at time 0."},
    {QUANTITY(REACTIONS("rate"), RATE, PLASMA), RAT(rate), .def = "\"none\"",
     .automatic = "none", .max = 1e20,
     .help = "Rate of a reaction of one particle: it reacts in a time t with the "
             "probability 1 - exp(-rate t).  none: `rate_constant` is used."},
    {QUANTITY(REACTIONS("rate_constant"), CONSTANT, PLASMA), RAT(rate_constant),
     .def = "\"none\"", .automatic = "none", .max = 1,
     .help =
         "Rate constant k.  Of two reactants: k n1 n2 events per volume and time, k n^2 "
         "if both are of one species, of which each event takes two.  Of one "
         "reactant: its rate is k times the density of `component`, or `density`."},
    {KEY(REACTIONS("exponent"), QUANTITY, PLASMA), RAT(exponent), .def = "0.0",
     .min = -10, .max = 10,
     .help =
         "Of two reactants: the rate constant is multiplied by (T/T0)^exponent, T the "
         "temperature of the first reactant in a cell, about its mean velocity, T0 "
         "`reference`: -0.7 for dissociative recombination of electrons that falls "
         "as T^-0.7."},
    {QUANTITY(REACTIONS("reference"), KT, PLASMA | WN_KEY_ABOVE_MIN), RAT(reference_ev),
     .def = "\"300 K\"", .max = 1e4,
     .help = "Temperature T0 at which `rate_constant` holds, as an energy kT or in K."},
    {KEY(REACTIONS("component"), STRING, PLASMA), RAT(component), .def_text = "none",
     .help = "Component of the gas (gas.components.<NAME>) whose density multiplies the "
             "rate constant of a reaction of one particle with the gas."},
    {QUANTITY(REACTIONS("density"), DENSITY, PLASMA), RAT(density), .def = "\"none\"",
     .automatic = "none", .max = 1e31,
     .help = "The same for a partner that is no component: its constant density, such as "
             "that of excited molecules."},
    {QUANTITY(REACTIONS("temperature"), KT, PLASMA), RAT(temperature_ev),
     .def = "\"300 K\"", .max = 1e4,
     .help =
         "Temperature of the products, as an energy kT or in K: each component of the "
         "velocity is normal with variance kT/m.  Velocities of the reactants are not "
         "passed on."},
    {QUANTITY(REACTIONS("energy"), ENERGY, PLASMA), RAT(energy_ev), .def = "\"thermal\"",
     .automatic = "thermal", .max = 1e6,
     .help =
         "Kinetic energy of each electron among the products (lighter than 100 me), in "
         "a random direction.  thermal: by `temperature`."},
    {KEY(FOLLOWED("sources"), STRINGS, PLASMA | WN_KEY_GAS | WN_KEY_REQUIRED),
     FAT(sources), .n_offset = offsetof(struct wn_cfg_followed, n_sources),
     .help =
         "Follows the density of the component <NAME> of the gas, such as a metastable "
         "state, as one number for the whole domain.  Each of these processes of "
         "electrons with other components makes one, by its name in the output "
         "(`process_name`), as in [\"Ar excitation Ar*\"]; each inelastic process of "
         "the component takes one.  Its processes happen in proportion to the density, "
         "up to that of gas.components.<NAME>.fraction, above which the run ends.  "
         "Not on a GPU.  doc/plasma.md."},
    {QUANTITY(FOLLOWED("density"), DENSITY, PLASMA | WN_KEY_GAS), FAT(density),
     .def = "0", .max = 1e31, .help = "The density at time 0."},
    {QUANTITY(FOLLOWED("loss"), RATE, PLASMA | WN_KEY_GAS), FAT(loss), .def = "0",
     .max = 1e20,
     .help =
         "Rate of losses in proportion to the density: quenching by the gas, diffusion "
         "to the walls, radiation."},
    {KEY(COULOMB("species"), STRINGS, PLASMA | WN_KEY_REQUIRED), CAT(species),
     .n_offset = offsetof(struct wn_cfg_coulomb, n_species),
     .help =
         "Coulomb collisions between charged particles of the same cell: one species, "
         "whose particles collide with each other, [\"electrons\"], or two species, "
         "whose particles collide with those of the other, [\"electrons\", "
         "\"ions\"].  Not on a GPU, and not in a run divided among processes."},
    {KEY(COULOMB("method"), WORD, PLASMA), CAT(method), .def = "\"nanbu\"",
     .words = coulomb_words,
     .help =
         "Method of Coulomb collisions.  takizuka-abe: many small angles, for short "
         "intervals.  nanbu: a cumulative angle, for intervals of any length.  perez: "
         "that of nanbu for relativistic particles, bounded in cold and dense plasmas."},
    {KEY(COULOMB("logarithm"), QUANTITY, PLASMA | WN_KEY_ABOVE_MIN), CAT(logarithm),
     .def = "\"auto\"", .automatic = "auto", .max = 1000,
     .help = "Coulomb logarithm.  auto: in each cell from densities and temperatures of "
             "all species of `plasma.coulomb`, at least 2."},
    {KEY(COULOMB("interval"), COUNT, PLASMA), CAT(interval), .def = "1", .min = 1,
     .max = 1e6,
     .help =
         "Steps from one collision of each particle to the next; each then stands for "
         "the collisions of that time."},
    {KEY(COULOMB("conserve"), WORD, PLASMA), CAT(conserve), .def = "\"average\"",
     .words = conserve_words,
     .help =
         "Momentum and energy of particles of unequal weights; those of equal weights "
         "conserve both in each collision.  average: conserved on average.  cell: the "
         "sums of each cell are restored by a common shift and factor of its "
         "velocities."},
    {KEY(PHOTOIONIZATION("ions"), STRING, PLASMA | WN_KEY_GAS),
     AT(plasma.photoionization.ions), .def_text = "none: no photoionization",
     .help = "Species of O2+ that photons of ionization make, with an electron each "
             "(doc/photoionization.md); it switches photoionization on.  Its density may "
             "be 0, "
             "and it may be that of species.<NAME>.ions.  Each ionization by an electron "
             "emits "
             "`efficiency` p_q/(p + p_q) photons on average, p the pressure of the gas "
             "and p_q "
             "`quenching_pressure`, which are absorbed by O2."},
    {KEY(PHOTOIONIZATION("electrons"), STRING, PLASMA | WN_KEY_GAS),
     AT(plasma.photoionization.electrons),
     .def_text = "the only electrons with collisions",
     .help =
         "Species of the electrons whose ionizations emit photons; the electrons that "
         "these release join it."},
    {KEY(PHOTOIONIZATION("efficiency"), QUANTITY, PLASMA | WN_KEY_GAS),
     AT(plasma.photoionization.efficiency), .def = "0.075", .max = 10,
     .help = "Photons per ionization that ionize O2, without quenching.  0: none."},
    {QUANTITY(PHOTOIONIZATION("quenching_pressure"), PRESSURE,
              PLASMA | WN_KEY_GAS | WN_KEY_ABOVE_MIN),
     AT(plasma.photoionization.quenching_pressure), .def = "\"40 mbar\"", .max = 1e12,
     .help =
         "Pressure of the gas at which collisions quench half of the excited molecules "
         "before they radiate.  Others take 30 Torr or 40 Torr."},
    {QUANTITY(PHOTOIONIZATION("oxygen_pressure"), PRESSURE,
              PLASMA | WN_KEY_GAS | WN_KEY_ABOVE_MIN),
     AT(plasma.photoionization.oxygen_pressure), .def = "\"auto\"", .automatic = "auto",
     .max = 1e9,
     .help = "Partial pressure of the oxygen, by which the photons are absorbed.  auto: "
             "the fraction of the components whose target is O2 times the pressure."},
    {QUANTITY(PHOTOIONIZATION("chi_min"), ABSORPTION,
              PLASMA | WN_KEY_GAS | WN_KEY_ABOVE_MIN),
     AT(plasma.photoionization.chi_min), .def = "\"0.035 cm-1 Torr-1\"", .max = 1e9,
     .help =
         "Smallest absorption coefficient of the photons per pressure of the oxygen."},
    {QUANTITY(PHOTOIONIZATION("chi_max"), ABSORPTION,
              PLASMA | WN_KEY_GAS | WN_KEY_ABOVE_MIN),
     AT(plasma.photoionization.chi_max), .def = "\"2 cm-1 Torr-1\"", .max = 1e9,
     .help = "The greatest.  The logarithm of that of a photon is uniform between both."},
    {QUANTITY(PHOTOIONIZATION("energy"), ENERGY, PLASMA | WN_KEY_GAS),
     AT(plasma.photoionization.energy_ev), .def = "\"0.3 eV\"", .max = 1e3,
     .help =
         "Kinetic energy of the new electrons, in all directions: that of the photons "
         "(98 to 102.5 nm, 12.65 to 12.10 eV) less 12.07 eV to ionize O2."},
    {KEY(PHOTOIONIZATION("weight"), QUANTITY, PLASMA | WN_KEY_GAS),
     AT(plasma.photoionization.weight), .def = "\"auto\"", .automatic = "auto",
     .min = 0.001, .max = 1,
     .help =
         "Weight of the new electrons and ions, of a macroparticle that the plasma has "
         "at the start: with 0.1 there are ten times as many, and each is followed as "
         "a tenth.  auto: that of the electron whose ionization emits the photon."},
    {KEY(PHOTOIONIZATION("weight_distances"), QUANTITIES,
         PLASMA | WN_KEY_GAS | WN_KEY_RISING),
     .unit = WN_UNIT_LENGTH, AT(plasma.photoionization.distances),
     N_AT(plasma.photoionization.n_distances), .def = "[]", .max = LONGEST,
     .help = "Distances from the axis of r-z, increasing, at which pairs have "
             "`distance_weights`, as in [\"0.4 mm\", \"2 mm\"]: light where single "
             "electrons decide, heavy and few elsewhere."},
    {KEY(PHOTOIONIZATION("distance_weights"), QUANTITIES, PLASMA | WN_KEY_GAS),
     AT(plasma.photoionization.distance_weights),
     N_AT(plasma.photoionization.n_distance_weights), .def = "[]", .min = 0.001,
     .max = 1e6,
     .help =
         "Weights of pairs at the distances of `weight_distances`, as in [0.05, "
         "10.0]; their logarithm is linear between two distances, and constant "
         "beyond the first and the last.  A photon of weight w that is absorbed "
         "where W > w is wanted is subject to Russian roulette: it leaves a pair of W "
         "with the probability w/W.  Where W is less the pair has w."},
    {KEY(PHOTOIONIZATION("pairs_per_step"), COUNT, PLASMA | WN_KEY_GAS),
     AT(plasma.photoionization.pairs_per_step), .def = "0", .max = 1e9,
     .help = "Pairs in a step above which they become heavier, about as many; 0: any "
             "number.  All of `distance_weights`, or `weight` where there are none, get "
             "a factor, from the number of the step before; photons keep their weight, "
             "and roulette is for the greater one."},
    {KEY(MERGING("species"), STRING, PLASMA), MAT(species),
     .def_text = "the only mobile species",
     .help = "Species whose macroparticles are merged where a cell has many, and split "
             "where it has few.  They need weights of their own: with collisions, or in "
             "two dimensions with three velocity components, or in three.  Not a "
             "reactant of `reactions`.  Not in a run divided among processes.  "
             "doc/merging.md."},
    {KEY(MERGING("per_cell_most"), COUNT, PLASMA | WN_KEY_REQUIRED), MAT(most), .min = 1,
     .max = 1e9,
     .help = "Macroparticles of a cell above which they are merged.  A pass halves their "
             "number at the most; the next goes on."},
    {KEY(MERGING("per_cell_least"), COUNT, PLASMA), MAT(least), .def = "0", .max = 1e9,
     .help = "Macroparticles of a cell below which the heaviest are halved, in each pass "
             "once; 0: none.  For species with collisions, after which halves part."},
    {KEY(MERGING("method"), WORD, PLASMA), MAT(method), .def = "\"weights\"",
     .words = merging_words,
     .help =
         "What becomes of macroparticles of similar velocity.  weights: up to ten become "
         "five of them by new weights, with the same charge, momentum and energy; any "
         "distribution is the same on average.  two: four, or three, become two of other "
         "velocities, with the same charge, momentum and energy; wide groups change the "
         "energy distribution.  one: two become one of them at random: the charge is "
         "the same, all else on average."},
    {KEY(MERGING("energy_classes"), QUANTITIES,
         PLASMA | WN_KEY_ABOVE_MIN | WN_KEY_RISING),
     .unit = WN_UNIT_ENERGY, MAT(classes_ev),
     .n_offset = offsetof(struct wn_cfg_merging, n_classes), .def = "[]", .max = 1e9,
     .help = "Energies, increasing, that merging does not cross: the weight between two "
             "of them does not change, as in [\"12 eV\", \"50 eV\"]."},
    {QUANTITY(MERGING("protected_energy"), ENERGY, PLASMA | WN_KEY_ABOVE_MIN),
     MAT(protect_ev), .def = "\"1000 MeV\"", .max = 1e9,
     .help = "Macroparticles above it are neither merged nor split, and none comes above "
             "it by merging."},
    {KEY(MERGING("least_weight"), QUANTITY, PLASMA | WN_KEY_ABOVE_MIN), MAT(least_weight),
     .def = "1", .max = 1e9,
     .help = "The least weight that halving makes, where a loaded macroparticle has 1."},
    {KEY(MERGING("most_weight"), QUANTITY, PLASMA | WN_KEY_ABOVE_MIN), MAT(most_weight),
     .def = "1e6", .max = 1e9,
     .help =
         "The greatest weight that merging makes, where a loaded macroparticle has 1."},
    {KEY(MERGING("interval"), COUNT, PLASMA), MAT(interval), .def = "1", .min = 1,
     .max = 1e6, .help = "Steps from one pass to the next."},
    {KEY(MERGING("weight_fields"), QUANTITIES, PLASMA | WN_KEY_RISING),
     .unit = WN_UNIT_FIELD, MAT(fields),
     .n_offset = offsetof(struct wn_cfg_merging, n_fields), .def = "[]", .max = 1e12,
     .help =
         "Fields, increasing, at which `weight_limits` are the greatest weights, as "
         "in [\"3 MV/m\", \"10 MV/m\"]: light macroparticles in a strong field, heavy "
         "ones in a weak field.  The field of a cell is the greatest at its nodes."},
    {KEY(MERGING("weight_limits"), QUANTITIES, PLASMA | WN_KEY_ABOVE_MIN),
     MAT(field_limits), .n_offset = offsetof(struct wn_cfg_merging, n_field_limits),
     .def = "[]", .max = 1e9,
     .help = "The greatest weights that merging makes in the fields of `weight_fields`, "
             "as in [1e4, 10.0]; their logarithm is linear between two fields, and "
             "constant beyond the first and the last.  The least of these, "
             "`distance_limits` and `most_weight` holds.  Heavier macroparticles are "
             "halved, once in a pass, where `per_cell_least` is above 0, while the cell "
             "has fewer than `per_cell_most`."},
    {KEY(MERGING("weight_centre"), VECTOR, PLASMA | WN_KEY_PER_AXIS),
     .unit = WN_UNIT_LENGTH, MAT(centre), .n = 3, .def = "\"auto\"", .automatic = "auto",
     .max = LONGEST,
     .help = "The place from which `weight_distances` are measured, such as the tip of "
             "a needle.  auto: the middle of the domain; along a radius the axis."},
    {KEY(MERGING("weight_distances"), QUANTITIES, PLASMA | WN_KEY_RISING),
     .unit = WN_UNIT_LENGTH, MAT(distances),
     .n_offset = offsetof(struct wn_cfg_merging, n_distances), .def = "[]",
     .max = LONGEST,
     .help = "Distances of the middle of a cell from `weight_centre`, increasing, at "
             "which `distance_limits` are the greatest weights."},
    {KEY(MERGING("distance_limits"), QUANTITIES, PLASMA | WN_KEY_ABOVE_MIN),
     MAT(distance_limits), .n_offset = offsetof(struct wn_cfg_merging, n_distance_limits),
     .def = "[]", .max = 1e9,
     .help = "The greatest weights that merging makes at the distances of "
             "`weight_distances`; between and beyond them as with `weight_limits`."},
    {KEY(TEST_ELECTRONS("number"), COUNT, PLASMA | WN_KEY_GAS),
     AT(plasma.test_electrons.number), .def = "0", .max = 1e8,
     .help = "Test electrons in each energy level, by which rare fast electrons are "
             "sampled (doc/runaway-plasma.md).  They start as copies of the electrons "
             "that rise through `from`, with smaller weights the higher the level.  They "
             "move, collide and multiply in the field of the plasma, and carry no "
             "charge.  0: none; else at least 32, one for each group by which errors are "
             "estimated.  Not in a run divided among processes."},
    {KEY(TEST_ELECTRONS("species"), STRING, PLASMA | WN_KEY_GAS),
     AT(plasma.test_electrons.species), .def_text = "the only electrons with collisions",
     .help = "Species of the electrons of which test electrons are copies."},
    {QUANTITY(TEST_ELECTRONS("from"), ENERGY, PLASMA | WN_KEY_GAS | WN_KEY_ABOVE_MIN),
     AT(plasma.test_electrons.from_ev), .def = "\"50 eV\"", .max = TOP_EV,
     .help = "Lowest energy of a test electron: one that is below it at the end of a "
             "step ends.  The lower it is, the more electrons of the plasma pass it, and "
             "the smaller the errors.  plasma.merging must not change electrons above "
             "it."},
    {KEY(TEST_ELECTRONS("thresholds"), QUANTITIES,
         PLASMA | WN_KEY_GAS | WN_KEY_ABOVE_MIN | WN_KEY_RISING),
     .unit = WN_UNIT_ENERGY, AT(plasma.test_electrons.thresholds_ev),
     N_AT(plasma.test_electrons.n_thresholds),
     .def = "[\"200 eV\", \"500 eV\", \"1 keV\", \"2 keV\", \"5 keV\", \"10 keV\"]",
     .max = TOP_EV,
     .help = "Energies, increasing and above `from`, whose passages by test electrons "
             "are counted.  A test electron ends where it passes the last one."},
    {KEY(TEST_ELECTRONS("levels_per_decade"), COUNT, PLASMA | WN_KEY_GAS),
     AT(plasma.test_electrons.levels_per_decade), .def = "10", .min = 1, .max = 100,
     .help = "Energy levels of test electrons in each decade, from `from` to the last of "
             "`thresholds`.  More levels resolve rarer electrons, at proportional cost."},
    {KEY(TEST_ELECTRONS("rows"), COUNT, PLASMA | WN_KEY_GAS),
     AT(plasma.test_electrons.rows), .def = "1000", .min = 1, .max = 1e5,
     .help = "Passages of each threshold of which time, place, direction, energy and "
             "weight are in the output: a random sample of all, whose number is in "
             "`passages_counted`."},
};

const size_t wn_config_operator_rows =
    sizeof wn_config_operator_keys / sizeof wn_config_operator_keys[0];
