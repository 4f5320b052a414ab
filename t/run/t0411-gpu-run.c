/* t0411-gpu-run.c - defends: `wilson run --device cuda` writes the data that --device cpu
 * writes, bit for bit: for every model and job, every scheduler, other sizes of blocks,
 * and where the store is full; and says that it was on a GPU.  Reference: the run on the
 * CPU.  Every variable of the netCDF files is compared, every byte. */
#include <stdio.h>
#include <string.h>
#include "schedulers/scheduler.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/runs.h"
#include "t/tap/tap.h"

#define CONFIG "t0411.cfg"
#define FILE_A "t0411-a.nc"
#define FILE_B "t0411-b.nc"

static void same(const char *name, const char *options, int want)
{
  size_t n = 0;
  remove(FILE_B);
  int status = command("%s run " CONFIG " --quiet --output " FILE_B " %s",
                       command_wilson(), options);
  const char *what = command_nc_differs(FILE_A, FILE_B, &n);
  if (!ok(status == want && what == NULL && n > 20,
          "%s: with `%s`: exit status %d and the %zu numbers of the CPU%s%s", name,
          options, want, n, what ? "; differs: " : "", what ? what : ""))
    diag("exit status %d; %.900s", status, command_err);
}

static void one_case(const char *name, const char *text)
{
  size_t n = 0;
  command_write(CONFIG, text);
  int status = command("%s run " CONFIG " --quiet --device cpu --output " FILE_A,
                       command_wilson());
  if (!is_int(status, 0, "%s: a run on the CPU", name))
    diag("%.900s", command_err);
  same(name, "--device cuda", 0);
  same(name, "--device auto", 0);
  if (gpu_size(1, 0)) {
    same(name, "--device cuda:0 --set block_size=64", 0);
    same(name, "--device cuda --set block_size=512", 0);
  }
  status = command("%s run " CONFIG " --quiet --device cuda --output " FILE_B " --seed 2",
                   command_wilson());
  ok(status == 0 && command_nc_differs(FILE_A, FILE_B, &n) != NULL,
     "%s: another seed gives other numbers", name);
}

static void every_scheduler(const struct run_case *c)
{
  size_t n = 0;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  char options[256];
  command_write(CONFIG, c->text);
  int status = command("%s run " CONFIG " --quiet --device cpu --output " FILE_A,
                       command_wilson());
  is_int(status, 0, "%s: a run on the CPU", c->name);
  for (size_t i = 0; i < n; i++)
    if (list[i]->device == WN_DEVICE_CUDA && list[i]->supports == NULL) {
      snprintf(options, sizeof options, "--device cuda --scheduler %s", list[i]->name);
      same(c->name, options, 0);
    }
}

/* The store is full in a phase after the first: the phases before are written. */
static void full(const char *text)
{
  command_write(CONFIG, text);
  remove(FILE_A);
  int status = command("%s run " CONFIG " --quiet --device cpu --output " FILE_A,
                       command_wilson());
  if (!ok(status == 1 && strstr(command_err, "population.capacity") != NULL,
          "a full store: exit status 1 on the CPU, and what to change"))
    diag("exit status %d; %.900s", status, command_err);
  same("a full store", "--device cuda", 1);
  ok(strstr(command_err, "population.capacity") != NULL,
     "a full store: the GPU's message says what to change as well");
}

static void says_so(void)
{
  command_write(CONFIG, run_cases[0].text);
  int status =
      command("%s run " CONFIG " --device cuda --output " FILE_B, command_wilson());
  if (!ok(status == 0 && strstr(command_err, "multiprocessors") != NULL,
          "it says that it runs on a GPU"))
    diag("exit status %d; %.900s", status, command_err);
  status = command("%s run " CONFIG " --device cpu --output " FILE_B, command_wilson());
  ok(status == 0 && strstr(command_err, "multiprocessors") == NULL,
     "and does not when it runs on the CPU");
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  says_so();
  for (size_t i = 0; i < n_run_cases; i++) {
    one_case(run_cases[i].name, run_cases[i].text);
    if (strcmp(run_cases[i].name, "runaway") == 0 ||
        strcmp(run_cases[i].name, "runaway-rate") == 0)
      every_scheduler(&run_cases[i]);
  }
  full(
      "job = \"runaway\"; fields = [\"1000 Td\"]; electrons = 200; groups = 8;\n"
      "duration = \"100 ps\"; sampling = { interval = \"0.2 ps\"; };\n"
      "runaway = { thresholds = [\"30 eV\", \"60 eV\"]; };\n"
      "population = { capacity = 2000; };\n"
      "gas = { components = { N2 = { fraction = 1.0; file = \"builtin:air\"; }; }; };\n");
  remove(CONFIG);
  remove(FILE_A);
  remove(FILE_B);
  return done();
}
