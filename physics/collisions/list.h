/* physics/collisions/list.h - the kinds of collision processes: a line each, and there is
 * no other list of them.
 *
 *   LEAVES(KIND, name, file)
 *
 *   LEAVES  what becomes of the electron, and so which code does the collision:
 *             SCATTERS  a new direction, less energy by the loss.  Slow electrons in single
 *                       precision, many at a time, in the common kernel of a GPU
 *             SPLITS    the electron and a newborn.  Many at a time; in the kernel of what
 *                       is rare
 *             ENDS      no electron
 *             SLOWS     the electron, with less energy, as the function of the process says.  Many at a
 *                       time; in the kernel of what is rare
 *             OTHER     the electron, as the function of the process says.  One at a time;
 *                       in the kernel of what is rare
 *   KIND    of enum wn_process_kind and enum wn_xs_kind (crosssections/xs.h), and the
 *           keyword of its blocks in LXCat files
 *   name    in labels, output and messages
 *   file    physics/collisions/FILE.h has the function wn_mcc_FILE, which
 *           physics/mcc_collide.h calls
 *
 * Code that goes through the list passes a macro for each word of the first column. */
#ifndef WN_PHYSICS_COLLISIONS_LIST_H
#define WN_PHYSICS_COLLISIONS_LIST_H
#include "physics/host_device.h"

#define WN_PROCESSES(SCATTERS, SPLITS, ENDS, SLOWS, OTHER)                               \
  SCATTERS(ELASTIC, "elastic", scattering)                                               \
  SCATTERS(EXCITATION, "excitation", scattering)                                         \
  SPLITS(IONIZATION, "ionization", ionization)                                           \
  ENDS(ATTACHMENT, "attachment", attachment)                                             \
  SLOWS(FRICTION, "friction", friction)                                                  \
  /* the next */

#define WN_NO_KIND(KIND, name, file)

enum wn_process_kind {
#define KIND_OF(KIND, name, file) WN_PROC_##KIND,
  WN_PROCESSES(KIND_OF, KIND_OF, KIND_OF, KIND_OF, KIND_OF)
#undef KIND_OF
};

/* wn_process_scatters(kind) and so on: what a process of this kind leaves; is_other: what the kernel of
 * what is rare does for one electron that goes on. */
#define WN_IS_KIND(KIND, name, file) || (kind == WN_PROC_##KIND)
#define WN_PROCESS_TEST(name, SCATTERS, SPLITS, ENDS, SLOWS, OTHER)                      \
  static WN_HD int wn_process_##name(int kind)                                           \
  {                                                                                      \
    (void)kind; /* there may be none */                                                  \
    return 0 WN_PROCESSES(SCATTERS, SPLITS, ENDS, SLOWS, OTHER);                         \
  }
WN_PROCESS_TEST(scatters, WN_IS_KIND, WN_NO_KIND, WN_NO_KIND, WN_NO_KIND, WN_NO_KIND)
WN_PROCESS_TEST(splits, WN_NO_KIND, WN_IS_KIND, WN_NO_KIND, WN_NO_KIND, WN_NO_KIND)
WN_PROCESS_TEST(ends, WN_NO_KIND, WN_NO_KIND, WN_IS_KIND, WN_NO_KIND, WN_NO_KIND)
WN_PROCESS_TEST(slows, WN_NO_KIND, WN_NO_KIND, WN_NO_KIND, WN_IS_KIND, WN_NO_KIND)
WN_PROCESS_TEST(is_other, WN_NO_KIND, WN_NO_KIND, WN_NO_KIND, WN_IS_KIND, WN_IS_KIND)

#endif
