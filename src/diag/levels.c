/* src/diag/levels.c - diagnostic `levels`: the ledger of a weighted ensemble
 * (particles/weighted_ensemble.h), summed over the groups.  In each level and in all of them
 * carried - killed + raised - halved = living, to the last bit. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)c, (void)g;
  static const struct wn_output_var vars[] = {
      {WN_VAR(
           "level_carried", "1",
           "net weight that entered the level by flight, collisions, births and deaths"),
       WN_DIMS("field", "level")},
      {WN_VAR("level_killed", "1", "weight removed from the level by roulette"),
       WN_DIMS("field", "level")},
      {WN_VAR("level_raised", "1",
              "weight added by roulette to the surviving electrons of the level"),
       WN_DIMS("field", "level"), .comment = "on average equal to the weight removed"},
      {WN_VAR(
           "level_halved", "1",
           "weight removed by halving all weights, minus weight added by doubling them"),
       WN_DIMS("field", "level")},
      {WN_VAR("level_living", "1",
              "weight in the level at the end: carried - killed + raised - halved"),
       WN_DIMS("field", "level")},
      {WN_VAR("roulette_killed", "1", "electrons removed by roulette"),
       .type = WN_OUT_INT64, WN_DIMS("field")},
      {WN_VAR("copies", "1", "copies made of electrons"), .type = WN_OUT_INT64,
       WN_DIMS("field")},
  };
  return wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]);
}

static wn_i128 entry(const struct wn_level_ledger *l, int which)
{
  const wn_i128 all[] = {l->carried, l->killed, l->raised, l->halved, l->living};
  return all[which];
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  static const char *const name[] = {"level_carried", "level_killed", "level_raised",
                                     "level_halved", "level_living"};
  const struct wn_ensemble *e = s->species[0]->ensemble;
  const size_t levels = wn_levels_number(&e->levels);
  const long long killed = (long long)e->killed, copied = (long long)e->copied;
  double *row = wn_alloc(levels, sizeof *row);
  int status = row != NULL ? WN_OK : WN_ENOMEM;
  (void)d, (void)enough;
  for (int which = 0; which < 5 && status == WN_OK; which++) {
    for (size_t i = 0; i < levels; i++) {
      wn_i128 sum = 0;
      for (size_t g = 0; g < e->n_groups; g++)
        sum += entry(&e->ledger[g * levels + i], which);
      row[i] = (double)sum / WN_FIX_RARE;
    }
    status = wn_output_put(o, name[which], (long)s->i_case, row);
  }
  free(row);
  WN_TRY(status);
  WN_TRY(wn_output_put_int(o, "roulette_killed", (long)s->i_case, &killed));
  return wn_output_put_int(o, "copies", (long)s->i_case, &copied);
}

const struct wn_diag_ops wn_diag_levels = {
    .define = define,
    .write = write,
};
