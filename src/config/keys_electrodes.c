/* src/config/keys_electrodes.c - the keys of electrodes inside the domain of model plasma; after those of
 * src/config/keys_domain.c */
#include "src/config/keys_shapes.h"

#include "physics/constants.h"

static const char *const law_words[] = {"cosine", "specular", NULL};
static const char *const number_words[] = {"nearest", "poisson", NULL};

#define EAT(field)                                                                       \
  .named = &wn_config_electrodes, .offset = offsetof(struct wn_cfg_electrode, field)
#define ELECTRODES(name) "electrodes." WN_KEY_NAME "." name

const struct wn_key wn_config_electrode_keys[] = {
    {KEY(ELECTRODES("shape"), WORD, PLASMA | WN_KEY_REQUIRED), EAT(shape),
     .words = shape_words,
     .help =
         "Shape of an electrode inside the domain, which has a potential and absorbs "
         "particles; <NAME> is any name.  ellipsoid: `centre`, `semi_axes`; with its "
         "centre "
         "on a wall it is a needle.  rod: `from`, `to`, `radius`, with hemispherical "
         "ends.  "
         "box: `low`, `high`, `edge_radius`.  disc: `centre`, `radius`, `thickness`, "
         "`axis`, `edge_radius`.  In r-z it is swept around the axis.  In two and three "
         "dimensions.  doc/electrodes.md."},
    {KEY(ELECTRODES("part_of"), STRING, PLASMA), EAT(part_of),
     .def_text = "none: an electrode itself",
     .help =
         "The electrode to which this shape belongs: it has its potential, and counts "
         "what it takes there."},
    WN_SHAPE_KEYS(ELECTRODES),
    {QUANTITY(ELECTRODES("voltage"), VOLTAGE, PLASMA), EAT(wall.voltage), .def = "0",
     .min = -1e9, .max = 1e9,
     .help = "Potential of an electrode: its constant part, to which `amplitude` adds a "
             "sine, as at walls.<NAME>."},
    {QUANTITY(ELECTRODES("amplitude"), VOLTAGE, PLASMA), EAT(wall.amplitude), .def = "0",
     .min = -1e9, .max = 1e9,
     .help = "Amplitude of the sinusoidal part of the potential of an electrode."},
    {QUANTITY(ELECTRODES("frequency"), FREQUENCY, PLASMA), EAT(wall.frequency),
     .def = "0", .max = 1e18,
     .help = "Frequency of the sinusoidal part of the potential of an electrode."},
    {QUANTITY(ELECTRODES("phase"), ANGLE, PLASMA), EAT(wall.phase), .def = "0",
     .min = -2 * WN_PI * (1 + 1e-15),
     .max = 2 * WN_PI * (1 + 1e-15), /* so that 360 deg is allowed */
     .help = "Phase at time 0 of that sine; 90 deg makes it a cosine."},
    {QUANTITY(ELECTRODES("pulse_start"), TIME, PLASMA), EAT(wall.pulse_start),
     .def = "\"none\"", .automatic = "none", .max = 1e3,
     .help =
         "Time at which the potential of an electrode is switched on; it is 0 before.  "
         "none: it is on from the beginning."},
    {QUANTITY(ELECTRODES("pulse_end"), TIME, PLASMA), EAT(wall.pulse_end),
     .def = "\"none\"", .automatic = "none", .max = 1e3,
     .help =
         "Time at which the potential of an electrode is switched off and is 0 again.  "
         "none: it stays on."},
    {QUANTITY(ELECTRODES("capacitance"), FARAD, PLASMA), EAT(wall.capacitance),
     .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help =
         "Capacitor between the voltage of an electrode and the electrode, in r-z and in "
         "three dimensions.  none: there is none.  0: a floating electrode, to which "
         "nothing is connected.  Its charge is 0 at the start."},
    {QUANTITY(ELECTRODES("resistance"), OHM, PLASMA), EAT(wall.resistance), .def = "0",
     .max = 1e18,
     .help = "Resistor in series between the voltage of an electrode and the electrode.  "
             "0: there is none."},
    {QUANTITY(ELECTRODES("inductance"), HENRY, PLASMA), EAT(wall.inductance), .def = "0",
     .max = 1e6,
     .help = "Inductor in series between the voltage of an electrode and the electrode.  "
             "0: there is none.  Its current is 0 at the start."},
    {KEY(ELECTRODES("yield"), QUANTITY, PLASMA), EAT(wall.yield), .def = "0", .max = 100,
     .help =
         "Secondary electrons emitted from an electrode, on average, for each "
         "positive ion that is absorbed there.  "
         "They join the species of electrons with collisions or, where none has, that of "
         "charge -1 and mass 1 me; there must be exactly one."},
    {QUANTITY(ELECTRODES("emission_temperature"), KT, PLASMA), EAT(wall.emission_ev),
     .def = "\"2 eV\"", .max = 1e4,
     .help =
         "Temperature of secondary electrons, kT or in K: their velocities are those "
         "of the flux of a Maxwellian out of the electrode, with a mean energy of 2 kT.  "
         "0: they leave at rest.  Of those by ions (`yield`) and by electrons "
         "(`electron_yield`)."},
    {KEY(ELECTRODES("electron_reflection"), QUANTITY, PLASMA),
     EAT(wall.electron_reflection), .def = "0", .max = 1,
     .help =
         "Probability that an electrode reflects an electron elastically: it leaves "
         "with its energy, in a direction by `electron_reflection_law`.  Of all species "
         "of charge -1 and mass 1 me, with collisions or without."},
    {KEY(ELECTRODES("electron_reflection_law"), WORD, PLASMA), EAT(wall.reflection_law),
     .def = "\"cosine\"", .words = law_words,
     .help =
         "Directions of reflected electrons.  cosine: by the cosine law, whatever the "
         "direction of incidence.  specular: as of a mirror."},
    {KEY(ELECTRODES("electron_backscattering"), QUANTITY, PLASMA),
     EAT(wall.electron_backscattering), .def = "0", .max = 1,
     .help = "Probability that an electrode scatters an electron back inelastically: "
             "with an energy uniform between 0 and its own, by the cosine law.  Not both "
             "this and a reflection happen."},
    {KEY(ELECTRODES("electron_yield"), QUANTITY, PLASMA), EAT(wall.electron_yield),
     .def = "0", .max = 100,
     .help =
         "True secondary electrons that an electrode releases, on average, for each "
         "incident electron, beside those reflected and scattered back.  A constant, or, "
         "with `electron_yield_energy`, the maximum at normal incidence of Vaughan's "
         "formula for energy and angle.  They have `emission_temperature` and the weight "
         "of the incident electron."},
    {QUANTITY(ELECTRODES("electron_yield_energy"), ENERGY, PLASMA | WN_KEY_ABOVE_MIN),
     EAT(wall.yield_energy_ev), .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help = "Energy of normal incidence at which `electron_yield` is reached, Emax0 of "
             "Vaughan's formula, such as 300 eV.  none: the yield is the same "
             "at all energies and angles."},
    {QUANTITY(ELECTRODES("electron_yield_threshold"), ENERGY, PLASMA),
     EAT(wall.yield_threshold_ev), .def = "\"12.5 eV\"", .max = 1e6,
     .help = "Energy up to which no true secondaries are released, E0 of Vaughan's "
             "formula."},
    {KEY(ELECTRODES("electron_yield_smoothness"), QUANTITY, PLASMA),
     EAT(wall.yield_smoothness), .def = "1.0", .max = 2,
     .help =
         "Smoothness ks of Vaughan's formula, by which yield and energy of its maximum "
         "rise with the angle of incidence: 0 for rough surfaces, 1 for typical ones, "
         "2 for polished ones."},
    {KEY(ELECTRODES("electron_yield_number"), WORD, PLASMA), EAT(wall.electron_number),
     .def = "\"nearest\"", .words = number_words,
     .help = "How the number of true secondaries of one electron is drawn.  nearest: one "
             "of the two integers beside the mean.  poisson: by Poisson's law with this "
             "mean, with more scatter."},
};

const size_t wn_config_electrode_rows =
    sizeof wn_config_electrode_keys / sizeof wn_config_electrode_keys[0];
