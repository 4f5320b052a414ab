/* t0334-study.c - defends: runs of the scheduler study (bench/study/study) print the same bits
 * by every scheduler, with any number of threads and of processes, on the CPU and on a GPU;
 * another seed others; and a population that outgrows the store is not cut: the run ends with
 * its last whole step, with exit status 1 and a message that says what to change, neither a
 * step too early nor too late.  Reference: the run by `serial`; all digits are printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/ranks.h"
#include "bench/study/lists.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/ranks.h"
#include "t/tap/tap.h"

#define SPLIT                                                                            \
  "--model split-remove electrons=500 split_remove.cells=64 split_remove.edge=8 "        \
  "split_remove.mobility_steps=100 split_remove.mobility_step='100 ps' "

static const struct {
  const char *name, *run;
} cases[] = {
    {"split-remove", SPLIT "split_remove.poisson_steps=5"},
    {"rectangle",
     "--model rectangle electrons=1500 rectangle.split_chance=0.5 "
     "rectangle.remove_chance=0.3 rectangle.poisson_steps=5 rectangle.mobility_steps=50"},
    {"box", "--model box electrons=1500 box.poisson_steps=5 box.mobility_steps=50 "
            "box.mobility_step='5 ms'"},
};

static char alone[sizeof command_out];

static void same(const char *name, const char *how)
{
  if (!ok(strcmp(command_out, alone) == 0 && *alone, "%s: %s prints the bits of serial",
          name, how))
    diag("%.900s\n%.900s", command_out, command_err);
}

static void by(const char *name, const char *run, const char *options)
{
  is_int(command("%s run %s %s", command_study(), run, options), 0, "%s: with `%s`", name,
         options);
  same(name, options);
}

static void one_case(const char *name, const char *run, int has_ranks)
{
  static const char *const threads[] = {"device=cpu threads=3", "device=cpu threads=1",
                                        "device=cpu threads=2", "device=cpu seed=1"};
  const struct wn_scheduler_ops *ops;
  const char *why;
  char options[128];
  is_int(command("%s run %s scheduler=serial", command_study(), run), 0, "%s: alone",
         name);
  snprintf(alone, sizeof alone, "%s", command_out);
  for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++)
    by(name, run, threads[i]);
  for (int n = 2; has_ranks && n < 4; n++) {
    is_int(
        command("mpirun -n %d %s run %s device=cpu threads=1", n, command_study(), run),
        0, "%s: on %d processes", name, n);
    same(name, "a run of several processes");
  }
  for (size_t i = 0; gpu_there(&why) && (ops = wn_study_scheduler(i)) != NULL; i++)
    if (ops->device == WN_DEVICE_CUDA && ops->supports == NULL) {
      snprintf(options, sizeof options, "device=cuda scheduler=%s", ops->name);
      by(name, run, options);
      snprintf(options, sizeof options, "device=cuda scheduler=%s block_size=64",
               ops->name);
      by(name, run, options);
    }
  is_int(command("%s run %s seed=2", command_study(), run), 0, "%s: another seed", name);
  ok(strcmp(command_out, alone) != 0, "%s: gives other numbers", name);
}

/* Rows of a table. */
struct row {
  size_t n, births;
};
static size_t rows(const char *text, struct row *r, size_t most)
{
  size_t n = 0, step;
  for (const char *at = strchr(text, '\n'); at != NULL && n < most;
       at = strchr(at + 1, '\n'))
    n += sscanf(at, " %zu %*s %zu %zu", &step, &r[n].n, &r[n].births) == 3;
  return n;
}

static void full(const char *scheduler, const char *device)
{
  struct row r[12];
  size_t most = 0, last = 0;
  char what[128];
  snprintf(what, sizeof what, "split-remove, %s", scheduler);
  is_int(command("%s run " SPLIT "split_remove.poisson_steps=12 scheduler=serial "
                 "population.capacity=100000",
                 command_study()),
         0, "%s: a store that is large enough", what);
  snprintf(alone, sizeof alone, "%s", command_out);
  const size_t n = rows(alone, r, 12);
  is_int((long long)n, 12, "%s: a row each", what);
  /* places that a step needs: electrons before it and births, the dead among them; the
   * first step after some that needs more than any before it does not fit into one less
   */
  for (size_t i = 0; i < n; i++) {
    const size_t places = (i > 0 ? r[i - 1].n : 500) + r[i].births;
    if (places > most) {
      most = places;
      last = i;
      if (i >= 3)
        break;
    }
  }
  if (!ok(last >= 3, "%s: step %zu needs most places, %zu", what, last + 1, most))
    return;
  const int status = command("%s run " SPLIT "split_remove.poisson_steps=12 "
                             "scheduler=%s device=%s population.capacity=%zu",
                             command_study(), scheduler, device, most - 1);
  /* a newborn that dies in its step before it was stored needs no place: `dynamic` has
   * some in shared memory, and may do with one place less */
  if (status == 0 && strcmp(scheduler, "dynamic") == 0) {
    same(what, "one place less");
    return;
  }
  is_int(status, 1, "%s: a full store: exit status", what);
  if (!ok(strstr(command_err, "the store of electrons was full: the run ends after ") &&
              strstr(command_err, "raise population.capacity"),
          "%s: the message says what to change", what))
    diag("%.900s", command_err);
  ok(rows(command_out, r, 12) == last &&
         strncmp(command_out, alone, strlen(command_out)) == 0,
     "%s: %zu rows, the same numbers", what, last);
  is_int(command("%s run " SPLIT "split_remove.poisson_steps=%zu scheduler=%s device=%s "
                 "population.capacity=%zu",
                 command_study(), last + 1, scheduler, device, most),
         0, "%s: one more place is enough for the next step", what);
}

int main(void)
{
  const struct wn_scheduler_ops *ops;
  const char *why;
  plan(0);
  ranks_allow();
  const int has_ranks = wn_ranks_library() != NULL && command("mpirun -n 2 true") == 0;
  if (!has_ranks)
    skip(1, "runs of several processes: this build has none, or mpirun starts none");
  const int has_gpu = gpu_there(&why);
  if (!has_gpu && gpu_required())
    ok(0, "the runs on a GPU, which WN_REQUIRE_GPU=1 demands: %s", why);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    one_case(cases[i].name, cases[i].run, has_ranks);
  for (size_t i = 0; (ops = wn_study_scheduler(i)) != NULL; i++)
    if (ops->supports == NULL && (ops->device == WN_DEVICE_CPU || has_gpu))
      full(ops->name, ops->device == WN_DEVICE_CPU ? "cpu" : "cuda");
  is_int(command("%s run --model box scheduler=quantum", command_study()), 2,
         "an unknown scheduler is refused");
  ok(strstr(command_err, "unknown scheduler `quantum`") != NULL, "by name: %.200s",
     command_err);
  is_int(command("%s list models", command_study()), 0, "list models");
  ok(strstr(command_out, "split-remove       ") && strstr(command_out, "mcc      "),
     "has those of the study and of the program");
  is_int(command("%s list schedulers", command_study()), 0, "list schedulers");
  for (size_t i = 0; (ops = wn_study_scheduler(i)) != NULL; i++)
    ok(strstr(command_out, ops->name) != NULL, "has %s", ops->name);
  return done();
}
