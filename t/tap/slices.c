/* t/tap/slices.c - see slices.h. */
#include "t/tap/slices.h"
#include <stdio.h>
#include <sys/stat.h>
#include "schedulers/scheduler.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define MOST 2000 /* slices: a run that makes no progress must end */

int slices_exists(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0;
}

void slices_are(const char *name, const char *file, const char *output,
                const char *straight, size_t steps, size_t least, size_t n,
                const char *const *options)
{
  size_t i = 0, n_values = 0;
  int status, is_kept = 1;
  char ckpt[256], old[256], part[256];
  snprintf(ckpt, sizeof ckpt, "%s.ckpt", output);
  snprintf(old, sizeof old, "%s.ckpt.old", output);
  snprintf(part, sizeof part, "%s.part", output);
  remove(output);
  do {
    status = command("%s run %s --quiet --output %s --restart auto --set "
                     "checkpoint.step_limit=%zu %s",
                     command_wilson(), file, output, steps, options[i % n]);
    is_kept = is_kept && (status != 3 || (slices_exists(ckpt) && slices_exists(part)));
    i++;
  } while (status == 3 && i < MOST);
  if (!ok(status == 0 && is_kept && i >= least,
          "%s: in %zu slices of %zu steps, at least %zu, each but the last with a "
          "checkpoint",
          name, i, steps, least))
    diag("exit status %d; %.900s", status, command_err);
  ok(!slices_exists(ckpt) && !slices_exists(old) && !slices_exists(part),
     "%s: at the end no checkpoint is left", name);
  const char *what = command_nc_differs_in_order(straight, output, &n_values);
  ok(what == NULL && n_values > 20, "%s: the %zu numbers of the undisturbed run%s%s",
     name, n_values, what ? "; differs: " : "", what ? what : "");
  remove(output);
  remove(ckpt);
  remove(old);
  remove(part);
}

int slices_run(const char *name, const char *file, const char *output,
               const char *options)
{
  const int status = command("%s run %s --quiet --output %s %s", command_wilson(), file,
                             output, options);
  if (!is_int(status, 0, "%s: runs: %s", name, options))
    diag("%.900s", command_err);
  return status == 0;
}

void slices_same(const char *name, const char *file, const char *again,
                 const char *output, const char *options, size_t numbers)
{
  size_t n = 0;
  if (!slices_run(name, file, again, options))
    return;
  const char *what = command_nc_differs(output, again, &n);
  ok(what == NULL && n > numbers, "%s: %s: the same %zu numbers%s%s", name, options, n,
     what != NULL ? "; differs: " : "", what != NULL ? what : "");
  remove(again);
}

void slices_same_on_gpu(const char *name, const char *file, const char *again,
                        const char *output, size_t numbers, int each)
{
  size_t n = 0;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  slices_same(name, file, again, output, "--device cuda", numbers);
  for (size_t i = 0; each && i < n; i++)
    if (list[i]->device == WN_DEVICE_CUDA && list[i]->supports == NULL) {
      char options[256];
      snprintf(options, sizeof options, "--device cuda --scheduler %s", list[i]->name);
      slices_same(name, file, again, output, options, numbers);
    }
}

void slices_same_bits(const char *name, const char *file, const char *again,
                      const char *output, size_t numbers, size_t steps, size_t least)
{
  static const char *const options[] = {"--scheduler serial", "--threads 3"};
  for (size_t i = 0; i < 2; i++)
    slices_same(name, file, again, output, options[i], numbers);
  slices_are(name, file, again, output, steps, least, 2, options);
}
