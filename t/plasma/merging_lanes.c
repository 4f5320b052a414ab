/* t/plasma/merging_lanes.c - see merging_lanes.h. */
#define WN_WARP_IS_EMULATED 1
#include "t/plasma/merging_lanes.h"
#include <stdlib.h>
#include <string.h>
#include "t/tap/lanes.h"

struct work {
  const struct wn_merging_rule *is;
  const struct wn_merging_records *r;
  struct lanes_cell *cells;
  uint32_t n_cells, lanes, wanted, n_halved;
  unsigned char *scratch;
  /* of a cell k from k * room on */
  size_t room;
  uint32_t *order, *first;
  uint8_t *size;
  struct wn_merging_sums sums[WN_WARP_LANES];
};

static struct wn_merging_cell cell_of(const struct work *w, uint32_t k)
{
  struct wn_merging_cell c;
  memset(&c, 0, sizeof c);
  c.is = w->is;
  c.records = *w->r;
  c.heaviest = w->cells[k].heaviest;
  c.cell = w->cells[k].cell;
  c.list = w->cells[k].list;
  c.n = w->cells[k].n;
  wn_merging_scratch_set(&c, w->scratch, w->room, 0);
  return c;
}

static void arrange(struct work *w, uint32_t k)
{
  struct wn_merging_cell c = cell_of(w, k);
  const uint32_t n_groups = wn_merging_arrange(&c);
  for (uint32_t i = wn_warp_lane(); i < c.n; i += WN_WARP_LANES)
    w->order[k * w->room + i] = c.order[i];
  for (uint32_t i = wn_warp_lane(); i < n_groups; i += WN_WARP_LANES) {
    w->first[k * w->room + i] = c.head[i];
    w->size[k * w->room + i] = (uint8_t)c.part[c.head[i]].n;
  }
  if (wn_warp_lane() == 0)
    w->first[k * w->room + c.n - 1] = n_groups;
  wn_warp_wait();
}

static void merge(void *data)
{
  struct work *w = data;
  for (uint32_t k = 0; k < w->n_cells; k++)
    arrange(w, k);
  const uint32_t tiles = WN_WARP_LANES / w->lanes;
  for (uint32_t begin = 0; begin < w->n_cells; begin += tiles) {
    const uint32_t k = begin + wn_warp_lane() / w->lanes;
    struct wn_merging_groups g;
    memset(&g, 0, sizeof g);
    g.is = w->is;
    g.records = *w->r;
    if (k < w->n_cells) {
      g.n = w->cells[k].n;
      g.heaviest = w->cells[k].heaviest;
      g.cell = w->cells[k].cell;
      g.list = w->cells[k].list;
      g.order = w->order + k * w->room;
      g.first = w->first + k * w->room;
      g.size = w->size + k * w->room;
      g.n_groups = g.first[g.n - 1];
    }
    const uint32_t left =
        wn_merging_become_fewer(&g, w->is->method, w->lanes, &w->sums[wn_warp_lane()]);
    if (k < w->n_cells && wn_warp_lane() % w->lanes == 0)
      w->cells[k].left = left;
  }
}

static void begin(struct work *w)
{
  for (uint32_t k = 0; k < w->n_cells; k++)
    if (w->cells[k].n > w->room)
      w->room = w->cells[k].n;
  /* exactly as much as is asked for: a sanitizer sees what goes beyond */
  w->scratch = malloc(wn_merging_scratch_bytes(w->room, 0));
  w->order = calloc(w->n_cells * w->room, sizeof *w->order);
  w->first = calloc(w->n_cells * w->room, sizeof *w->first);
  w->size = calloc(w->n_cells * w->room, sizeof *w->size);
  if (w->scratch == NULL || w->order == NULL || w->first == NULL || w->size == NULL)
    abort();
  memset(w->scratch, 0xa5, wn_merging_scratch_bytes(w->room, 0));
}

static void end(struct work *w)
{
  free(w->scratch);
  free(w->order);
  free(w->first);
  free(w->size);
}

int lanes_merge(const struct wn_merging_rule *is, const struct wn_merging_records *r,
                struct lanes_cell *cells, uint32_t n_cells, uint32_t lanes,
                int is_backwards, struct wn_merging_sums *sums)
{
  struct work w = {.is = is, .r = r, .cells = cells, .n_cells = n_cells, .lanes = lanes};
  begin(&w);
  const int equal = lanes_run(is_backwards, merge, &w);
  for (uint32_t k = 0; k < WN_WARP_LANES; k++) {
    const struct wn_merging_sums *s = &w.sums[k];
    sums->before += s->before;
    sums->after += s->after;
    sums->across += s->across;
    sums->left += s->left;
    sums->merged_quanta += s->merged_quanta;
    sums->energy_before += s->energy_before;
    sums->energy_after += s->energy_after;
    for (int d = 0; d < 3; d++) {
      sums->momentum_before[d] += s->momentum_before[d];
      sums->momentum_after[d] += s->momentum_after[d];
    }
  }
  end(&w);
  return equal;
}

static void halves(void *data)
{
  struct work *w = data;
  struct wn_merging_cell c = cell_of(w, 0);
  const uint32_t n = wn_merging_find_halves(&c, w->wanted);
  for (uint32_t i = wn_warp_lane(); i < n; i += WN_WARP_LANES)
    w->order[i] = c.order[i];
  if (wn_warp_lane() == 0)
    w->n_halved = n;
}

int lanes_halves(const struct wn_merging_rule *is, const struct wn_merging_records *r,
                 const struct lanes_cell *c, uint32_t wanted, int is_backwards,
                 uint32_t *halved, uint32_t *n)
{
  struct lanes_cell cell = *c;
  struct work w = {.is = is, .r = r, .cells = &cell, .n_cells = 1, .wanted = wanted};
  begin(&w);
  const int equal = lanes_run(is_backwards, halves, &w);
  *n = w.n_halved;
  memcpy(halved, w.order, w.n_halved * sizeof *halved);
  end(&w);
  return equal;
}
