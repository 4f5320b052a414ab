/* t0201-lxcat-real.c - defends: real LXCat downloads are read whole.  For every file: as
 * many processes as the file has keyword lines, every table sorted, finite, 0 below its
 * threshold and found again by wn_xs_sigma; every set can be prepared or is refused for
 * the one reason that it has no elastic. The files may not be redistributed, so they are
 * not in the tree: WN_LXCAT_DIR names their folder. A few values are compared with what
 * the databases are cited for in the literature (peaks, thresholds). */
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "crosssections/xs_beyond.h"
#include "t/tap/tap.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char dir[2048];

/* Lines that are one of the five keywords, counted without the reader. */
static long long count_keywords(const char *path)
{
  static const char *const words[] = {"ELASTIC",    "EFFECTIVE",  "MOMENTUM",
                                      "EXCITATION", "IONIZATION", "ATTACHMENT"};
  char line[8192];
  long long n = 0;
  FILE *f = fopen(path, "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    line[strcspn(line, "\r\n")] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
      n += strcmp(line, words[i]) == 0;
  }
  if (f != NULL)
    fclose(f);
  return n;
}

static bool sound(const struct wn_xs_set *set, const struct wn_xs_process *p)
{
  for (size_t i = 0; i < p->n; i++) {
    double e = p->energy_ev[i], s = p->sigma[i];
    if (!isfinite(e) || !isfinite(s) || e < 0 || s < 0 || s >= 1e-15)
      return false;
    if (i > 0 && p->energy_ev[i - 1] > e)
      return false;
    if (e < p->threshold_ev && s != 0)
      return false;
    bool last_of_energy = i + 1 == p->n || p->energy_ev[i + 1] > e;
    if (last_of_energy && wn_xs_sigma(set, p, e, WN_XS_BEYOND_ERROR) != s)
      return false;
  }
  for (const struct wn_xs_process *q = set->process; q < p; q++)
    if (strcmp(p->label, q->label) == 0)
      return false;
  return p->n >= 2;
}

/* Reads and prepares one set; returns its number of processes as read. */
static size_t one_set(const char *path, const char *file, const char *name)
{
  char target[512], *database = NULL;
  snprintf(target, sizeof target, "%s", name);
  size_t length = strlen(target);
  char *open = strstr(target, " (");
  if (open != NULL && length > 0 && target[length - 1] == ')') {
    target[length - 1] = '\0';
    *open = '\0';
    database = open + 2;
  }
  struct wn_xs_set *set = NULL;
  int status = wn_xs_read_lxcat(path, target, database, &set);
  is_int(status, WN_OK, "%s: %s is read", file, name);
  if (status != WN_OK)
    return 0;
  size_t n = set->n;
  bool good = true, elastic = false;
  for (size_t i = 0; i < n; i++) {
    good = good && sound(set, &set->process[i]);
    elastic = elastic || set->process[i].kind == WN_XS_ELASTIC ||
              set->process[i].kind == WN_XS_EFFECTIVE;
  }
  ok(good, "%s: %zu processes of %s are sound", file, n, name);
  status = wn_xs_prepare(set, WN_XS_EFFECTIVE_SUBTRACT, 5e24, 0, NULL);
  is_int(status, elastic ? WN_OK : WN_EINPUT,
         "%s: %s prepared, or refused without elastic", file, name);
  good = true;
  for (size_t i = 0; status == WN_OK && i < set->n; i++)
    good = good && sound(set, &set->process[i]) &&
           set->process[i].kind != WN_XS_EFFECTIVE && !set->process[i].three_body;
  ok(good, "%s: %s is sound after wn_xs_prepare", file, name);
  wn_xs_free(set);
  return n;
}

static void one_file(const char *file)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", dir, file);
  char **names = NULL;
  size_t n = 0, processes = 0;
  int status = wn_xs_list_targets(path, &n, &names);
  is_int(status, WN_OK, "%s: targets", file);
  if (status != WN_OK)
    return;
  ok(n > 0, "%s: %zu targets", file, n);
  for (size_t i = 0; i < n; i++) {
    processes += one_set(path, file, names[i]);
    free(names[i]);
  }
  free(names);
  long long keywords = count_keywords(path);
  if (keywords > 0)
    is_int((long long)processes, keywords, "%s: a process for every keyword", file);
}

/* Known values: file, target, label, energy, cross section; 1 % covers the digits they
 * are quoted with. */
static const struct {
  const char *file, *target, *label;
  double e, sigma, loss;
} known[] = {
    {"Phelps-air_N2_O2_elastic500eV.txt", "N2", "excitation N2(C3)", 14, 0.65e-20, 11.03},
    {"Phelps-air_N2_O2_elastic500eV.txt", "N2", "ionization N2^+", 100, 2.344e-20, 15.6},
    {"Phelps-air_N2_O2_elastic500eV.txt", "N2", "elastic", 1, 1.00e-19, 0},
    {"Phelps-air_N2_O2_elastic500eV.txt", "O2", "ionization O2^+", 100, 2.70e-20, 12.06},
    {"Phelps-air_N2_O2_elastic500eV.txt", "O2", "attachment O^-+O", 7.05, 1.56e-22, 0},
    {"Phelps-air_N2_O2_elastic500eV.txt", "O2", "attachment", 0.083, 1.8e-40, 0},
    {"IST-Lisbon-O2.txt", "O2", "effective", 1, 7.2e-20, 0},
    {"IST-Lisbon-N2.txt", "N2", "effective", 2.5, 3.0e-19, 0},
};

static void known_values(void)
{
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, known[i].file);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
      skip(2, "%s is not there", known[i].file);
      continue;
    }
    fclose(f);
    struct wn_xs_set *set = NULL;
    double sigma = NAN, loss = NAN;
    if (wn_xs_read_lxcat(path, known[i].target, NULL, &set) == WN_OK)
      for (size_t k = 0; k < set->n; k++)
        if (strcmp(set->process[k].label, known[i].label) == 0) {
          sigma = wn_xs_sigma(set, &set->process[k], known[i].e, WN_XS_BEYOND_ERROR);
          loss = set->process[k].loss_ev;
        }
    is_close(sigma, known[i].sigma, 0.01, "%s: %s at %g eV", known[i].file,
             known[i].label, known[i].e);
    is_close(loss, known[i].loss, 1e-12, "%s: its energy loss", known[i].label);
    wn_xs_free(set);
  }
}

int main(void)
{
  const char *named = getenv("WN_LXCAT_DIR"), *top = getenv("WN_SRCDIR");
  if (named != NULL)
    snprintf(dir, sizeof dir, "%s", named);
  else
    snprintf(dir, sizeof dir, "%s/../shared/lxcat", top != NULL ? top : ".");
  struct dirent **list = NULL;
  int n = scandir(dir, &list, NULL, alphasort);
  int files = 0;
  for (int i = 0; i < n; i++)
    files += strstr(list[i]->d_name, ".txt") != NULL;
  if (files == 0)
    skip_all("no LXCat files in %s; WN_LXCAT_DIR names their folder", dir);
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  for (int i = 0; i < n; i++) {
    if (strstr(list[i]->d_name, ".txt") != NULL)
      one_file(list[i]->d_name);
    free(list[i]);
  }
  free(list);
  known_values();
  return done();
}
