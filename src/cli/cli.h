/* src/cli/cli.h - the commands that main.c calls and that run no scenario */
#ifndef WN_SRC_CLI_CLI_H
#define WN_SRC_CLI_CLI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct wn_cli_xs {
  size_t n_files;
  const char *const *file; /* LXCat files, or built-in sets */
  const char *gas;         /* "N2:0.8,O2:0.2" or "N2,O2"; NULL: all targets */
  const char *output;      /* netCDF file to write; NULL: none */
  bool keep;               /* do not replace an existing output */
  bool photons;            /* the files are photon data: wn_cli_xs_photons */
  int argc;                /* the command line, for the history of the output file */
  char *const *argv;
};

/* `wilson xs`: prints the contents of the files on stdout.  Returns a status. */
int wn_cli_xs(const struct wn_cli_xs *a);

/* `wilson xs --photons`: attenuation of photons and radiative friction of electrons, of elements, or of the gas. */
int wn_cli_xs_photons(const struct wn_cli_xs *a);

struct wn_cli_table {
  const char *file;   /* of a swarm run */
  const char *format; /* a name of table.h; NULL: csv */
  const char *output; /* NULL: stdout */
  bool keep;          /* do not replace an existing output */
  const char *unseen; /* "leave" (or NULL), "zero": rows without an event */
};

/* `wilson table`: a swarm run as a table for fluid codes. */
int wn_cli_table(const struct wn_cli_table *a);

struct wn_cli_vtk {
  const char *file;          /* of a run of model plasma */
  const char *format;        /* "vti" (or NULL), "legacy" */
  const char *output;        /* beginning of the names; NULL: FILE without .nc */
  const char *rho_e, *rho_i; /* species, with commas; NULL: by their charge */
  double scale;              /* of legacy values */
  bool keep;                 /* do not replace existing files */
};

/* `wilson vtk`: maps of a result file as files for ParaView, or for comparison with older codes. */
int wn_cli_vtk(const struct wn_cli_vtk *a);

struct wn_cli_converge {
  const char *file;
  size_t n_sets;
  const char *const *set; /* from --set and similar options, for wn_scenarios_read */
  const char *levels;     /* "2" (or NULL), "3" */
  const char *output;     /* NULL: FILE-converge.nc */
  bool keep;              /* do not replace an existing output */
  int argc;
  char *const *argv;
};

/* `wilson converge`: results at finer parameters (converge.h). */
int wn_cli_converge(const struct wn_cli_converge *a);

/* `wilson new`: writes the template `kind` to `path`, or to KIND.cfg where it is NULL, and says what to do with it.
 *   WN_EINPUT  no such template, with the nearest; or the file exists, which stays as it is
 *   WN_EIO     it cannot be written; nothing is left of it */
int wn_cli_new(const char *kind, const char *path);

/* `wilson open`: becomes wilson-plot --show FILE: that of $WILSON_PLOT, the one beside this program or in the tree of its build folder,
 * or the first in $PATH.  Returns only when none can be started: WN_ERUN, WN_ENOMEM. */
int wn_cli_open(const char *file);

/* What to try first, for `wilson` without a word. */
void wn_cli_first_words(FILE *to);

#endif
