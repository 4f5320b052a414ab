/* src/run/same_ranks.c - see same_ranks.h. */
#include "src/run/same_ranks.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "src/config/same_scenario.h"

/* WN_EINPUT with the line in which b, of process `rank`, differs from a, of process 0. */
static int say_difference(const char *what, const char *a, const char *b, int rank)
{
  size_t at = 0, line = 0;
  for (; a[at] == b[at]; at++)
    line = a[at] == '\n' ? at + 1 : line;
  const int n_a = (int)strcspn(a + line, "\n"), n_b = (int)strcspn(b + line, "\n");
  return WN_FAIL(
      WN_EINPUT,
      "process %d of %d was started with another %s than process 0: `%.*s`, not "
      "`%.*s`; start all with the same",
      rank, wn_ranks(), what, n_b, b + line, n_a, a + line);
}

int wn_same_on_ranks(const char *what, const char *text)
{
  const size_t n = (size_t)wn_ranks();
  double longest = (double)strlen(text);
  if (n == 1)
    return WN_OK;
  wn_ranks_most(&longest, 1);
  const size_t room = (size_t)longest + 1;
  char *mine = wn_alloc(room, 1), *all = wn_alloc(n, room);
  int status = wn_ranks_any(mine == NULL || all == NULL) ? WN_ENOMEM : WN_OK;
  if (status == WN_OK) {
    memcpy(mine, text, strlen(text));
    wn_ranks_gather(mine, room, all);
  }
  for (size_t r = 1; r < n && status == WN_OK; r++)
    if (strcmp(all, all + r * room) != 0)
      status = say_difference(what, all, all + r * room, (int)r);
  free(mine);
  free(all);
  return status;
}

/* Appends a text and a line to *to, malloc'd; the old text is freed. */
static int append(char **to, const char *text)
{
  char *longer =
      text != NULL ? wn_asprintf("%s%s\n", *to != NULL ? *to : "", text) : NULL;
  free(*to);
  *to = longer;
  return longer != NULL ? WN_OK : WN_ENOMEM;
}

static int all_texts(const struct wn_scenarios *p, const char *more, char **out)
{
  const struct wn_config *c = p->c[0];
  char *own =
      wn_asprintf("output = %s\ndivide = %d\npopulation.capacity = %zu\n"
                  "checkpoint.steps = %zu\ncheckpoint.step_limit = %zu\n%zu points",
                  c->output, (int)c->divide, c->capacity, c->checkpoint.steps,
                  c->checkpoint.step_limit, p->n);
  int status = append(out, more);
  if (status == WN_OK)
    status = append(out, own);
  free(own);
  for (size_t i = 0; i < p->n && status == WN_OK; i++) {
    char *text = wn_same_text(p->c[i]);
    status = append(out, text);
    free(text);
  }
  return status;
}

int wn_same_scenarios_on_ranks(const struct wn_scenarios *p, const char *more)
{
  char *text = NULL;
  if (wn_ranks() == 1)
    return WN_OK;
  int status = all_texts(p, more, &text);
  if (wn_ranks_any(status != WN_OK) && status == WN_OK)
    status = WN_ENOMEM;
  if (status == WN_OK)
    status = wn_same_on_ranks("scenario", text);
  free(text);
  return status;
}
