/* t/tap/lanes.c - see lanes.h. */
#define WN_WARP_IS_EMULATED 1
#include "t/tap/lanes.h"
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include "physics/warp.h"
#include "t/tap/tap.h"

#define LANES       WN_WARP_LANES
#define STACK_BYTES ((size_t)256 << 10)

static ucontext_t context[LANES], host;
static uint32_t this_lane, slot[LANES], n_ended;
static uint64_t n_waits[LANES];
static int has_ended[LANES], goes_backwards;
static void (*function)(void *);
static void *argument;

static uint32_t next_of(uint32_t lane)
{
  return (goes_backwards ? lane + LANES - 1 : lane + 1) % LANES;
}

static void body(void)
{
  function(argument);
  has_ended[this_lane] = 1;
  n_ended++;
  while (n_ended < LANES) /* the others go on */
    lanes_wait();
}

uint32_t lanes_this(void)
{
  return this_lane;
}

void lanes_wait(void)
{
  const uint32_t from = this_lane;
  n_waits[from] += !has_ended[from];
  this_lane = next_of(from);
  if (swapcontext(&context[from], &context[this_lane]) != 0)
    abort();
}

uint32_t lanes_value(uint32_t v, uint32_t lane)
{
  slot[this_lane] = v;
  lanes_wait();
  const uint32_t other = slot[lane % LANES];
  lanes_wait();
  return other;
}

uint32_t lanes_ballot(int yes)
{
  uint32_t all = 0;
  slot[this_lane] = yes != 0;
  lanes_wait();
  for (uint32_t k = 0; k < LANES; k++)
    all |= slot[k] << k;
  lanes_wait();
  return all;
}

static void make_lane(uint32_t k, unsigned char *stack)
{
  if (getcontext(&context[k]) != 0)
    abort();
  context[k].uc_stack.ss_sp = stack;
  context[k].uc_stack.ss_size = STACK_BYTES;
  context[k].uc_link = &host;
  makecontext(&context[k], body, 0);
}

int lanes_run(int is_backwards, void (*f)(void *data), void *data)
{
  unsigned char *stacks = calloc(LANES, STACK_BYTES);
  int equal = 1;
  if (stacks == NULL)
    abort();
  memset(n_waits, 0, sizeof n_waits);
  memset(has_ended, 0, sizeof has_ended);
  n_ended = 0;
  goes_backwards = is_backwards;
  function = f;
  argument = data;
  for (uint32_t k = 0; k < LANES; k++)
    make_lane(k, stacks + k * STACK_BYTES);
  this_lane = is_backwards ? LANES - 1 : 0;
  if (swapcontext(&host, &context[this_lane]) != 0)
    abort();
  for (uint32_t k = 1; k < LANES; k++)
    equal &= n_waits[k] == n_waits[0];
  free(stacks);
  return equal;
}
