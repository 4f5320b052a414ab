/* wilson.h - Wilson as a library: a run that is stepped, asked and driven by another program.  doc/library.md.
 *
 * Stands alone: C11 or C++.  Units are SI unless a name says otherwise.  No call exits.  Messages are kept
 * (wilson_message); what threads of OpenMP say of an error goes to stderr.  Calls of one run come from one thread at a time.
 * A process has one run at a time: state of the program, of netCDF and of HDF5 is global.  Wilson itself works in a thread of
 * its own, and in those of OpenMP. */
#ifndef WILSON_H
#define WILSON_H
#include <stddef.h>
#include <stdint.h>

/* What libwilson.so exports. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when a program that was compiled before must be compiled again; the number of libwilson.so, too. */
#define WILSON_ABI 1
int wilson_abi(void);             /* that of the library */
const char *wilson_version(void); /* "0.1.0" */

enum wilson_status {
  WILSON_OK,
  WILSON_ENOMEM, /* out of memory */
  WILSON_EINPUT, /* scenario, keys, cross sections, or an argument */
  WILSON_EIO,    /* a file */
  WILSON_ERUN,   /* the run failed, or cannot do this now */
  WILSON_EFULL,  /* the store of particles was full: the file has the results so far */
  WILSON_ECUDA,  /* a call to the GPU failed */
  WILSON_ELIMIT, /* a limit of `checkpoint` was reached: restart "auto" continues from it */
  WILSON_EINTERN /* a mistake of the library */
};

struct wilson_run;

struct wilson_setup {
  const char *file; /* the scenario file */
  size_t n_keys;    /* values in place of its own, as of `--set`: "electrons=1000" */
  const char *const *keys; /* [n_keys] */
  const char *output;      /* the result file; NULL: as the scenario says */
  const char
      *restart; /* a checkpoint, or "auto", as of `--restart`; NULL: from the beginning */
};

/* Reads, checks and begins a run: at time 0 of its first case, or where the checkpoint was written.  *out is set also after an
 * error, for its message, but for WILSON_ENOMEM and where there is no file (no text); it ends with wilson_end. */
int wilson_open(const struct wilson_setup *setup, struct wilson_run **out);
/* The same of the text of a scenario.  Errors name its lines as those of a file: setup->file is then its name, beside which
 * files that it names are searched, and need not be there; NULL: scenario.cfg, in the working folder. */
int wilson_open_text(const char *text, const struct wilson_setup *setup,
                     struct wilson_run **out);

/* The messages so far, a line each, as `wilson run` prints them; "" if there are none.  Valid until the next call. */
const char *wilson_message(struct wilson_run *run);

/* Makes up to n steps, fewer where a case ends.  From the end of a case it goes to time 0 of the next, and makes no step;
 * from that of the last it finishes the run, and the file is complete.  After an error each call returns that error. */
int wilson_step(struct wilson_run *run, uint64_t n);
/* Makes steps until the time of the case, s, is `time` or more, or the case ends. */
int wilson_advance(struct wilson_run *run, double time);
/* The rest of the run, to its complete file. */
int wilson_finish(struct wilson_run *run);
/* Ends the run, finished or not, and frees it.  Of an unfinished one OUTPUT.part stays with its finished records. */
void wilson_end(struct wilson_run *run);

struct wilson_state {
  double time;      /* s, of the case */
  uint64_t n_steps; /* of the case */
  size_t i_case;    /* of the scenario, from 0 */
  int case_is_over, is_finished;
};
void wilson_state(const struct wilson_run *run, struct wilson_state *out);

/* ---- what is there now.  None of it changes a result.  WILSON_ERUN when the run is finished or has failed. */

size_t wilson_n_species(const struct wilson_run *run);
const char *wilson_species_name(const struct wilson_run *run, size_t species);

/* Sums over a species.  Of a swarm or of runaways: of the weights of the electrons that were released and came of them. */
struct wilson_sums {
  double macroparticles;
  double particles;   /* real ones; in fewer than three dimensions per m2 or m */
  double energy;      /* J, kinetic */
  double momentum[3]; /* kg m/s */
};
int wilson_sums(struct wilson_run *run, size_t species, struct wilson_sums *out);

/* Nodes of the grid along x, y, z, 1 where it has no such axis; all 0: the run has no grid. */
void wilson_nodes(const struct wilson_run *run, size_t nodes[3]);
/* V at the nodes, x fastest, of the field of the last step: at its middle.  n: room in phi.  After a step of this run. */
int wilson_potential(struct wilson_run *run, double *phi, size_t n);

/* m-3 of a species at the nodes, as phi: real particles at the middle of the last step, as its charge was deposited. */
int wilson_density(struct wilson_run *run, size_t species, double *density, size_t n);

/* ---- what drives it, from the next step on.  The file does not know of it, nor does a checkpoint: set it again. */

/* The uniform field, V/m along that of the scenario.  Jobs that follow electrons in time (runaway); those that measure in one
 * field (swarm, runaway-rate) refuse. */
int wilson_set_field(struct wilson_run *run, double field);
/* The voltage, V, of a side ("x_low") or an electrode, or of the source behind its circuit; field electrostatic. */
int wilson_set_voltage(struct wilson_run *run, const char *surface, double volts);

#ifdef __cplusplus
}
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
