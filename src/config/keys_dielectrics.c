/* src/config/keys_dielectrics.c - the keys of dielectric bodies inside the domain of model plasma; after those of
 * src/config/keys_electrodes.c */
#include "src/config/keys.h"

#define WORD(symbol, word) word,
static const char *const shape_words[] = {WN_ELECTRODE_SHAPES(WORD) NULL};
#undef WORD
static const char *const axis_words[] = {"x", "y", "z", NULL};

_Static_assert(sizeof shape_words / sizeof *shape_words - 1 == WN_N_ELECTRODE_KINDS,
               "a word per shape");

#define EAT(field)                                                                       \
  .named = &wn_config_dielectrics, .offset = offsetof(struct wn_cfg_electrode, field)
#define DIELECTRICS(name) "dielectrics." WN_KEY_NAME "." name

/* m: light takes some seconds */
#define LONGEST 1e9
/* m: places may lie outside the domain; -1 m is what is not given */
#define LOWEST (-0.999)

#define PLACE(name, field, text)                                                         \
  {                                                                                      \
    .key = DIELECTRICS(name), .type = WN_KEY_VECTOR, .unit = WN_UNIT_LENGTH,             \
    .flags = PLASMA | WN_KEY_PER_AXIS, EAT(field), .n = 3, .def = "\"none\"",            \
    .automatic = "none", .min = LOWEST, .max = LONGEST, .help = text                     \
  }

#define SIZE(name, field, text)                                                          \
  {                                                                                      \
    .key = DIELECTRICS(name), .type = WN_KEY_QUANTITY, .unit = WN_UNIT_LENGTH,           \
    .flags = PLASMA | WN_KEY_ABOVE_MIN, EAT(field), .def = "\"none\"",                   \
    .automatic = "none", .max = LONGEST, .help = text                                    \
  }

const struct wn_key wn_config_dielectric_keys[] = {
    {KEY(DIELECTRICS("shape"), WORD, PLASMA | WN_KEY_REQUIRED), EAT(shape),
     .words = shape_words,
     .help =
         "Shape of a dielectric body inside the domain, which has a permittivity, "
         "absorbs "
         "particles and keeps their charge on its surface; <NAME> is any name.  Shapes "
         "are "
         "those of `electrodes.<NAME>.shape`, with the same keys.  Electrodes in it come "
         "first.  In two and three dimensions, on the host, by plasma.solver differences "
         "or multigrid.  doc/dielectrics.md."},
    {KEY(DIELECTRICS("permittivity"), QUANTITY, PLASMA | WN_KEY_REQUIRED),
     EAT(permittivity), .min = 1, .max = 1e4,
     .help = "Relative permittivity of a dielectric, such as 4 of glass."},
    PLACE("centre", centre,
          "Centre of an ellipsoid or disc.  It may lie on a side of the domain, or "
          "outside."),
    {KEY(DIELECTRICS("semi_axes"), VECTOR, PLASMA | WN_KEY_PER_AXIS | WN_KEY_ABOVE_MIN),
     .unit = WN_UNIT_LENGTH, EAT(semi_axes), .n = 3, .def = "\"none\"",
     .automatic = "none", .max = LONGEST,
     .help = "Semi-axes of an ellipsoid along each axis of the grid."},
    PLACE("from", from,
          "One end of the line around which a rod lies, the centre of its "
          "hemisphere."),
    PLACE("to", to, "The other end of that line."),
    PLACE("low", low, "Lower corner of a box."),
    PLACE("high", high, "Upper corner of a box."),
    SIZE("radius", radius, "Radius of a rod or disc."),
    SIZE("thickness", thickness, "Thickness of a disc."),
    {KEY(DIELECTRICS("axis"), WORD, PLASMA), EAT(axis), .def = "\"y\"",
     .words = axis_words,
     .help = "Axis of a disc.  In r-z it is y, the second axis of the grid."},
    {QUANTITY(DIELECTRICS("edge_radius"), LENGTH, PLASMA), EAT(edge_radius), .def = "0",
     .max = LONGEST,
     .help = "Radius of the rounded edges of a box or disc.  0: sharp edges."},
    {KEY(DIELECTRICS("yield"), QUANTITY, PLASMA), EAT(wall.yield), .def = "0", .max = 100,
     .help =
         "Secondary electrons emitted from a dielectric, on average, for each positive "
         "ion "
         "that is absorbed there.  Their charge is taken from where the ion came in.  "
         "They join the species of electrons with collisions or, where none has, that of "
         "charge -1 and mass 1 me; there must be exactly one."},
    {QUANTITY(DIELECTRICS("emission_temperature"), KT, PLASMA), EAT(wall.emission_ev),
     .def = "\"2 eV\"", .max = 1e4,
     .help = "Temperature of these secondary electrons, kT or in K: their velocities are "
             "those "
             "of the flux of a Maxwellian out of the dielectric, with a mean energy of 2 "
             "kT.  "
             "0: they leave at rest."},
};

const size_t wn_config_dielectric_rows =
    sizeof wn_config_dielectric_keys / sizeof wn_config_dielectric_keys[0];
