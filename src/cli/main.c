/* src/cli/main.c - the command line: from words to calls, from status to exit status.  Exit status: 0
 * done, 1 the run failed, 2 wrong usage or input, 3 the run reached a limit and can be continued. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "base/version.h"
#include "schedulers/scheduler.h"
#include "src/cli/cli.h"
#include "src/cli/commands.h"
#include "src/config/config.h"
#include "src/config/internal.h"
#include "src/io/output.h"
#include "src/io/output_path.h"
#include "src/jobs/job.h"
#include "src/run/checkpoint.h"
#include "src/run/run.h"
#include "src/run/same_ranks.h"
#include "src/run/signals.h"
#include "src/sim/device.h"

struct line {
  const struct wn_command *command;
  size_t n_words, n_sets;
  const char **word;
  char **set; /* for wn_config_read, each malloc'd */
  const char *gas, *output, *format, *unseen, *restart, *levels, *rho_e, *rho_i;
  double scale;
  struct wn_check_ranks ranks;
  bool quiet, help, keep, photons;
};

static void usage(FILE *to)
{
  fputs("wilson - electrons in gases: particle-in-cell Monte-Carlo collisions\n\n", to);
  for (size_t i = 0; i < wn_n_commands; i++)
    fprintf(to, "  %s\n", wn_commands[i].usage);
  fprintf(to,
          "  wilson --version\n\n"
          "`wilson COMMAND -h` explains a command.  Exit status: %s",
          wn_exit_status);
}

static void version(void)
{
  printf("wilson %s\ngit %s\n%s\n%s\n", wn_version(), wn_version_git(),
         wn_version_build(), wn_output_library());
  printf("%s\n", wn_ranks_library() != NULL ? wn_ranks_library() : "no MPI");
}

/* key="text", as a scenario file writes it. */
static char *set_text(const char *key, const char *text)
{
  size_t n = strlen(key);
  char *set = wn_alloc(n + 2 * strlen(text) + 4, 1);
  if (set == NULL)
    return NULL;
  char *to = set + sprintf(set, "%s=\"", key);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      *to++ = '\\';
    *to++ = *text;
  }
  *to = '"';
  return set;
}

static bool is_count(const char *text)
{
  size_t n = strspn(text, "0123456789");
  return n > 0 && text[n] == '\0';
}

/* libconfig reads a number without a point as a signed 64-bit integer. */
static bool is_too_large(const char *text)
{
  errno = 0;
  (void)strtoll(text, NULL, 10);
  return errno == ERANGE;
}

static int take_number(const char *name, const char *value, double least, double most,
                       double *out)
{
  char *end;
  *out = strtod(value, &end);
  if (end == value || *end != '\0' || !(*out >= least && *out <= most))
    return WN_FAIL(WN_EINPUT, "%s %s: needs a number from %g to %g", name, value, least,
                   most);
  return WN_OK;
}

#define MOST_RANKS 1000000

static int take_ranks(struct line *l, const char *value)
{
  const long n = is_count(value) && !is_too_large(value) ? strtol(value, NULL, 10) : 0;
  if (n < 1 || n > MOST_RANKS)
    return WN_FAIL(WN_EINPUT, "--ranks %s: needs a number of processes from 1 to %d",
                   value, MOST_RANKS);
  l->ranks.n = (int)n;
  return WN_OK;
}

static int take_option(struct line *l, const char *name, const char *value)
{
  char *set = NULL;
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    l->help = true;
    return WN_OK;
  } else if (strcmp(name, "--no-clobber") == 0) {
    l->keep = true;
    return WN_OK;
  } else if (strcmp(name, "--photons") == 0) {
    l->photons = true;
    return WN_OK;
  } else if (strcmp(name, "--gas") == 0) {
    l->gas = value;
    return WN_OK;
  } else if (strcmp(name, "--format") == 0) {
    l->format = value;
    return WN_OK;
  } else if (strcmp(name, "--unseen") == 0) {
    l->unseen = value;
    return WN_OK;
  } else if (strcmp(name, "--levels") == 0) {
    l->levels = value;
    return WN_OK;
  } else if (strcmp(name, "--restart") == 0) {
    l->restart = value;
    return WN_OK;
  } else if (strcmp(name, "--rho-e") == 0) {
    l->rho_e = value;
    return WN_OK;
  } else if (strcmp(name, "--rho-i") == 0) {
    l->rho_i = value;
    return WN_OK;
  } else if (strcmp(name, "--scale") == 0) {
    return take_number(name, value, -1e300, 1e300, &l->scale);
  } else if (strcmp(name, "--ranks") == 0) {
    return take_ranks(l, value);
  } else if (strcmp(name, "--bandwidth") == 0) {
    return take_number(name, value, 1e-3, 1e6, &l->ranks.link.bandwidth);
  } else if (strcmp(name, "--latency") == 0) {
    return take_number(name, value, 0.0, 1e6, &l->ranks.link.latency);
  } else if (strcmp(name, "--set") == 0) {
    set = wn_strdup(value);
  } else if (strcmp(name, "--scheduler") == 0 || strcmp(name, "--device") == 0) {
    set = set_text(name + 2, value);
  } else if (strcmp(name, "--output") == 0) {
    l->output = value;
    set = set_text("output", value);
  } else if (strcmp(name, "--quiet") == 0) {
    l->quiet = true;
    set = wn_strdup("quiet=true");
  } else if (is_count(value) && is_too_large(value)) {
    return WN_FAIL(WN_EINPUT, "%s %s: too large; at most 9223372036854775807", name,
                   value);
  } else if (is_count(value)) { /* --threads, --seed */
    set = wn_asprintf("%s=%s", name + 2, value);
  } else {
    return WN_FAIL(WN_EINPUT, "%s %s: needs a whole number", name, value);
  }
  if (set == NULL)
    return WN_ENOMEM;
  l->set[l->n_sets++] = set;
  return WN_OK;
}

static int unknown_option(const struct line *l, const char *arg, size_t len)
{
  const char *names[32];
  WN_ASSERT(wn_n_options <= sizeof names / sizeof names[0]);
  size_t n = 0;
  for (size_t i = 0; i < wn_n_options; i++) {
    if (wn_command_takes(l->command, &wn_options[i]))
      names[n++] = wn_options[i].name;
  }
  char *name = wn_asprintf("%.*s", (int)len, arg);
  if (name == NULL)
    return WN_ENOMEM;
  const char *near = wn_config_nearest(name, n, names);
  int status =
      near != NULL
          ? WN_FAIL(WN_EINPUT, "`wilson %s` has no option %s; nearest is %s",
                    l->command->name, name, near)
          : WN_FAIL(WN_EINPUT, "`wilson %s` has no option %s; `wilson %s -h` lists them",
                    l->command->name, name, l->command->name);
  free(name);
  return status;
}

static int parse(struct line *l, int argc, char **argv)
{
  bool words_only = false;
  for (int i = 2; i < argc; i++) {
    const char *arg = argv[i];
    if (words_only || arg[0] != '-') {
      l->word[l->n_words++] = arg;
      continue;
    }
    if (strcmp(arg, "--") == 0) {
      words_only = true;
      continue;
    }
    size_t len = strcspn(arg, "="), k = 0;
    while (k < wn_n_options && (strlen(wn_options[k].name) != len ||
                                strncmp(wn_options[k].name, arg, len) != 0 ||
                                !wn_command_takes(l->command, &wn_options[k])))
      k++;
    if (k == wn_n_options)
      return unknown_option(l, arg, len);
    const char *value = arg[len] ? arg + len + 1 : NULL;
    if (!wn_options[k].value && value != NULL)
      return WN_FAIL(WN_EINPUT, "%s takes no value", wn_options[k].name);
    if (wn_options[k].value && value == NULL) {
      if (i + 1 == argc)
        return WN_FAIL(WN_EINPUT, "%s needs a value; `wilson %s -h` shows how",
                       wn_options[k].name, l->command->name);
      value = argv[++i];
    }
    WN_TRY(take_option(l, wn_options[k].name, value));
  }
  if (l->help)
    return WN_OK;
  if (l->n_words < l->command->min_words)
    return WN_FAIL(
        WN_EINPUT, "`wilson %s` needs %s; `wilson %s -h` shows how", l->command->name,
        strcmp(l->command->name, "new") == 0 ? "a word" : "a file", l->command->name);
  if (l->n_words > l->command->max_words)
    return WN_FAIL(
        WN_EINPUT,
        "`%s` is one argument too many for `wilson %s`; `wilson %s -h` shows how",
        l->word[l->command->max_words], l->command->name, l->command->name);
  return WN_OK;
}

/* Of `wilson check`, which writes nothing. */
static int check_output(const struct wn_config *c, bool is_restart)
{
  size_t n = 0;
  const char **inputs = NULL;
  WN_TRY(wn_config_inputs(c, &n, &inputs));
  int status = wn_output_possible(c->output, n, inputs);
  if (status == WN_OK)
    status = wn_saver_allowed(c->output, is_restart, n, inputs);
  free(inputs);
  return status;
}

static int run_or_check(const struct line *l, int argc, char **argv)
{
  struct wn_scenarios p = {0};
  if (l->quiet)
    wn_log_set_level(WN_LOG_WARN);
  WN_TRY(wn_scenarios_read(l->word[0], l->n_sets, (const char *const *)l->set, &p));
  if (p.c[0]->quiet)
    wn_log_set_level(WN_LOG_WARN);
  int status = wn_same_scenarios_on_ranks(&p, l->restart != NULL ? l->restart : "");
  if (status == WN_OK)
    status = strcmp(l->command->name, "run") == 0
                 ? wn_run_output_allowed(p.c[0], l->keep, l->restart != NULL)
                 : check_output(p.c[0], l->restart != NULL);
  if (status == WN_OK)
    status = strcmp(l->command->name, "run") == 0 ? wn_run(&p, l->restart, argc, argv)
                                                  : wn_check(&p, &l->ranks);
  wn_scenarios_free(&p);
  return status;
}

static void list_schedulers(void)
{
  size_t n;
  const struct wn_scheduler_ops *const *ops = wn_scheduler_list(&n);
  for (size_t i = 0; i < n; i++)
    printf("%-18s %-4s %s\n", ops[i]->name,
           ops[i]->device == WN_DEVICE_CUDA ? "cuda" : "cpu", ops[i]->doc);
}

static int list(const struct line *l)
{
  static const char *const what[] = {"devices", "schedulers", "jobs",
                                     "models",  "scattering", "keys",
                                     "manual",  "man",        "options"};
  enum { N = sizeof what / sizeof what[0] };
  const char *word = l->n_words ? l->word[0] : NULL;
  for (size_t i = 0; i < N; i++) {
    if (word != NULL && strcmp(word, what[i]) != 0)
      continue;
    if (word == NULL && strcmp(what[i], "manual") == 0)
      return WN_OK; /* the rest is long, and printed on request only */
    if (word == NULL)
      printf("%s%s\n", i ? "\n" : "", what[i]);
    switch (i) {
    case 0:
      WN_TRY(wn_device_list(stdout));
      break;
    case 1:
      list_schedulers();
      break;
    case 2:
      wn_job_list(stdout);
      break;
    case 3:
      wn_config_list_words("model", stdout);
      break;
    case 4:
      wn_config_list_words("scattering", stdout);
      break;
    case 5:
      wn_config_list(stdout);
      break;
    case 6:
      wn_config_manual(stdout);
      break;
    case 7:
      wn_commands_man(stdout);
      break;
    case 8:
      wn_commands_list(stdout);
      break;
    }
    if (word != NULL)
      return WN_OK;
  }
  const char *near = wn_config_nearest(word, N, what);
  return near != NULL ? WN_FAIL(WN_EINPUT, "no list of `%s`; nearest is `%s`", word, near)
                      : WN_FAIL(WN_EINPUT,
                                "no list of `%s`; allowed: devices, schedulers, jobs, "
                                "models, scattering, keys, manual, man, options",
                                word);
}

static void print_help(const struct wn_command *c)
{
  printf("usage: %s\n\n%s", c->usage, c->help);
}

static const struct wn_command *find_command(const char *word)
{
  for (size_t i = 0; i < wn_n_commands; i++)
    if (strcmp(word, wn_commands[i].name) == 0)
      return &wn_commands[i];
  return NULL;
}

/* For a command or a key; without a word, for the program. */
static int help(const char *word)
{
  const struct wn_command *c = word != NULL ? find_command(word) : NULL;
  if (word != NULL && c == NULL)
    return wn_config_help(word, stdout);
  if (c != NULL)
    print_help(c);
  else
    usage(stdout);
  return WN_OK;
}

static int call(const struct line *l, int argc, char **argv)
{
  const char *name = l->command->name;
  if (l->help) {
    print_help(l->command);
    return WN_OK;
  }
  if (strcmp(name, "xs") == 0) {
    struct wn_cli_xs a = {.n_files = l->n_words,
                          .file = l->word,
                          .gas = l->gas,
                          .output = l->output,
                          .keep = l->keep,
                          .photons = l->photons,
                          .argc = argc,
                          .argv = argv};
    return l->photons ? wn_cli_xs_photons(&a) : wn_cli_xs(&a);
  }
  if (strcmp(name, "table") == 0) {
    struct wn_cli_table a = {.file = l->word[0],
                             .format = l->format,
                             .output = l->output,
                             .keep = l->keep,
                             .unseen = l->unseen};
    return wn_cli_table(&a);
  }
  if (strcmp(name, "vtk") == 0) {
    struct wn_cli_vtk a = {.file = l->word[0],
                           .format = l->format,
                           .output = l->output,
                           .rho_e = l->rho_e,
                           .rho_i = l->rho_i,
                           .scale = l->scale,
                           .keep = l->keep};
    return wn_cli_vtk(&a);
  }
  if (strcmp(name, "converge") == 0) {
    struct wn_cli_converge a = {.file = l->word[0],
                                .n_sets = l->n_sets,
                                .set = (const char *const *)l->set,
                                .levels = l->levels,
                                .output = l->output,
                                .keep = l->keep,
                                .argc = argc,
                                .argv = argv};
    if (l->quiet)
      wn_log_set_level(WN_LOG_WARN);
    return wn_cli_converge(&a);
  }
  if (strcmp(name, "new") == 0)
    return wn_cli_new(l->word[0], l->n_words > 1 ? l->word[1] : NULL);
  if (strcmp(name, "open") == 0)
    return wn_cli_open(l->word[0]);
  if (strcmp(name, "list") == 0)
    return list(l);
  if (strcmp(name, "help") == 0)
    return help(l->n_words ? l->word[0] : NULL);
  return run_or_check(l, argc, argv);
}

static int unknown_command(const char *word)
{
  const char *names[32];
  WN_ASSERT(wn_n_commands + 2 <= sizeof names / sizeof names[0]);
  for (size_t i = 0; i < wn_n_commands; i++)
    names[i] = wn_commands[i].name;
  names[wn_n_commands] = "--help";
  names[wn_n_commands + 1] = "--version";
  const char *near = wn_config_nearest(word, wn_n_commands + 2, names);
  const char *what = word[0] == '-' ? "option" : "command";
  if (near != NULL)
    return WN_FAIL(WN_EINPUT, "no %s `%s`; nearest is `%s`", what, word, near);
  if (word[0] == '-')
    return WN_FAIL(WN_EINPUT,
                   "no option `%s`; options follow a command; without a command: --help "
                   "and --version",
                   word);
  return WN_FAIL(WN_EINPUT, "no command `%s`; `wilson --help` lists them", word);
}

static int start(int argc, char **argv)
{
  WN_TRY(wn_same_on_ranks("command", argc > 1 ? argv[1] : ""));
  if (argc < 2) {
    wn_cli_first_words(stderr);
    return WN_EINPUT;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    usage(stdout);
    return WN_OK;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    version();
    return WN_OK;
  }
  struct line l = {.command = find_command(argv[1]),
                   .scale = 1.0,
                   .ranks = {.n = 1, .link = {WN_LINK_BANDWIDTH, WN_LINK_LATENCY}}};
  if (l.command == NULL)
    return unknown_command(argv[1]);
  if (strcmp(l.command->name, "run") != 0 && wn_ranks_part() > 0)
    return WN_OK; /* one of them is enough */
  l.word = wn_alloc((size_t)argc, sizeof *l.word);
  l.set = wn_alloc((size_t)argc, sizeof *l.set);
  int status = l.word != NULL && l.set != NULL ? parse(&l, argc, argv) : WN_ENOMEM;
  if (status == WN_OK)
    status = call(&l, argc, argv);
  for (size_t i = 0; l.set != NULL && i < l.n_sets; i++)
    free(l.set[i]);
  free(l.set);
  free(l.word);
  return status;
}

/* If the caller has closed a standard descriptor, the next opened file would get its
 * number, and printed text would go into a result.  The descriptor is opened here for the
 * wrong direction, so that printing fails and is reported. */
static void occupy_descriptors(void)
{
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF &&
        open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
      exit(1);
}

#define LEAST_STACK (512 * 1024) /* bytes; measured 2026-11-25: 64 KiB are too few */
#define USUAL_STACK (8 * 1024 * 1024)

/* A small soft limit on the stack is raised, and the program started again, as stacks of threads follow the
 * limit at the start; a small hard limit is an error instead of a crash. */
static int check_stack(char **argv)
{
  struct rlimit r;
  if (getrlimit(RLIMIT_STACK, &r) != 0 || r.rlim_cur == RLIM_INFINITY ||
      r.rlim_cur >= LEAST_STACK)
    return WN_OK;
  const rlim_t was = r.rlim_cur;
  r.rlim_cur = r.rlim_max < USUAL_STACK ? r.rlim_max : USUAL_STACK;
  if (r.rlim_cur < LEAST_STACK || setrlimit(RLIMIT_STACK, &r) != 0)
    return WN_FAIL(WN_EINPUT,
                   "the stack is limited to %llu KiB (ulimit -s); wilson needs %d KiB",
                   (unsigned long long)was / 1024, LEAST_STACK / 1024);
  execv("/proc/self/exe", argv);
  return WN_OK; /* no /proc: threads have small stacks */
}

/* errno must be that of this call: earlier errors have no relation to it. */
static int flush_output(void)
{
  errno = 0;
  const int failed = fflush(stdout) != 0, cause = errno;
  if (!failed && !ferror(stdout))
    return WN_OK;
  return WN_FAIL(WN_EIO, "cannot write to standard output: %s",
                 cause != 0 ? strerror(cause) : "part of the printed text is lost");
}

int main(int argc, char **argv)
{
  occupy_descriptors();
  /* a limit on the size of files then gives an error of the write, which is reported */
  signal(SIGXFSZ, SIG_IGN);
  if (argc > 1 && strcmp(argv[1], "run") == 0)
    wn_signals_early();
  int status = check_stack(argv);
  if (status != WN_OK)
    return 2;
  if (argc > 1 && strcmp(argv[1], "run") == 0)
    wn_device_start_driver();
  status = wn_ranks_begin();
  if (status == WN_OK && wn_rank() > 0 && freopen("/dev/null", "w", stdout) == NULL)
    status = WN_FAIL(WN_EIO, "/dev/null: cannot be opened: %s", strerror(errno));
  if (status == WN_OK)
    status = start(argc, argv);
  const int flushed = flush_output();
  if (status == WN_OK)
    status = flushed;
  wn_device_awake();
  exit(wn_ranks_end(status == WN_OK       ? 0
                    : status == WN_EINPUT ? 2
                    : status == WN_ELIMIT ? 3
                                          : 1));
}
