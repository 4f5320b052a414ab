/* crosssections/xs_lxcat_scan.h - the structure of an LXCat text file, before its blocks
 * become processes.  Shared by xs_lxcat_scan.c (bytes to blocks), xs_lxcat.c (blocks to a
 * set) and xs_states.c (blocks between states); internal to crosssections/. */
#ifndef WN_CROSSSECTIONS_XS_LXCAT_SCAN_H
#define WN_CROSSSECTIONS_XS_LXCAT_SCAN_H
#include "crosssections/xs.h"

enum wn_xs_block_use {
  WN_XS_BLOCK_PROCESS, /* a process of an electron with one gas: kind says which */
  /* ROTATIONAL, VIBRATIONAL: between states that need their populations */
  WN_XS_BLOCK_STATE,
  WN_XS_BLOCK_ION /* ISOTROPIC, BACKSCAT: a process of an ion with one gas */
};

/* Lines of a block that give the products of its reaction. */
enum {
  WN_XS_PRODUCTS_REACTION,
  WN_XS_PRODUCTS_OUTPUT,
  WN_XS_PRODUCTS_PROCESS,
  WN_XS_N_PRODUCTS
};

struct wn_xs_block_remark {
  int line;
  char *text;
};

struct wn_xs_block {
  enum wn_xs_block_use use;
  enum wn_xs_kind kind;
  /* as in the list of keywords, even when the block itself has none */
  const char *keyword;
  bool keyless;           /* found by its PROCESS line alone */
  int line;               /* of the keyword, or of PROCESS */
  int n_head;             /* lines of the head that are not blank */
  char *target, *product; /* of line 2, else of PROCESS */
  char *ion;              /* of a block of ions, "Ar+"; NULL: not given */
  bool from_process;      /* target and product come from PROCESS */
  bool reversible;
  char *species, *process, *database, *comment, *updated;
  /* products of the reaction, without electrons, from REACTION, OUTPUT_SPECIES and
   * PROCESS; NULL where the block has no such line */
  char *products[WN_XS_N_PRODUCTS];
  /* kind from the last word of PROCESS; WN_XS_N_KINDS: none */
  enum wn_xs_kind process_kind;
  bool has_value, has_weight, has_param_e, has_param_m, has_param_g;
  double value, weight;             /* line 3 */
  double param_e, param_m, param_g; /* E, m/M, g1/g0 of PARAM */
  double param_mi, param_mi_m;      /* Mi [u], Mi/M of PARAM; 0: not there */
  bool times_n;                     /* TIMES_N: CM3 */
  size_t n, cap;
  double *energy_ev, *sigma;
  int *row_line;
  /* lines in the table that hold no numbers, the first of them at ... */
  size_t n_not_a_row;
  int not_a_row_line;
  char *error; /* first error in the block, and its line */
  int error_line;
};

struct wn_xs_blocks {
  size_t n;
  struct wn_xs_block *block;
  size_t n_remarks; /* about the file as a whole */
  struct wn_xs_block_remark *remark;
};

/* Read a whole file.  WN_EIO when unreadable; WN_EINPUT, with file:line, when it is no
 * text or its blocks cannot be told apart (a table that is not closed, a block without a
 * table, a table without a block). Errors inside one block wait in block->error. */
int wn_xs_lxcat_scan(const char *path, struct wn_xs_blocks *out);
void wn_xs_lxcat_scan_free(struct wn_xs_blocks *b);

/* xs_lxcat.c: a block of electrons, checked and repaired, to a set of its target; f: the file
 * that it is of. */
struct wn_xs_set;
int wn_xs_lxcat_add(struct wn_xs_set *set, const struct wn_xs_blocks *f,
                    const struct wn_xs_block *b);

#endif
