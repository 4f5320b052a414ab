/* src/cli/xs_sets.c - the sets of `wilson xs`: the selected targets, read as they are,
 * and derived quantities. */
#include "src/cli/xs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/config/internal.h"
#include "src/sim/gas.h"

/* A text that begins with <, as an HTML page that a server returned in place of the file. */
static bool is_page(const char *file)
{
  char first = ' ';
  FILE *f = fopen(file, "r");
  if (f == NULL)
    return false;
  const bool has_any = fscanf(f, " %c", &first) == 1;
  fclose(f);
  return has_any && first == '<';
}

static int list_targets(const char *file, size_t *n, char ***names)
{
  if (wn_xs_is_builtin(file))
    return wn_xs_builtin_targets(file, n, names);
  /* an error of the user, not of the machine */
  if (access(file, R_OK) != 0)
    return WN_FAIL(WN_EINPUT, "%s: cannot read the cross-section file: %s", file,
                   strerror(errno));
  WN_TRY(wn_xs_list_targets(file, n, names));
  if (*n > 0)
    return WN_OK;
  free(*names);
  return WN_FAIL(
      WN_EINPUT,
      "%s: no cross sections: no line ELASTIC, EFFECTIVE, EXCITATION, IONIZATION or "
      "ATTACHMENT with a target and a table after it%s",
      file, is_page(file) ? "; it is a web page (HTML), not the downloaded data" : "");
}

/* Length of the target in "target (database)": the brackets are a database only if the
 * same target occurs twice. */
static size_t target_length(size_t n, char *const *names, size_t i)
{
  size_t whole = strlen(names[i]);
  for (const char *open = names[i]; (open = strstr(open, " (")) != NULL; open++) {
    size_t len = (size_t)(open - names[i]), same = 0;
    for (size_t j = 0; j < n; j++)
      same += strncmp(names[j], names[i], len + 2) == 0;
    if (same > 1 && names[i][whole - 1] == ')')
      return len;
  }
  return whole;
}

/* ---- --gas ---- */

static int add_pick(struct wn_cli_xs_sets *x, const char *text, size_t len)
{
  while (len > 0 && text[0] == ' ')
    text++, len--;
  struct wn_cli_xs_pick p = {.fraction = NAN,
                             .target = wn_asprintf("%.*s", (int)len, text)};
  if (p.target == NULL)
    return WN_ENOMEM;
  char *colon = strrchr(p.target, ':'), *end;
  if (colon != NULL) {
    p.fraction = strtod(colon + 1, &end);
    if (end == colon + 1 || *end || !(p.fraction > 0 && p.fraction <= 1)) {
      int status =
          WN_FAIL(WN_EINPUT,
                  "--gas: `%s`: a fraction must be above 0 and at most 1, as in N2:0.8",
                  p.target);
      free(p.target);
      return status;
    }
    *colon = '\0';
  }
  if (!*p.target) {
    free(p.target);
    return WN_FAIL(WN_EINPUT, "--gas %s: a target's name is empty", x->args->gas);
  }
  x->pick[x->n_picks++] = p;
  return WN_OK;
}

/* Commas separate targets, but not inside the braces of a target such as CO2{X^1S_g^+{0,0,0}}. */
int wn_cli_xs_read_picks(struct wn_cli_xs_sets *x)
{
  const char *s = x->args->gas, *begin = s;
  x->pick = wn_alloc(s != NULL ? strlen(s) + 1 : 1, sizeof *x->pick);
  if (x->pick == NULL)
    return WN_ENOMEM;
  if (s == NULL)
    return WN_OK;
  int depth = 0;
  for (;; s++) {
    if (*s && strchr("([{", *s))
      depth++;
    else if (*s && strchr(")]}", *s))
      depth--;
    else if (!*s || (*s == ',' && depth <= 0)) {
      WN_TRY(add_pick(x, begin, (size_t)(s - begin)));
      begin = s + 1;
    }
    if (!*s)
      break;
  }
  size_t with = 0;
  double sum = 0;
  for (size_t i = 0; i < x->n_picks; i++) {
    with += !isnan(x->pick[i].fraction);
    sum += isnan(x->pick[i].fraction) ? 0 : x->pick[i].fraction;
  }
  if (with > 0 && with < x->n_picks)
    return WN_FAIL(WN_EINPUT, "--gas %s: give all targets a fraction, or none",
                   x->args->gas);
  if (with > 0 && !(fabs(sum - 1) <= 1e-6))
    return WN_FAIL(WN_EINPUT,
                   "--gas %s: the fractions add up to %.9g; they must add up to 1 "
                   "within 1e-6",
                   x->args->gas, sum);
  return WN_OK;
}

int wn_cli_xs_check_picks(const struct wn_cli_xs_sets *x)
{
  int status = WN_OK;
  for (size_t i = 0; i < x->n_picks; i++) {
    const struct wn_cli_xs_pick *p = &x->pick[i];
    if (p->n_found == 0) {
      const char *near = wn_config_nearest(p->target, x->n_seen, x->seen);
      status = near != NULL
                   ? WN_FAIL(WN_EINPUT, "--gas: no target `%s`; nearest is `%s`",
                             p->target, near)
                   : WN_FAIL(WN_EINPUT, "--gas: no target `%s` in the files", p->target);
    } else if (strstr(p->target, " / ") != NULL && !isnan(p->fraction)) {
      status = WN_FAIL(WN_EINPUT,
                       "--gas: `%s` with a fraction: the friction of a mixture is for "
                       "electrons, not for ions",
                       p->target);
    } else if (p->n_found > 1 && !isnan(p->fraction)) {
      status = WN_FAIL(WN_EINPUT,
                       "--gas: there are %zu sets of `%s`; a mixture needs exactly one",
                       p->n_found, p->target);
    }
  }
  return status;
}

/* ---- reading ---- */

static void measure(struct wn_cli_xs_gas *g)
{
  g->limit_ev = INFINITY;
  for (size_t i = 0; i < g->set->n; i++) {
    const struct wn_xs_process *p = &g->set->process[i];
    if ((p->kind == WN_XS_EXCITATION || p->kind == WN_XS_IONIZATION) &&
        p->sigma[p->n - 1] > 0 && p->energy_ev[p->n - 1] < g->limit_ev)
      g->limit_ev = p->energy_ev[p->n - 1];
  }
  g->opal_ev = wn_gas_opal_ev(wn_config_gas_opal_width(g->set->name), g->set);
}

static int read_set(const char *file, const char *target, const char *database,
                    struct wn_xs_set **out)
{
  return wn_xs_is_builtin(file) ? wn_xs_builtin(file, target, out)
                                : wn_xs_read_lxcat(file, target, database, out);
}

const char *wn_cli_xs_obstacle(const struct wn_xs_set *set)
{
  size_t n_elastic = 0, n_effective = 0;
  if (set->ion != NULL)
    return NULL;
  for (size_t i = 0; i < set->n; i++) {
    n_elastic += set->process[i].kind == WN_XS_ELASTIC;
    n_effective += set->process[i].kind == WN_XS_EFFECTIVE;
  }
  if (n_elastic > 1)
    return "it has more than one ELASTIC; exclude all but one";
  if (n_elastic == 1)
    return NULL;
  if (n_effective > 1)
    return "it has more than one EFFECTIVE and no ELASTIC";
  if (n_effective == 1)
    return "it has an EFFECTIVE and no ELASTIC; give a file with an ELASTIC, or set "
           "effective = "
           "\"subtract\"";
  return "it has no ELASTIC";
}

/* Tests on a copy whether a run could use the set.  The reader's warnings have been printed already. */
static int try_prepare(const char *file, const char *target, const char *database,
                       bool *unfit)
{
  struct wn_xs_set *copy = NULL;
  enum wn_log_level level = wn_log_level();
  wn_log_set_level(WN_LOG_ERROR);
  int status = read_set(file, target, database, &copy);
  if (status == WN_OK) {
    /* The density of the third body does not matter here. */
    status = wn_xs_prepare(copy, WN_XS_EFFECTIVE_ERROR, WN_CLI_XS_LOSCHMIDT, 0, NULL);
    *unfit = status == WN_EINPUT;
    status = status == WN_EINPUT ? WN_OK : status;
  }
  wn_log_set_level(level);
  wn_xs_free(copy);
  return status;
}

static int read_target(struct wn_cli_xs_sets *x, const char *file, const char *target,
                       const char *database)
{
  struct wn_cli_xs_pick *pick = NULL;
  for (size_t i = 0; i < x->n_picks; i++) {
    if (strcmp(x->pick[i].target, target) == 0)
      pick = &x->pick[i];
  }
  if (x->n_picks > 0 && pick == NULL)
    return WN_OK;
  struct wn_cli_xs_gas *more = wn_realloc(x->gas, x->n_gases + 1, sizeof *more);
  if (more == NULL)
    return WN_ENOMEM;
  x->gas = more;
  struct wn_cli_xs_gas g = {.fraction = pick != NULL ? pick->fraction : NAN};
  WN_TRY(read_set(file, target, database, &g.set));
  g.name = g.set->ion != NULL ? wn_asprintf("%s / %s", g.set->ion, g.set->name)
                              : wn_strdup(g.set->name);
  if (g.name == NULL) {
    wn_xs_free(g.set);
    return WN_ENOMEM;
  }
  measure(&g);
  if (pick != NULL)
    pick->n_found++;
  x->gas[x->n_gases++] = g;
  return wn_cli_xs_obstacle(g.set)
             ? WN_OK
             : try_prepare(file, target, database, &x->gas[x->n_gases - 1].unfit);
}

/* "target" or "target (database)", of which the first `length` bytes are the target; the
 * name is cut there. */
static int read_named(struct wn_cli_xs_sets *x, const char *file, char *name,
                      size_t length)
{
  const size_t whole = strlen(name);
  char *database = NULL;
  if (length < whole) {
    database = wn_asprintf("%.*s", (int)(whole - length - 3), name + length + 2);
    if (database == NULL)
      return WN_ENOMEM;
    name[length] = '\0';
  }
  x->seen[x->n_seen++] = name;
  const int status = read_target(x, file, name, database);
  free(database);
  return status;
}

static int read_file(struct wn_cli_xs_sets *x, const char *file)
{
  size_t n = 0, f = x->n_files_done;
  char **names = NULL;
  WN_TRY(list_targets(file, &n, &names));
  x->names[f] = names;
  x->n_names[f] = n;
  x->n_files_done++;
  const char **seen = wn_realloc(x->seen, x->n_seen + n + 1, sizeof *seen);
  if (seen == NULL)
    return WN_ENOMEM;
  x->seen = seen;

  printf("%s: %zu target%s:", file, n, n == 1 ? "" : "s");
  for (size_t i = 0; i < n; i++)
    printf("%s %s", i ? "," : "", names[i]);
  printf("\n");
  size_t *length = wn_alloc(n, sizeof *length);
  if (length == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < n; i++) /* before any name is cut */
    length[i] = target_length(n, names, i);
  int worst = WN_OK;
  for (size_t i = 0; i < n && worst != WN_ENOMEM; i++) {
    const int status = read_named(x, file, names[i], length[i]);
    if (status != WN_OK)
      worst = status; /* logged; other targets may be valid */
  }
  free(length);
  return worst;
}

bool wn_cli_xs_is_mixture(const struct wn_cli_xs_sets *x)
{
  return x->n_picks > 0 && !isnan(x->pick[0].fraction);
}

double wn_cli_xs_friction(const struct wn_cli_xs_gas *gas, size_t n, bool mixture,
                          double energy_ev)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    const enum wn_xs_beyond beyond = WN_XS_BEYOND_ZERO;
    const struct wn_xs_set *set = gas[i].set;
    double density = WN_CLI_XS_LOSCHMIDT * (mixture ? gas[i].fraction : 1);
    if (energy_ev > gas[i].limit_ev || gas[i].set->ion != NULL)
      return NAN;
    sum += wn_xs_friction(1, &set, &density, &beyond, &gas[i].opal_ev, energy_ev);
  }
  return sum;
}

int wn_cli_xs_read(struct wn_cli_xs_sets *x)
{
  int worst = WN_OK;
  x->names = wn_alloc(x->args->n_files, sizeof *x->names);
  x->n_names = wn_alloc(x->args->n_files, sizeof *x->n_names);
  if (x->names == NULL || x->n_names == NULL)
    return WN_ENOMEM;
  WN_TRY(wn_cli_xs_read_picks(x));
  for (size_t i = 0; i < x->args->n_files; i++) {
    int status = read_file(x, x->args->file[i]);
    if (status == WN_ENOMEM)
      return status;
    worst = status != WN_OK ? status : worst;
  }
  return worst;
}

void wn_cli_xs_clear(struct wn_cli_xs_sets *x)
{
  for (size_t i = 0; i < x->n_gases; i++) {
    wn_xs_free(x->gas[i].set);
    free(x->gas[i].name);
  }
  free(x->gas);
  for (size_t i = 0; i < x->n_picks; i++)
    free(x->pick[i].target);
  free(x->pick);
  for (size_t f = 0; f < x->n_files_done; f++) {
    for (size_t i = 0; i < x->n_names[f]; i++)
      free(x->names[f][i]);
    free(x->names[f]);
  }
  free(x->names);
  free(x->n_names);
  free(x->seen);
}
