/* bench/schedulers_table.c - the table of bench/schedulers: to people and to a file. */
#include "bench/schedulers.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/io/output.h"
#include "src/run/provenance.h"

static const struct {
  const char *head;
  int width;
} columns[] = {{"model", 12},     {"scheduler", 18},  {"block", 5},    {"chance %", 9},
               {"electrons", 10}, {"poisson", 7},     {"steps", 6},    {"runs", 4},
               {"median ms", 11}, {"best ms", 11},    {"steps/s", 10}, {"cand./s", 10},
               {"ns/step", 10},   {"ns/cand.", 10},   {"ceiling", 8},  {"births", 12},
               {"deaths", 12},    {"electrons'", 11}, {"GB/s", 7}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void cell(const struct wn_bench_table *t, int column, const char *text)
{
  if (t->markdown)
    printf("| %s ", text);
  else if (column < 2)
    printf("%-*s ", columns[column].width, text);
  else
    printf("%*s ", columns[column].width, text);
}

static void cell_number(const struct wn_bench_table *t, int column, double v, int digits)
{
  char text[64] = "-";
  if (!isnan(v))
    snprintf(text, sizeof text, "%.*g", digits, v);
  cell(t, column, text);
}

static void cell_count(const struct wn_bench_table *t, int column, uint64_t n, int known)
{
  char text[64] = "-";
  if (known)
    snprintf(text, sizeof text, "%" PRIu64, n);
  cell(t, column, text);
}

double wn_bench_ratio(double a, double b)
{
  return a > 0.0 && b > 0.0 ? a / b : NAN;
}

void wn_bench_table_heading(const struct wn_bench_table *t)
{
  for (int i = 0; i < COLUMNS; i++)
    cell(t, i, columns[i].head);
  printf("%sdevice, remarks%s\n", t->markdown ? "| " : "", t->markdown ? " |" : "");
  for (int i = 0; t->markdown && i <= COLUMNS; i++)
    printf("|---%s", i < COLUMNS ? "" : "|\n");
}

static const struct wn_output_var variables[] = {
    {.name = "model", .type = WN_OUT_STRING, .long_name = "model"},
    {.name = "scheduler",
     .type = WN_OUT_STRING,
     .long_name = "scheduler; ceiling: the same arithmetic without births, deaths or "
                  "hand-out of work"},
    {.name = "device", .type = WN_OUT_STRING, .long_name = "device"},
    {.name = "remark",
     .type = WN_OUT_STRING,
     .long_name = "what kept it from running, or what was noticed"},
    {.name = "block",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "threads a block of a GPU, 0: the scheduler's choice"},
    {.name = "repeats",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "timed runs after the warm-up"},
    {.name = "electrons",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "electrons at the beginning"},
    {.name = "poisson_steps",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "phases of a run"},
    {.name = "mobility_steps",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "mobility steps in a phase"},
    {.name = "births",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "electrons born in a run"},
    {.name = "deaths",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "electrons that died in a run"},
    {.name = "electrons_end",
     .units = "1",
     .type = WN_OUT_INT64,
     .long_name = "electrons at the end of a run"},
    {.name = "chance",
     .units = "percent",
     .long_name = "chance of a split or a removal in a mobility step; missing: the table "
                  "over speed"},
    {.name = "time_median", .units = "s", .long_name = "median time of a run"},
    {.name = "time_best", .units = "s", .long_name = "shortest time of a run"},
    {.name = "electron_steps",
     .units = "1",
     .long_name = "mobility steps of all electrons in a run"},
    {.name = "candidates", .units = "1", .long_name = "candidate collisions in a run"},
    {.name = "electron_step_rate",
     .units = "s-1",
     .long_name = "mobility steps of all electrons per second, in the shortest run"},
    {.name = "candidate_rate",
     .units = "s-1",
     .long_name = "candidate collisions per second, in the shortest run"},
    {.name = "ceiling_part",
     .units = "percent",
     .long_name = "speed as a part of the ceiling of the same model"},
    {.name = "bandwidth",
     .units = "s-1",
     .comment = "bytes of all electrons read and of the survivors written",
     .long_name = "bytes per second of a compaction"},
};
enum { VARIABLES = sizeof variables / sizeof variables[0], STRINGS = 4, INTEGERS = 8 };

int wn_bench_table_add(struct wn_bench_table *t, const struct wn_bench_row *r)
{
  int i = 0, ran = !isnan(r->best);
  cell(t, i++, r->model);
  cell(t, i++, r->scheduler);
  cell_count(t, i++, (uint64_t)r->block, r->block > 0);
  if (isnan(r->chance) && strcmp(r->model, "split-remove") == 0)
    cell(t, i++, "table");
  else
    cell_number(t, i++, r->chance, 4);
  cell_count(t, i++, r->electrons, 1);
  cell_count(t, i++, r->poisson, r->poisson > 0);
  cell_count(t, i++, r->steps, r->steps > 0);
  cell_count(t, i++, (uint64_t)r->repeats, 1);
  cell_number(t, i++, r->median * 1e3, 5);
  cell_number(t, i++, r->best * 1e3, 5);
  cell_number(t, i++, wn_bench_ratio(r->flown, r->best), 4);
  cell_number(t, i++, wn_bench_ratio(r->candidates, r->best), 4);
  cell_number(t, i++, wn_bench_ratio(r->best, r->flown) * 1e9, 4);
  cell_number(t, i++, wn_bench_ratio(r->best, r->candidates) * 1e9, 4);
  cell_number(t, i++, r->ceiling, 3);
  cell_count(t, i++, r->births, ran);
  cell_count(t, i++, r->deaths, ran);
  cell_count(t, i++, r->n, ran);
  cell_number(t, i++, r->bandwidth * 1e-9, 4);
  if (t->markdown)
    printf("| %s%s%s |\n", r->device, *r->note ? "; " : "", r->note);
  else
    printf("%s%s%s\n", r->device, *r->note ? "; " : "", r->note);
  fflush(stdout);
  struct wn_bench_row *grown = wn_realloc(t->row, t->n + 1, sizeof *t->row);
  if (grown == NULL)
    return WN_ENOMEM;
  t->row = grown;
  t->row[t->n++] = *r;
  return WN_OK;
}

/* To the file, in the order of `variables`. */
static int put_row(struct wn_output *o, long record, const struct wn_bench_row *r)
{
  const char *text[STRINGS] = {r->model, r->scheduler, r->device, r->note};
  const long long number[INTEGERS] = {r->block,
                                      r->repeats,
                                      (long long)r->electrons,
                                      (long long)r->poisson,
                                      (long long)r->steps,
                                      (long long)r->births,
                                      (long long)r->deaths,
                                      (long long)r->n};
  const double value[VARIABLES - STRINGS - INTEGERS] = {
      r->chance,
      r->median,
      r->best,
      r->flown,
      r->candidates,
      wn_bench_ratio(r->flown, r->best),
      wn_bench_ratio(r->candidates, r->best),
      r->ceiling,
      r->bandwidth};
  for (int i = 0; i < VARIABLES; i++) {
    const char *name = variables[i].name;
    if (i < STRINGS)
      WN_TRY(wn_output_put_string(o, name, record, &text[i]));
    else if (i < STRINGS + INTEGERS)
      WN_TRY(wn_output_put_int(o, name, record, &number[i - STRINGS]));
    else
      WN_TRY(wn_output_put(o, name, record, &value[i - STRINGS - INTEGERS]));
  }
  return WN_OK;
}

int wn_bench_table_write(const struct wn_bench_table *t, const char *path,
                         const struct wn_config *c, int argc, char *const *argv)
{
  struct wn_output *o = NULL;
  int status = wn_output_create(path, &o);
  if (status == WN_OK)
    status = wn_output_dim(o, "line", t->n);
  for (int i = 0; i < VARIABLES && status == WN_OK; i++) {
    struct wn_output_var v = variables[i];
    v.n_dims = 1;
    v.dims[0] = "line";
    status = wn_output_define(o, &v);
  }
  if (status == WN_OK)
    status = wn_provenance_write(o, c, t->n > 0 ? t->row[0].device : NULL, argc, argv, 0,
                                 NULL);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  for (size_t i = 0; i < t->n && status == WN_OK; i++)
    status = put_row(o, (long)i, &t->row[i]);
  if (status == WN_OK)
    status = wn_output_complete(o);
  if (status == WN_OK)
    return wn_output_close(o);
  if (o != NULL)
    wn_output_discard(o);
  return status;
}
