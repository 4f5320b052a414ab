/* crosssections/xs_states.c - see xs_states.h. */
#include "crosssections/xs_states.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs_levels.h"
#include "crosssections/xs_lxcat_scan.h"
#include "crosssections/xs_set.h"
#include "physics/constants.h"

#define LEAST   1e-20 /* of a population, below which a process is left out */
#define AGREE   0.02  /* of a loss, by which steps may contradict each other */
#define NO_J    (-1L)
#define NO_PART ((size_t)-1)

struct state {
  char *name;
  long j;      /* of "J=2"; NO_J */
  size_t part; /* of the ladder */
  double e,
      g; /* eV above and weight over the first of the part, later the lowest of all */
  double p;
};

struct step {
  struct wn_xs_block *block;
  size_t lower, upper;
  double w, ratio;
};

struct ladder {
  const char *path, *keyword;
  struct state *state;
  struct step *step;
  size_t n_states, n_steps, n_parts;
};

static void ladder_free(struct ladder *l)
{
  for (size_t i = 0; i < l->n_states; i++)
    free(l->state[i].name);
  free(l->state);
  free(l->step);
}

static int refuse(const struct ladder *l, const struct wn_xs_block *b, const char *why)
{
  wn_log_at(WN_LOG_ERROR, l->path, b->line, "block %s %s: %s", b->keyword,
            b->product != NULL ? b->product : "", why);
  return WN_EINPUT;
}

/* Does the text contain the target, and not as a part of a longer formula? */
static bool names(const char *text, const char *target)
{
  const size_t n = strlen(target);
  for (const char *p = text; p != NULL && (p = strstr(p, target)) != NULL; p++)
    if ((p == text || !isalnum((unsigned char)p[-1])) && !isalnum((unsigned char)p[n]))
      return true;
  return false;
}

static bool is_of(const struct wn_xs_block *b, const char *keyword, const char *target)
{
  return b->use == WN_XS_BLOCK_STATE && strcmp(b->keyword, keyword) == 0 &&
         (names(b->species, target) || names(b->process, target) ||
          names(b->target, target));
}

/* ---- names of states ---- */

static long number_behind(const char *text, const char *what)
{
  const char *p = text != NULL ? strstr(text, what) : NULL;
  return p != NULL && isdigit((unsigned char)p[2]) ? strtol(p + 2, NULL, 10) : NO_J;
}

/* "N2 (J=0-J=2)" or "(v=0-2)": both names in brackets. */
static int bracketed(const char *text, char **lower, char **upper)
{
  static const char *const letters[] = {"J=", "v="};
  for (size_t i = 0; i < 2; i++) {
    const char *p = strstr(text, letters[i]);
    char *end;
    if (p == NULL || !isdigit((unsigned char)p[2]))
      continue;
    const long from = strtol(p + 2, &end, 10);
    end += strspn(end, " ");
    if (*end != '-')
      continue;
    end += 1 + strspn(end + 1, " ");
    if (strncmp(end, letters[i], 2) == 0)
      end += 2;
    if (!isdigit((unsigned char)*end))
      continue;
    *lower = wn_asprintf("%s%ld", letters[i], from);
    *upper = wn_asprintf("%s%ld", letters[i], strtol(end, NULL, 10));
    return *lower != NULL && *upper != NULL ? WN_OK : WN_ENOMEM;
  }
  return WN_OK;
}

static int names_of(const struct wn_xs_block *b, char **lower, char **upper)
{
  if (b->product == NULL || b->target == NULL)
    return WN_OK;
  WN_TRY(bracketed(b->product, lower, upper));
  if (*lower != NULL)
    return WN_OK;
  *lower = wn_strdup(b->target);
  *upper = wn_strdup(b->product);
  return *lower != NULL && *upper != NULL ? WN_OK : WN_ENOMEM;
}

/* Takes the name over. */
static size_t find_state(struct ladder *l, char *name)
{
  for (size_t i = 0; i < l->n_states; i++)
    if (strcmp(l->state[i].name, name) == 0) {
      free(name);
      return i;
    }
  l->state[l->n_states] =
      (struct state){.name = name, .j = number_behind(name, "J="), .part = NO_PART};
  return l->n_states++;
}

/* ---- steps ---- */

static int add_step(struct ladder *l, struct wn_xs_block *b)
{
  char *lower = NULL, *upper = NULL;
  const int status = names_of(b, &lower, &upper);
  if (status != WN_OK || lower == NULL || strcmp(lower, upper) == 0) {
    free(lower);
    free(upper);
    return status != WN_OK
               ? status
               : refuse(l, b,
                        "it does not name two states, as in \"N2 (J=0-J=2)\" or "
                        "\"N2(X,v=0) <-> N2(X,v=1)\"");
  }
  struct step *s = &l->step[l->n_steps];
  *s = (struct step){.block = b,
                     .lower = find_state(l, lower),
                     .upper = find_state(l, upper),
                     .w = b->has_value     ? b->value
                          : b->has_param_e ? b->param_e
                                           : 0.0,
                     .ratio = b->has_weight    ? b->weight
                              : b->has_param_g ? b->param_g
                                               : 0.0};
  const long j = l->state[s->lower].j, k = l->state[s->upper].j;
  if (s->ratio == 0.0 && j != NO_J && k != NO_J)
    s->ratio = (2.0 * (double)k + 1.0) / (2.0 * (double)j + 1.0);
  if (!(s->w > 0.0))
    return refuse(l, b,
                  "it gives no energy loss above 0, on the third line or as E of PARAM");
  if (!(s->ratio > 0.0))
    return refuse(l, b,
                  "it gives no ratio of statistical weights: the second number of line "
                  "3, or g1/g0 of PARAM");
  for (size_t i = 0; i < l->n_steps; i++)
    if (l->step[i].lower == s->lower && l->step[i].upper == s->upper)
      return refuse(l, b, "another block has the same two states");
  l->n_steps++;
  return WN_OK;
}

static int add_steps(struct ladder *l, struct wn_xs_blocks *f, const char *target)
{
  size_t n = 0, without = 0;
  for (size_t i = 0; i < f->n; i++)
    n += is_of(&f->block[i], l->keyword, target);
  l->state = wn_alloc(2 * n + 1, sizeof *l->state);
  l->step = wn_alloc(n + 1, sizeof *l->step);
  if (l->state == NULL || l->step == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < f->n; i++) {
    struct wn_xs_block *b = &f->block[i];
    if (!is_of(b, l->keyword, target))
      continue;
    if (!b->has_value && !b->has_param_e) { /* a continuous approximation */
      wn_log_at(WN_LOG_WARN, l->path, b->line, "%s %s: not used: it gives no energy loss",
                b->keyword, b->product != NULL ? b->product : target);
      without++;
      continue;
    }
    WN_TRY(add_step(l, b));
  }
  if (l->n_steps > 0)
    return WN_OK;
  wn_log_at(WN_LOG_ERROR, l->path, 0,
            "no block %s of %s%s: its temperature has no effect", l->keyword, target,
            without > 0 ? " with an energy loss" : "");
  return WN_EINPUT;
}

/* ---- energies and weights ---- */

/* Assign the part, energy and weight of a state to all states that steps connect with it. */
static void spread(struct ladder *l)
{
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < l->n_steps; i++) {
      const struct step *s = &l->step[i];
      struct state *a = &l->state[s->lower], *b = &l->state[s->upper];
      if (a->part != NO_PART && b->part == NO_PART) {
        *b = (struct state){b->name, b->j, a->part, a->e + s->w, a->g * s->ratio, 0.0};
        more = true;
      } else if (a->part == NO_PART && b->part != NO_PART) {
        *a = (struct state){a->name, a->j, b->part, b->e - s->w, b->g / s->ratio, 0.0};
        more = true;
      }
    }
  }
}

static int connect_states(struct ladder *l)
{
  for (size_t i = 0; i < l->n_states; i++)
    if (l->state[i].part == NO_PART) {
      l->state[i].part = l->n_parts++;
      l->state[i].e = 0.0;
      l->state[i].g = 1.0;
      spread(l);
    }
  for (size_t i = 0; i < l->n_steps; i++) {
    const struct step *s = &l->step[i];
    const struct state *a = &l->state[s->lower], *b = &l->state[s->upper];
    if (!(fabs(b->e - a->e - s->w) <= AGREE * s->w) ||
        !(fabs(b->g / a->g / s->ratio - 1.0) <= AGREE))
      return refuse(l, s->block,
                    "its energy loss or ratio of weights contradicts the other blocks "
                    "between these states by more than 2 %");
  }
  return WN_OK;
}

/* B of a rigid rotor, eV; 0: no step of the part has J at both ends. */
static double rotor(const struct ladder *l, size_t part)
{
  for (size_t i = 0; i < l->n_steps; i++) {
    const struct state *a = &l->state[l->step[i].lower], *b = &l->state[l->step[i].upper];
    if (a->part == part && a->j != NO_J && b->j > a->j)
      return l->step[i].w / (double)(b->j * (b->j + 1) - a->j * (a->j + 1));
  }
  return 0.0;
}

/* Place the parts relative to each other as those of a rigid rotor. */
static int place_parts(struct ladder *l, const double nuclear[2])
{
  bool parity[2] = {false, false};
  if (l->n_parts == 1)
    return WN_OK;
  for (size_t i = 0; i < l->n_states; i++)
    if (l->state[i].j != NO_J)
      parity[l->state[i].j & 1] = true;
  const bool both = parity[0] && parity[1];
  if (both && !(nuclear[0] > 0.0 && nuclear[1] > 0.0)) {
    wn_log_at(
        WN_LOG_ERROR, l->path, 0,
        "%s: states of even and of odd J, which no block connects; give "
        "rotational_weights, the weights of the nuclear spins, as [2.0, 1.0] for N2",
        l->keyword);
    return WN_EINPUT;
  }
  for (size_t part = 0; part < l->n_parts; part++) {
    const struct state *first = NULL;
    for (size_t i = 0; i < l->n_states && first == NULL; i++)
      if (l->state[i].part == part)
        first = &l->state[i];
    const double b = rotor(l, part);
    if (!(b > 0.0) || first->j == NO_J) {
      const struct state *other = first;
      for (size_t i = 0; i < l->n_states && other->part == part; i++)
        other = &l->state[i];
      wn_log_at(WN_LOG_ERROR, l->path, 0,
                "%s: no block connects \"%s\" and \"%s\", so that the ratio of their "
                "populations is not known",
                l->keyword, first->name, other->name);
      return WN_EINPUT;
    }
    const double j = (double)first->j, e = b * j * (j + 1.0) - first->e,
                 g = (2.0 * j + 1.0) * (both ? nuclear[first->j & 1] : 1.0) / first->g;
    for (size_t i = 0; i < l->n_states; i++)
      if (l->state[i].part == part) {
        l->state[i].e += e;
        l->state[i].g *= g;
      }
  }
  return WN_OK;
}

static void populate(struct ladder *l, double temperature_k)
{
  const double kt = WN_KB * temperature_k / WN_E;
  double least = INFINITY, z = 0.0;
  for (size_t i = 0; i < l->n_states; i++)
    least = fmin(least, l->state[i].e);
  for (size_t i = 0; i < l->n_states; i++) {
    struct state *s = &l->state[i];
    s->e -= least;
    s->p = s->e == 0.0 ? s->g : kt > 0.0 ? s->g * exp(-s->e / kt) : 0.0;
    z += s->p;
  }
  for (size_t i = 0; i < l->n_states; i++)
    l->state[i].p /= z;
}

/* ---- processes ---- */

/* Error when an excitation of the set is the same as a step from the lowest state. */
static int check_twice(const struct ladder *l, const struct wn_xs_set *set)
{
  for (size_t i = 0; i < l->n_steps; i++)
    for (size_t k = 0; l->state[l->step[i].lower].e == 0.0 && k < set->n; k++) {
      const struct wn_xs_process *p = &set->process[k];
      if (p->kind != WN_XS_EXCITATION ||
          !(fabs(fabs(p->loss_ev) - l->step[i].w) <= 0.01 * l->step[i].w))
        continue;
      wn_log_at(WN_LOG_ERROR, l->path, l->step[i].block->line,
                "block %s from \"%s\": its energy loss of %.9g eV is that of \"%s\", so "
                "it would count twice; exclude that process",
                l->keyword, l->state[l->step[i].lower].name, l->step[i].w, p->label);
      return WN_EINPUT;
    }
  return WN_OK;
}

static int add_process(const struct ladder *l, const struct step *s,
                       const struct wn_xs_blocks *f, double mass, struct wn_xs_set *to)
{
  const double p = l->state[s->lower].p, q = l->state[s->upper].p,
               w = s->w * (mass > 0.0 ? 1.0 + WN_ME / mass : 1.0);
  if (p < LEAST && q < LEAST)
    return WN_OK;
  WN_TRY(wn_xs_lxcat_add(to, f, s->block));
  const size_t i = to->n - 1;
  if (!(to->process[i].energy_ev[to->process[i].n - 1] > 1.001 * w))
    return refuse(l, s->block, "its table ends at the energy loss");
  if (q / s->ratio >= LEAST)
    WN_TRY(wn_xs_add_reverse(to, i, s->ratio, q, w));
  for (size_t r = 0; r < to->process[i].n; r++)
    to->process[i].sigma[r] *= p;
  return WN_OK;
}

static int note_populations(const struct ladder *l, double temperature_k,
                            struct wn_xs_set *to)
{
  char *text =
      wn_asprintf("%s at %.6g K, fractions of the molecules:", l->keyword, temperature_k);
  for (size_t i = 0; text != NULL && i < l->n_states; i++) {
    char *more = wn_asprintf("%s%s %s %.4g", text, i > 0 ? "," : "", l->state[i].name,
                             l->state[i].p);
    free(text);
    text = more;
  }
  if (text == NULL)
    return WN_ENOMEM;
  wn_log_at(WN_LOG_INFO, l->path, 0, "%s", text);
  const int status = wn_xs_note(to, "%s: %s", l->path, text);
  free(text);
  return status;
}

/* Blocks of one kind, to `to`. */
static int add_kind(const struct wn_xs_set *set, struct wn_xs_blocks *f, double mass,
                    const char *path, const char *keyword, double temperature_k,
                    const double nuclear[2], struct wn_xs_set *to)
{
  struct ladder l = {.path = path, .keyword = keyword};
  int status = add_steps(&l, f, set->name);
  if (status == WN_OK)
    status = connect_states(&l);
  if (status == WN_OK)
    status = place_parts(&l, nuclear);
  if (status == WN_OK) {
    populate(&l, temperature_k);
    status = check_twice(&l, set);
  }
  for (size_t i = 0; i < l.n_steps && status == WN_OK; i++)
    status = add_process(&l, &l.step[i], f, mass, to);
  if (status == WN_OK)
    status = note_populations(&l, temperature_k, to);
  ladder_free(&l);
  return status;
}

/* Append all processes of one set to another. */
static int move_processes(struct wn_xs_set *from, struct wn_xs_set *to)
{
  const size_t before = to->n;
  for (size_t i = 0; i < from->n; i++) {
    const int status = wn_xs_append(to, &from->process[i]);
    if (status != WN_OK) { /* processes that were moved no longer belong to `from` */
      for (size_t k = i; k < from->n; k++)
        from->process[k - i] = from->process[k];
      from->n -= i;
      WN_ASSERT(to->n == before + i);
      return status;
    }
  }
  from->n = 0;
  return from->notes != NULL ? wn_xs_note(to, "%s", from->notes) : WN_OK;
}

int wn_xs_add_states(struct wn_xs_set *set, double mass, const struct wn_xs_states *of)
{
  struct wn_xs_blocks f;
  if (of->rotational_k < 0.0 && of->vibrational_k < 0.0)
    return WN_OK;
  WN_TRY(wn_xs_lxcat_scan(of->path, &f));
  struct wn_xs_set *to = wn_alloc(1, sizeof *to);
  int status = to != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && ((to->name = wn_strdup(set->name)) == NULL ||
                          (to->source = wn_strdup(of->path)) == NULL))
    status = WN_ENOMEM;
  if (status == WN_OK && of->rotational_k >= 0.0)
    status = add_kind(set, &f, mass, of->path, "ROTATIONAL", of->rotational_k,
                      of->nuclear_weight, to);
  if (status == WN_OK && of->vibrational_k >= 0.0)
    status = add_kind(set, &f, mass, of->path, "VIBRATIONAL", of->vibrational_k,
                      of->nuclear_weight, to);
  if (status == WN_OK)
    status = move_processes(to, set);
  wn_xs_lxcat_scan_free(&f);
  wn_xs_free(to);
  return status;
}
