/* src/run/progress.c - see progress.h. */
#include "src/run/progress.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/log.h"
#include "src/stats/growth.h"

#define EVERY_TERMINAL 0.25 /* s */
#define EVERY_PLAIN    10.0

void wn_progress_init(struct wn_progress *p, size_t n_cases, int quiet, int collisions)
{
  *p = (struct wn_progress){.n_cases = n_cases,
                            .quiet = quiet,
                            .collisions = collisions,
                            .terminal = isatty(2),
                            .start = wn_clock_now()};
  p->last = p->start;
}

void wn_progress_case(struct wn_progress *p, const char *text)
{
  p->i_case++;
  p->text = text;
  p->case_start = wn_clock_now();
  p->mark[0].n = p->mark[1].n = p->sum = p->moves = 0.0;
  p->last_time = p->last_n = 0.0;
  p->candidates_before = p->real_before = 0;
}

void wn_progress_goes_on(struct wn_progress *p, double time, uint64_t candidates,
                         uint64_t real)
{
  p->last_time = time;
  p->candidates_before = candidates;
  p->real_before = real;
}

static double every(const struct wn_progress *p)
{
  return p->terminal ? EVERY_TERMINAL : EVERY_PLAIN;
}

int wn_progress_due(const struct wn_progress *p)
{
  return !p->quiet && wn_clock_now() - p->last >= every(p);
}

double wn_progress_to_go(double sum, double spent, double n, double rate, double left,
                         double most)
{
  return spent * wn_growth_sum(n, rate, left, most) / sum;
}

double wn_progress_to_go_linear(double sum, double spent, double n, double slope,
                                double left, double most)
{
  const double until = slope > 0.0 && n < most ? fmin(left, (most - n) / slope)
                       : slope > 0.0           ? 0.0
                                               : left;
  const double end = n + slope * until;
  return spent * (0.5 * (n + end) * until + end * (left - until)) / sum;
}

/* Notes the number of particles at a time. */
static void note_number(struct wn_progress *p, double time, double n)
{
  if (p->last_n <= 0.0)
    p->last_n = n;
  p->sum += 0.5 * (p->last_n + n) * (time - p->last_time);
  p->last_time = time;
  p->last_n = n;
  if (p->mark[1].n <= 0.0 || time >= 2.0 * p->mark[1].time) {
    p->mark[0] = p->mark[1];
    p->mark[1].time = time;
    p->mark[1].n = n;
  }
}

/* Growth rate, 1/s, since a quarter or half of the time; 0: not known. */
static double growth(const struct wn_progress *p)
{
  const double t = p->last_time - p->mark[0].time;
  return t > 0.0 && p->mark[0].n > 0.0 && p->last_n > 0.0
             ? log(p->last_n / p->mark[0].n) / t
             : 0.0;
}

/* s to go.  Electrons that collide multiply, each for itself; particles of a plasma limit each other, and
 * their number grows at most linearly: an exponential fit to its start would say days for minutes. */
static double to_go(const struct wn_progress *p, double spent, double left, double most)
{
  const double rate = growth(p), t = p->last_time - p->mark[0].time;
  return p->collisions || !(rate > 0.0)
             ? wn_progress_to_go(p->sum, spent, p->last_n, rate, left, most)
             : wn_progress_to_go_linear(p->sum, spent, p->last_n,
                                        (p->last_n - p->mark[0].n) / t, left, most);
}

static void show_time(char *buf, size_t n, double s)
{
  if (!(s < 3.6e6))
    snprintf(buf, n, "?");
  else if (s < 3600.0)
    snprintf(buf, n, "%d:%02d", (int)s / 60, (int)s % 60);
  else
    snprintf(buf, n, "%d:%02d:%02d", (int)s / 3600, (int)s / 60 % 60, (int)s % 60);
}

void wn_progress_step(struct wn_progress *p, double time, size_t electrons, double most,
                      uint64_t candidates, uint64_t real, double fraction)
{
  p->now_candidates = candidates - p->candidates_before;
  p->now_real = real - p->real_before;
  note_number(p, time, (double)electrons);
  p->moves += (double)electrons;
  if (!wn_progress_due(p))
    return;
  double t = wn_clock_now(), spent = t - p->case_start;
  p->last = t;
  char left[32] = "?";
  if (fraction > 0.0)
    show_time(left, sizeof left, to_go(p, spent, time / fraction - time, most));
  char line[256];
  const double n = p->collisions ? (double)p->now_candidates : p->moves,
               each = spent / fmax(n, 1.0) * 1e9;
  if (p->collisions)
    snprintf(
        line, sizeof line,
        "field %zu of %zu, %s: %3.0f %%, %zu electrons, %.3g ns per candidate, %s to go",
        p->i_case, p->n_cases, p->text, 100.0 * fraction, electrons, each, left);
  else
    snprintf(line, sizeof line,
             "%s: %3.0f %%, %zu particles, %.3g ns per step of one, %s to go", p->text,
             100.0 * fraction, electrons, each, left);
  if (p->terminal)
    wn_log_progress(line);
  else
    fprintf(stderr, "%s\n", line);
  p->shown = 1;
}

void wn_progress_wipe(struct wn_progress *p)
{
  if (p->shown && p->terminal)
    wn_log_progress(NULL);
  p->shown = 0;
}

void wn_progress_end_case(struct wn_progress *p)
{
  wn_progress_wipe(p);
  p->candidates += p->now_candidates;
  p->real += p->now_real;
  p->now_candidates = p->now_real = 0;
}

void wn_progress_summary(const struct wn_progress *p, const char *output)
{
  double s = wn_clock_now() - p->start;
  if (p->quiet)
    return;
  if (p->collisions)
    wn_log(
        WN_LOG_INFO,
        "%.3g candidate collisions, %.3g of them real (%.2f candidates a real one), in "
        "%.1f s: %.3g ns each",
        (double)p->candidates, (double)p->real,
        (double)p->candidates / fmax((double)p->real, 1.0), s,
        s / fmax((double)p->candidates, 1.0) * 1e9);
  wn_log(WN_LOG_INFO, "results are in %s", output);
}
