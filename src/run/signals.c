/* src/run/signals.c - see signals.h. */
#include "src/run/signals.h"
#include <signal.h>
#include <stdatomic.h>
#include "base/error.h"
#include "base/ranks.h"

static const int signals[] = {SIGINT, SIGTERM, SIGUSR1};
enum { N_SIGNALS = sizeof signals / sizeof signals[0] };

static struct sigaction before[N_SIGNALS];
/* Set by a signal: end the run, save.  Atomic, as threads that run cases read them; without a lock, as
 * signals set them. */
static atomic_int stopped, asked;

static void on_signal(int number)
{
  if (number == SIGUSR1)
    asked = 1;
  else
    stopped = number;
}

void wn_signals_early(void)
{
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
}

void wn_signals_begin(void)
{
  stopped = 0;
  for (int i = 0; i < N_SIGNALS; i++) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    /* a signal must not make a write fail */
    action.sa_flags = SA_RESTART | (signals[i] == SIGUSR1 ? 0 : (int)SA_RESETHAND);
    sigaction(signals[i], &action, &before[i]);
  }
}

void wn_signals_end(void)
{
  for (int i = 0; i < N_SIGNALS; i++)
    sigaction(signals[i], &before[i], NULL);
}

int wn_signals_stopped(void)
{
  return stopped;
}

void wn_signals_stop(int number)
{
  if (stopped == 0)
    stopped = number;
}

int wn_signals_save_requested(void)
{
  return asked != 0;
}

void wn_signals_save_done(void)
{
  asked = 0;
}

void wn_signals_share(void)
{
  double most[] = {stopped, asked};
  if (wn_ranks() == 1)
    return;
  wn_ranks_most(most, 2);
  stopped = (int)most[0];
  asked = (int)most[1];
}

int wn_signals_interrupted(void)
{
  if (stopped == 0)
    return WN_OK;
  return WN_FAIL(WN_ERUN, "stopped by signal %d", stopped);
}
