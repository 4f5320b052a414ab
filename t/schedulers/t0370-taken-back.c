/* t0370-taken-back.c - defends: a phase that ends because there is no room, wherever in
 * it that is found, is taken back: the species says WN_EFULL, and its sums, first
 * passages and highest energy are those of its last whole phase.  What else goes wrong is
 * passed on and is not taken for a full store.  Reference: the same case, stopped one
 * phase before, by the same scheduler, `serial`. */
#include <stdio.h>
#include "base/error.h"
#include "base/log.h"
#include "src/run/run.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define SCENARIO "t0370-taken-back.cfg"
#define PHASES   6 /* whole ones */

/* `serial`, but for one of its three parts, which fails after PHASES calls. */
static int left, failure;

static int count_down(void)
{
  return left-- > 0 ? WN_OK : failure;
}

static int hold(struct wn_scheduler *s, const struct wn_model *m, struct wn_particles *p)
{
  WN_TRY(count_down());
  return wn_scheduler_serial.hold(s, m, p);
}

static int gather(struct wn_scheduler *s, const struct wn_model *m,
                  struct wn_particles *p)
{
  WN_TRY(count_down());
  return wn_scheduler_serial.gather(s, m, p);
}

/* When all is added up that is there to be taken back. */
static int advance(struct wn_scheduler *s, const struct wn_model *m,
                   struct wn_particles *p, struct wn_tally *tally)
{
  WN_TRY(wn_scheduler_serial.advance(s, m, p, tally));
  return count_down();
}

static void start(struct scene *s)
{
  static const char *const set[] = {"job=\"runaway\"",
                                    "duration=\"1 ns\"",
                                    "fields=[\"1200 Td\"]",
                                    "electrons=200",
                                    "runaway.thresholds=[\"30 eV\", \"60 eV\"]",
                                    NULL};
  scene_open(s, SCENARIO, scene_air, set);
  scene_scheduler(s, "serial", 1);
  scene_start(s, 1e-12);
}

static void part(const char *name, struct wn_scheduler_ops ops, int fails,
                 const struct scene_result *whole)
{
  const int is_full = fails == WN_ENOMEM || fails == WN_EFULL;
  struct scene s;
  struct scene_result got;
  start(&s);
  struct wn_species *species = scene_species(&s);
  left = PHASES;
  failure = fails;
  if (scene_use(&s, &ops, &(struct wn_scheduler_options){.threads = 1}) != WN_OK)
    return (void)ok(0, "%s: a scheduler", name);
  scene_run(&s, PHASES + 2, 0, &got);
  is_int(got.status, is_full ? WN_EFULL : fails, "%s, %s: what the step says", name,
         wn_status_text(fails));
  is_int(species->is_full, is_full, "%s: and the species", name);
  is_int(got.phases, PHASES, "%s: whole phases", name);
  if (is_full) {
    const char *what = scene_tallies_differ(&got, whole, &species->shape);
    ok(what == NULL, "%s: sums and first passages of the whole phases%s%s", name,
       what ? "; differs: " : "", what ? what : "");
  }
  scene_result_clear(&got);
  scene_close(&s);
}

int main(void)
{
  struct wn_scheduler_ops holds = wn_scheduler_serial, gathers = holds, advances = holds;
  struct scene s;
  struct scene_result whole, later;
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  holds.hold = hold;
  gathers.gather = gather;
  advances.advance = advance;
  start(&s);
  scene_run(&s, PHASES, 0, &whole);
  scene_run(&s, 1, 0, &later);
  const char *what = scene_tallies_differ(&later, &whole, &scene_species(&s)->shape);
  ok(what != NULL, "a phase more changes the sums");
  size_t passed = 0;
  for (size_t i = 0; i < whole.n_passage; i++)
    passed += whole.passage[i] != later.passage[i];
  ok(passed > 0, "and first passages: %zu", passed);
  scene_close(&s);
  part("hold", holds, WN_ENOMEM, &whole);
  part("gather", gathers, WN_ENOMEM, &whole);
  part("gather", gathers, WN_EINTERN, &whole);
  part("advance", advances, WN_ENOMEM, &whole);
  part("advance", advances, WN_EFULL, &whole);
  scene_result_clear(&whole);
  scene_result_clear(&later);
  return done();
}
