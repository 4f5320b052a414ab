/* src/config/keys_electrodes.c - the keys of electrodes inside the domain of model plasma; after those of
 * src/config/keys_domain.c */
#include "src/config/keys.h"

#include "physics/constants.h"

#define WORD(symbol, word) word,
static const char *const shape_words[] = {WN_ELECTRODE_SHAPES(WORD) NULL};
#undef WORD
static const char *const axis_words[] = {"x", "y", "z", NULL};

_Static_assert(sizeof shape_words / sizeof *shape_words - 1 == WN_N_ELECTRODE_KINDS,
               "a word per shape");

#define EAT(field)                                                                       \
  .named = &wn_config_electrodes, .offset = offsetof(struct wn_cfg_electrode, field)
#define ELECTRODES(name) "electrodes." WN_KEY_NAME "." name

/* m: light takes some seconds */
#define LONGEST 1e9
/* m: places may lie outside the domain; -1 m is what is not given */
#define LOWEST (-0.999)

#define PLACE(name, field, text)                                                         \
  {                                                                                      \
    .key = ELECTRODES(name), .type = WN_KEY_VECTOR, .unit = WN_UNIT_LENGTH,              \
    .flags = PLASMA | WN_KEY_PER_AXIS, EAT(field), .n = 3, .def = "\"none\"",            \
    .automatic = "none", .min = LOWEST, .max = LONGEST, .help = text                     \
  }

#define SIZE(name, field, text)                                                          \
  {                                                                                      \
    .key = ELECTRODES(name), .type = WN_KEY_QUANTITY, .unit = WN_UNIT_LENGTH,            \
    .flags = PLASMA | WN_KEY_ABOVE_MIN, EAT(field), .def = "\"none\"",                   \
    .automatic = "none", .max = LONGEST, .help = text                                    \
  }

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
         "dimensions, on the host, by one process.  doc/electrodes.md."},
    {KEY(ELECTRODES("part_of"), STRING, PLASMA), EAT(part_of),
     .def_text = "none: an electrode itself",
     .help =
         "The electrode to which this shape belongs: it has its potential, and counts "
         "what it takes there."},
    PLACE("centre", centre,
          "Centre of an ellipsoid or disc.  It may lie on a side of the domain, or "
          "outside."),
    {KEY(ELECTRODES("semi_axes"), VECTOR, PLASMA | WN_KEY_PER_AXIS | WN_KEY_ABOVE_MIN),
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
    {KEY(ELECTRODES("axis"), WORD, PLASMA), EAT(axis), .def = "\"y\"",
     .words = axis_words,
     .help = "Axis of a disc.  In r-z it is y, the second axis of the grid."},
    {QUANTITY(ELECTRODES("edge_radius"), LENGTH, PLASMA), EAT(edge_radius), .def = "0",
     .max = LONGEST,
     .help = "Radius of the rounded edges of a box or disc.  0: sharp edges."},
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
};

const size_t wn_config_electrode_rows =
    sizeof wn_config_electrode_keys / sizeof wn_config_electrode_keys[0];
