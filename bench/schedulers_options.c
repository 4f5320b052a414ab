/* bench/schedulers_options.c - the command line of bench/schedulers. */
#include "bench/schedulers.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "bench/study/lists.h"
#include "device/gpu.h"

static const char *const models[] = {"mcc", "split-remove", "rectangle", "box"};

const char wn_bench_help[] =
    "usage: bench/schedulers [OPTION]...\n\n"
    "Times schedulers on models, one line each, against the ceiling of the same model: "
    "the same\n"
    "arithmetic without births, deaths or hand-out of work; on a GPU, of mcc, without "
    "sums, and\n"
    "no lane waits for another. Lists are separated by commas.\n\n"
    "  --model LIST       mcc, split-remove, rectangle, box; default split-remove\n"
    "  --scheduler LIST   names, or all: those of the GPU if there is one, else of the "
    "CPU (default)\n"
    "  --block LIST       threads a block, multiples of 32 up to 1024; 0 (default): the "
    "scheduler's choice\n"
    "  --chance LIST      split-remove, rectangle: chance of a split in per cent a "
    "mobility step, 0 to\n"
    "                     100; as many are removed, but never more than the rest; "
    "table: that of the\n"
    "                     scenario (default)\n"
    "  --electrons LIST   at the beginning; default 1e6\n"
    "  --poisson LIST     phases of a run (Poisson steps of split-remove); default 10\n"
    "  --steps LIST       mobility steps in a phase; default 1000, mcc: 1\n"
    "  --repeats N        timed runs after the warm-up, 1 to 100; default 5\n"
    "  --limit SECONDS    a line that would take longer is skipped and says so; default "
    "60\n"
    "  --field TEXT       mcc: default \"200 Td\"\n"
    "  --candidates N     mcc: candidate collisions of an electron in a phase; default "
    "100\n"
    "  --scenario FILE    mcc: in the place of air at 1 atm with the built-in cross "
    "sections\n"
    "  --set KEY=VALUE    for the scenario; may be given many times\n"
    "  --study NAME       block, chance, poisson, steps, electrons, mcc: lists as in the "
    "figures of the\n"
    "                     scheduler study; compaction: ways to take the dead away.  "
    "Other options go first\n"
    "  --ceiling-only     --no-ceiling\n"
    "  --hardware         also what the GPU can do at best: copy, random words\n"
    "  --threads N        of the CPU; 0 (default): all\n"
    "  --gpu N            which GPU; default 0\n"
    "  --markdown         a table for a page\n"
    "  -o, --output FILE  the table as netCDF too\n"
    "  --help\n\n"
    "Times are those of whole runs, from electrons on the device to the end of the last "
    "phase, with\n"
    "grid and removal of the dead, without upload and output.  ceiling: per cent of its "
    "speed.\n";

static const struct {
  const char *name, *option[10];
} studies[] = {
    {"block",
     {"model=split-remove", "electrons=1e6", "poisson=10", "steps=100",
      "block=32,64,128,256,512,1024"}},
    {"chance",
     {"model=split-remove", "electrons=1e6", "poisson=1", "steps=100",
      "chance=0.001,0.01,0.1,1,3,10,30,50,90"}},
    {"poisson",
     {"model=split-remove", "electrons=1e6", "poisson=1,2,3,5,7,10", "steps=100"}},
    {"steps",
     {"model=split-remove", "electrons=1e6", "poisson=10", "steps=10,30,100,300,1000"}},
    {"electrons",
     {"model=split-remove", "electrons=1e4,1e5,1e6,1e7", "poisson=10", "steps=100"}},
    {"mcc", {"model=mcc", "electrons=1e4,1e5,1e6,1e7", "poisson=10", "steps=1"}},
    {"compaction", {"repeats=5"}},
};
enum { STUDIES = sizeof studies / sizeof studies[0] };

static const struct option names[] = {
    {"model", 1, NULL, 0},      {"scheduler", 1, NULL, 0},  {"block", 1, NULL, 0},
    {"chance", 1, NULL, 0},     {"electrons", 1, NULL, 0},  {"poisson", 1, NULL, 0},
    {"steps", 1, NULL, 0},      {"repeats", 1, NULL, 0},    {"limit", 1, NULL, 0},
    {"field", 1, NULL, 0},      {"candidates", 1, NULL, 0}, {"scenario", 1, NULL, 0},
    {"set", 1, NULL, 0},        {"study", 1, NULL, 0},      {"threads", 1, NULL, 0},
    {"gpu", 1, NULL, 0},        {"output", 1, NULL, 'o'},   {"ceiling-only", 0, NULL, 0},
    {"no-ceiling", 0, NULL, 0}, {"hardware", 0, NULL, 0},   {"markdown", 0, NULL, 0},
    {"help", 0, NULL, 'h'},     {NULL, 0, NULL, 0}};

static int read_number(const char *option, const char *text, double min, double max,
                       int whole, double *out)
{
  char *end;
  errno = 0;
  double v = strtod(text, &end);
  if (*text == '\0' || *end != '\0' || errno != 0 || !(v >= min && v <= max) ||
      (whole && v != floor(v)))
    return WN_FAIL(WN_EINPUT, "--%s: `%s` is not allowed; %s from %.10g to %.10g", option,
                   text, whole ? "whole numbers" : "numbers", min, max);
  *out = v;
  return WN_OK;
}

static int read_list(const char *option, const char *text, double min, double max,
                     int whole, struct wn_bench_list *out)
{
  char word[64];
  out->n = 0;
  for (;;) {
    size_t len = strcspn(text, ",");
    snprintf(word, sizeof word, "%.*s", len < 60 ? (int)len : 60, text);
    if (out->n == WN_BENCH_LIST)
      return WN_FAIL(WN_EINPUT, "--%s: at most %d values", option, WN_BENCH_LIST);
    if (strcmp(option, "chance") == 0 && strcmp(word, "table") == 0)
      out->v[out->n] = NAN;
    else
      WN_TRY(read_number(option, word, min, max, whole, &out->v[out->n]));
    if (strcmp(option, "block") == 0 && fmod(out->v[out->n], 32.0) != 0.0)
      return WN_FAIL(WN_EINPUT, "--block: `%s` is not a multiple of 32, up to 1024",
                     word);
    out->n++;
    if (text[len] == '\0')
      return WN_OK;
    text += len + 1;
  }
}

static int read_models(struct wn_bench_options *o, const char *text)
{
  o->n_models = 0;
  for (;;) {
    size_t len = strcspn(text, ",");
    const char *found = NULL;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
      if (strlen(models[i]) == len && strncmp(models[i], text, len) == 0)
        found = models[i];
    if (found == NULL)
      return WN_FAIL(WN_EINPUT,
                     "--model: `%.*s` is not allowed; mcc, split-remove, rectangle, box",
                     (int)len, text);
    if (o->n_models < WN_BENCH_LIST)
      o->model[o->n_models++] = found;
    if (text[len] == '\0')
      return WN_OK;
    text += len + 1;
  }
}

/* `auto`, or a name that is not in this build, or none at all: the message says which. */
static int find_other(struct wn_bench_options *o, enum wn_device device, const char *text,
                      size_t len)
{
  char name[64];
  const struct wn_scheduler_ops *ops;
  snprintf(name, sizeof name, "%.*s", len < 60 ? (int)len : 60, text);
  WN_TRY(wn_scheduler_find(name, device, &ops));
  if (o->n_schedulers < WN_BENCH_LIST)
    o->scheduler[o->n_schedulers++] = ops;
  return WN_OK;
}

static int read_schedulers(struct wn_bench_options *o, const char *text)
{
  const char *why = "";
  const struct wn_scheduler_ops *ops;
  int gpus = wn_gpu_count(&why);
  o->n_schedulers = 0;
  for (;;) {
    size_t len = strcspn(text, ","), before = o->n_schedulers;
    int all = len == 3 && strncmp(text, "all", 3) == 0;
    for (size_t i = 0; (ops = wn_study_scheduler(i)) != NULL; i++) {
      int named = strlen(ops->name) == len && strncmp(ops->name, text, len) == 0;
      if (named && ops->device == WN_DEVICE_CUDA && gpus == 0)
        return WN_FAIL(WN_EINPUT, "scheduler `%s` needs a GPU: %s", ops->name, why);
      if ((named || (all && ops->supports == NULL &&
                     (ops->device == WN_DEVICE_CUDA) == (gpus > 0))) &&
          o->n_schedulers < WN_BENCH_LIST)
        o->scheduler[o->n_schedulers++] = ops;
    }
    if (o->n_schedulers == before)
      WN_TRY(find_other(o, gpus > 0 ? WN_DEVICE_CUDA : WN_DEVICE_CPU, text, len));
    if (text[len] == '\0')
      return WN_OK;
    text += len + 1;
  }
}

static int read_study(struct wn_bench_options *o, const char *name);

static int read_option(struct wn_bench_options *o, const char *name, const char *value)
{
  double v = 0.0;
  if (strcmp(name, "model") == 0)
    return read_models(o, value);
  if (strcmp(name, "scheduler") == 0)
    return read_schedulers(o, value);
  if (strcmp(name, "block") == 0)
    return read_list(name, value, 0.0, 1024.0, 1, &o->block);
  if (strcmp(name, "chance") == 0)
    return read_list(name, value, 0.0, 100.0, 0, &o->chance);
  if (strcmp(name, "electrons") == 0)
    return read_list(name, value, 1.0, 4e9, 1, &o->electrons);
  if (strcmp(name, "poisson") == 0)
    return read_list(name, value, 1.0, 1e6, 1, &o->poisson);
  if (strcmp(name, "steps") == 0) /* t_left is a float: whole numbers up to 2^24 */
    return read_list(name, value, 1.0, 0x1p24, 1, &o->steps);
  if (strcmp(name, "study") == 0)
    return read_study(o, value);
  if (strcmp(name, "field") == 0)
    o->field = value;
  else if (strcmp(name, "scenario") == 0)
    o->scenario = value;
  else if (strcmp(name, "output") == 0)
    o->output = value;
  else if (strcmp(name, "ceiling-only") == 0)
    o->ceiling_only = 1;
  else if (strcmp(name, "no-ceiling") == 0)
    o->no_ceiling = 1;
  else if (strcmp(name, "hardware") == 0)
    o->hardware = 1;
  else if (strcmp(name, "markdown") == 0)
    o->markdown = 1;
  else if (strcmp(name, "limit") == 0)
    return read_number(name, value, 0.0, 1e6, 0, &o->limit);
  else if (strcmp(name, "candidates") == 0)
    return read_number(name, value, 1.0, 1e9, 0, &o->candidates);
  else if (strcmp(name, "set") == 0) {
    if (o->n_sets == WN_BENCH_LIST)
      return WN_FAIL(WN_EINPUT, "--set: at most %d", WN_BENCH_LIST);
    o->set[o->n_sets++] = value;
  } else if (strcmp(name, "repeats") == 0) {
    WN_TRY(read_number(name, value, 1.0, WN_BENCH_REPEATS, 1, &v));
    o->repeats = (int)v;
  } else if (strcmp(name, "threads") == 0) {
    WN_TRY(read_number(name, value, 0.0, 4096.0, 1, &v));
    o->threads = (int)v;
  } else if (strcmp(name, "gpu") == 0) {
    WN_TRY(read_number(name, value, 0.0, 1023.0, 1, &v));
    o->gpu = (int)v;
  }
  return WN_OK;
}

static int read_study(struct wn_bench_options *o, const char *name)
{
  for (size_t i = 0; i < STUDIES; i++) {
    if (strcmp(studies[i].name, name) != 0)
      continue;
    o->compaction = strcmp(name, "compaction") == 0;
    for (size_t k = 0; studies[i].option[k] != NULL; k++) {
      char word[32];
      const char *text = studies[i].option[k], *value = strchr(text, '=') + 1;
      snprintf(word, sizeof word, "%.*s", (int)(value - text - 1), text);
      WN_TRY(read_option(o, word, value));
    }
    return WN_OK;
  }
  return WN_FAIL(WN_EINPUT,
                 "--study: `%s` is not allowed; block, chance, poisson, steps, "
                 "electrons, mcc, compaction",
                 name);
}

/* study: read only that option, which others may change. */
static int read_line(struct wn_bench_options *o, int argc, char **argv, int study)
{
  int which, c;
  optind = 1;
  opterr = !study;
  while ((c = getopt_long(argc, argv, "o:h", names, &which)) != -1) {
    if (c == '?')
      return study ? WN_OK
                   : WN_FAIL(WN_EINPUT, "bench/schedulers --help lists the options");
    if (c == 'h')
      o->help = 1;
    else if (c == 'o')
      o->output = optarg;
    else if ((strcmp(names[which].name, "study") == 0) == study)
      WN_TRY(read_option(o, names[which].name, optarg));
  }
  if (optind < argc)
    return WN_FAIL(WN_EINPUT, "`%s`: options only; bench/schedulers --help",
                   argv[optind]);
  return WN_OK;
}

int wn_bench_options_read(struct wn_bench_options *o, int argc, char **argv)
{
  *o = (struct wn_bench_options){.repeats = 5, .limit = 60.0, .candidates = 100.0};
  o->block = (struct wn_bench_list){1, {0.0}};
  WN_TRY(read_schedulers(o, "all"));
  WN_TRY(read_models(o, "split-remove"));
  WN_TRY(read_line(o, argc, argv, 1));
  WN_TRY(read_line(o, argc, argv, 0));
  if (o->compaction && !o->help && o->scheduler[0]->device != WN_DEVICE_CUDA)
    return WN_FAIL(WN_EINPUT, "--study compaction needs a GPU");
  return WN_OK;
}
