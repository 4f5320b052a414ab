/* src/config/keys_shapes.h - the keys of a shape inside the domain, of which electrodes and dielectrics are made */
#ifndef WN_SRC_CONFIG_KEYS_SHAPES_H
#define WN_SRC_CONFIG_KEYS_SHAPES_H
#include "src/config/keys.h"

#define WN_SHAPE_WORD(symbol, word) word,
static const char *const shape_words[] = {WN_ELECTRODE_SHAPES(WN_SHAPE_WORD) NULL};
#undef WN_SHAPE_WORD
static const char *const axis_words[] = {"x", "y", "z", NULL};

_Static_assert(sizeof shape_words / sizeof *shape_words - 1 == WN_N_ELECTRODE_KINDS,
               "a word per shape");

/* m: light takes some seconds */
#define WN_SHAPE_MOST 1e9
/* m: places may lie outside the domain; -1 m is what is not given */
#define WN_SHAPE_LEAST (-0.999)

#define WN_SHAPE_PLACE(key_, field, text)                                                \
  {                                                                                      \
    .key = (key_), .type = WN_KEY_VECTOR, .unit = WN_UNIT_LENGTH,                        \
    .flags = PLASMA | WN_KEY_PER_AXIS, EAT(field), .n = 3, .def = "\"none\"",            \
    .automatic = "none", .min = WN_SHAPE_LEAST, .max = WN_SHAPE_MOST, .help = text       \
  }

#define WN_SHAPE_SIZE(key_, field, text)                                                 \
  {                                                                                      \
    .key = (key_), .type = WN_KEY_QUANTITY, .unit = WN_UNIT_LENGTH,                      \
    .flags = PLASMA | WN_KEY_ABOVE_MIN, EAT(field), .def = "\"none\"",                   \
    .automatic = "none", .max = WN_SHAPE_MOST, .help = text                              \
  }

/* All keys but `shape`.  NAME("radius"): the key in its group; EAT(field): where a member of struct wn_cfg_electrode is. */
#define WN_SHAPE_KEYS(NAME)                                                              \
  WN_SHAPE_PLACE(NAME("centre"), centre,                                                 \
                 "Centre of an ellipsoid or disc.  It may lie on a side of the domain, " \
                 "or outside."),                                                         \
      {KEY(NAME("semi_axes"), VECTOR, PLASMA | WN_KEY_PER_AXIS | WN_KEY_ABOVE_MIN),      \
       .unit = WN_UNIT_LENGTH,                                                           \
       EAT(semi_axes),                                                                   \
       .n = 3,                                                                           \
       .def = "\"none\"",                                                                \
       .automatic = "none",                                                              \
       .max = WN_SHAPE_MOST,                                                             \
       .help = "Semi-axes of an ellipsoid along each axis of the grid."},                \
      WN_SHAPE_PLACE(NAME("from"), from,                                                 \
                     "One end of the line around which a rod lies, the centre of its "   \
                     "hemisphere."),                                                     \
      WN_SHAPE_PLACE(NAME("to"), to, "The other end of that line."),                     \
      WN_SHAPE_PLACE(NAME("low"), low, "Lower corner of a box."),                        \
      WN_SHAPE_PLACE(NAME("high"), high, "Upper corner of a box."),                      \
      WN_SHAPE_SIZE(NAME("radius"), radius, "Radius of a rod or disc."),                 \
      WN_SHAPE_SIZE(NAME("thickness"), thickness, "Thickness of a disc."),               \
      {KEY(NAME("axis"), WORD, PLASMA), EAT(axis), .def = "\"y\"", .words = axis_words,  \
       .help = "Axis of a disc.  In r-z it is y, the second axis of the grid."},         \
  {                                                                                      \
    QUANTITY(NAME("edge_radius"), LENGTH, PLASMA), EAT(edge_radius),                     \
        .def = "0", .max = WN_SHAPE_MOST,                                                \
        .help = "Radius of the rounded edges of a box or disc.  0: sharp edges."         \
  }

#endif
