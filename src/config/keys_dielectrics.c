/* src/config/keys_dielectrics.c - the keys of dielectric bodies inside the domain of model plasma; after those of
 * src/config/keys_electrodes.c */
#include "src/config/keys_shapes.h"

#define EAT(field)                                                                       \
  .named = &wn_config_dielectrics, .offset = offsetof(struct wn_cfg_electrode, field)
#define DIELECTRICS(name) "dielectrics." WN_KEY_NAME "." name

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
    WN_SHAPE_KEYS(DIELECTRICS),
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
