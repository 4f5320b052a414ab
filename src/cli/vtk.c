/* src/cli/vtk.c - `wilson vtk`: the maps of a result file as files of VTK.  Each is written as PATH.part, which
 * then gets its name. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/cli/cli.h"
#include "src/io/output_path.h"
#include "src/results/vtk.h"

/* One file to write. */
struct job {
  const struct wn_vtk *v;
  const struct wn_vtk_legacy *legacy; /* NULL: image data */
  int rho;                            /* of legacy */
  size_t record;
  /* of a list: the others, else 0 */
  size_t n;
  const double *time;
  const char *const *name;
};

static int write_rho(const struct job *j, FILE *to)
{
  double *value = wn_alloc(j->v->n, sizeof *value);
  int status =
      value != NULL ? wn_vtk_rho(j->v, j->legacy, j->rho, j->record, value) : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_vtk_write_legacy(j->v, wn_vtk_rho_name[j->rho], value, to);
  free(value);
  return status;
}

static int write_job(const struct job *j, FILE *to)
{
  return j->n > 0            ? wn_vtk_write_list(j->n, j->time, j->name, to)
         : j->legacy != NULL ? write_rho(j, to)
                             : wn_vtk_write_image(j->v, j->record, to);
}

/* fd: of `part`, which is locked; it is closed. */
static int write_part(const struct job *j, const char *part, int fd)
{
  FILE *to = ftruncate(fd, 0) == 0 ? fdopen(fd, "wb") : NULL;
  if (to == NULL) {
    const int why = errno;
    close(fd);
    return WN_FAIL(WN_EIO, "%s: cannot be written: %s", part, strerror(why));
  }
  int status = write_job(j, to);
  errno = 0;
  const int bad = fflush(to) != 0 || ferror(to) || fsync(fileno(to)) != 0;
  const int why = errno;
  if (status == WN_OK && bad)
    status = WN_FAIL(WN_EIO, "%s: cannot be written completely: %s", part, strerror(why));
  if (fclose(to) != 0 && status == WN_OK)
    status =
        WN_FAIL(WN_EIO, "%s: cannot be written completely: %s", part, strerror(errno));
  return status;
}

static int write_file(const struct job *j, const char *path)
{
  char *real = NULL;
  int fd = -1;
  WN_TRY(wn_output_follow(path, &real));
  char *part = wn_asprintf("%s.part", real);
  int status = part != NULL ? wn_output_lock(part, true, &fd) : WN_ENOMEM;
  if (status == WN_OK) {
    status = write_part(j, part, fd);
    if (status == WN_OK && rename(part, real) != 0)
      status = WN_FAIL(WN_EIO, "%s: cannot be given its name: %s", path, strerror(errno));
    if (status != WN_OK)
      remove(part);
  }
  free(part);
  free(real);
  return status;
}

/* ---- names */

static int is_reached(const struct wn_vtk *v, size_t record)
{
  return !isnan(v->time[record]);
}

/* STEM-moments-0001.vti, STEM-rho_e-0001.vtk; malloc'd. */
static char *name_of(const char *stem, const char *what, size_t record,
                     const char *extension)
{
  return wn_asprintf("%s-%s-%04zu.%s", stem, what, record + 1, extension);
}

static char *default_stem(const char *file)
{
  const size_t n = strlen(file);
  const int has_end = n > 3 && strcmp(file + n - 3, ".nc") == 0;
  return wn_asprintf("%.*s", (int)(has_end ? n - 3 : n), file);
}

static int allowed(const struct wn_cli_vtk *a, char *path)
{
  const int status =
      path == NULL ? WN_ENOMEM : wn_output_allowed(path, a->keep, 1, &a->file);
  free(path);
  return status;
}

/* ---- image data */

/* The list of the files that were written. */
static int write_list(const struct wn_vtk *v, const char *stem, const char *what)
{
  const char *slash = strrchr(stem, '/'), *beginning = slash != NULL ? slash + 1 : stem;
  char **name = wn_alloc(v->n_records, sizeof *name);
  double *time = wn_alloc(v->n_records, sizeof *time);
  char *path = wn_asprintf("%s-%s.pvd", stem, what);
  struct job j = {.v = v, .time = time, .name = (const char *const *)name};
  int status = name != NULL && time != NULL && path != NULL ? WN_OK : WN_ENOMEM;
  for (size_t r = 0; r < v->n_records && status == WN_OK; r++) {
    if (!is_reached(v, r))
      continue;
    time[j.n] = v->time[r];
    name[j.n] = name_of(beginning, what, r, "vti");
    status = name[j.n] != NULL ? WN_OK : WN_ENOMEM;
    j.n += status == WN_OK;
  }
  if (status == WN_OK && j.n > 0)
    status = write_file(&j, path);
  for (size_t i = 0; i < j.n; i++)
    free(name[i]);
  free(name);
  free(time);
  free(path);
  return status;
}

static int allow_images(const struct wn_cli_vtk *a, const struct wn_vtk *v,
                        const char *stem, const char *what)
{
  for (size_t r = 0; r < v->n_records; r++)
    if (is_reached(v, r))
      WN_TRY(allowed(a, name_of(stem, what, r, "vti")));
  return allowed(a, wn_asprintf("%s-%s.pvd", stem, what));
}

static int write_images(const struct wn_vtk *v, const char *stem, const char *what,
                        size_t *written)
{
  for (size_t r = 0; r < v->n_records; r++) {
    if (!is_reached(v, r))
      continue;
    const struct job j = {.v = v, .record = r};
    char *path = name_of(stem, what, r, "vti");
    const int status = path != NULL ? write_file(&j, path) : WN_ENOMEM;
    free(path);
    WN_TRY(status);
    (*written)++;
  }
  return write_list(v, stem, what);
}

/* ---- legacy */

static int allow_legacy(const struct wn_cli_vtk *a, const struct wn_vtk *v,
                        const char *stem)
{
  for (size_t r = 0; r < v->n_records; r++)
    for (int k = 0; k < WN_VTK_RHOS && is_reached(v, r); k++)
      WN_TRY(allowed(a, name_of(stem, wn_vtk_rho_name[k], r, "vtk")));
  return WN_OK;
}

static int write_all_legacy(const struct wn_cli_vtk *a, const struct wn_vtk *v,
                            const char *stem, size_t *written)
{
  const struct wn_vtk_legacy what = {
      .rho_e = a->rho_e, .rho_i = a->rho_i, .scale = a->scale};
  for (size_t r = 0; r < v->n_records; r++)
    for (int k = 0; k < WN_VTK_RHOS && is_reached(v, r); k++) {
      const struct job j = {.v = v, .legacy = &what, .rho = k, .record = r};
      char *path = name_of(stem, wn_vtk_rho_name[k], r, "vtk");
      const int status = path != NULL ? write_file(&j, path) : WN_ENOMEM;
      free(path);
      WN_TRY(status);
      (*written)++;
    }
  return WN_OK;
}

/* ---- the command */

static int convert(const struct wn_cli_vtk *a, struct wn_vtk *const v[2], int is_legacy,
                   const char *stem)
{
  static const char *const what[2] = {"maps", "moments"};
  size_t written = 0;
  if (is_legacy && v[1] == NULL)
    return WN_FAIL(WN_EINPUT,
                   "%s: has no ten moments, which the legacy format is of; run with "
                   "plasma.moments_interval",
                   a->file);
  if (v[0] == NULL && v[1] == NULL)
    return WN_FAIL(WN_EINPUT,
                   "%s: has no maps; run with plasma.fields_interval or "
                   "plasma.moments_interval",
                   a->file);
  if (is_legacy) {
    WN_TRY(allow_legacy(a, v[1], stem));
    WN_TRY(write_all_legacy(a, v[1], stem, &written));
  }
  for (int i = 0; i < 2 && !is_legacy; i++)
    if (v[i] != NULL)
      WN_TRY(allow_images(a, v[i], stem, what[i]));
  for (int i = 0; i < 2 && !is_legacy; i++)
    if (v[i] != NULL)
      WN_TRY(write_images(v[i], stem, what[i], &written));
  if (written == 0)
    return WN_FAIL(WN_EINPUT, "%s: the run ended before its first map", a->file);
  wn_log(WN_LOG_INFO, "%s: %zu files %s-*", a->file, written, stem);
  return WN_OK;
}

int wn_cli_vtk(const struct wn_cli_vtk *a)
{
  const int is_legacy = a->format != NULL && strcmp(a->format, "legacy") == 0;
  struct wn_vtk *v[2] = {NULL, NULL};
  if (a->format != NULL && !is_legacy && strcmp(a->format, "vti") != 0)
    return WN_FAIL(WN_EINPUT, "--format %s: allowed: vti, legacy", a->format);
  if (!is_legacy && (a->rho_e != NULL || a->rho_i != NULL || a->scale != 1.0))
    return WN_FAIL(WN_EINPUT, "--rho-e, --rho-i and --scale are of --format legacy");
  if (a->output != NULL && *a->output == '\0')
    return WN_FAIL(WN_EINPUT, "--output: the beginning of the names is empty");
  char *stem = a->output != NULL ? wn_strdup(a->output) : default_stem(a->file);
  int status = stem != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && !is_legacy)
    status = wn_vtk_open(a->file, "map_time", &v[0]);
  if (status == WN_OK)
    status = wn_vtk_open(a->file, "moment_time", &v[1]);
  if (status == WN_OK)
    status = convert(a, v, is_legacy, stem);
  wn_vtk_close(v[0]);
  wn_vtk_close(v[1]);
  free(stem);
  return status;
}
