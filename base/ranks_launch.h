/* base/ranks_launch.h - was this process started as one of several?  Launchers set environment
 * variables: Open MPI's and PRRTE's mpirun, MPICH's and Intel's (hydra), and srun of Slurm.
 * MPI itself is not used for this, as its start takes a tenth of a second. */
#ifndef WN_BASE_RANKS_LAUNCH_H
#define WN_BASE_RANKS_LAUNCH_H
#include <stdlib.h>
#include <string.h>

/* The number of processes; 1: a single one, or not known. */
static inline int wn_ranks_launched(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                      "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *text = getenv(names[i]);
    if (text != NULL && atoi(text) > 1)
      return atoi(text);
  }
  /* a job step of srun has a number; the script of a batch job has none */
  const char *step = getenv("SLURM_STEP_ID"), *tasks = getenv("SLURM_STEP_NUM_TASKS");
  if (step != NULL && tasks != NULL && strspn(step, "0123456789") == strlen(step) &&
      atoi(tasks) > 1)
    return atoi(tasks);
  return 1;
}

#endif
