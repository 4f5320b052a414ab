/* src/cli/commands.h - the tables of commands and of options.  The parser of the command line, the
 * help, the manual page and the completion of shells are made from them. */
#ifndef WN_SRC_CLI_COMMANDS_H
#define WN_SRC_CLI_COMMANDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct wn_command {
  const char *name;
  const char *options; /* letters of its options, see wn_options */
  size_t min_words, max_words;
  const char *usage, *help;
  const char *words; /* possible arguments, as in struct wn_option */
};

/* Letters: s set, d device scheduler, t threads seed, n no option, g gas, p photons, o output, q quiet, f
 * format, u unseen, k keep files, r restart, l levels, v files of VTK, m processes (MPI), h of all. */
struct wn_option {
  const char *name;
  char letter;
  bool value;
  /* Possible values, separated by blanks: words, and @files, @keys, @schedulers, @commands;
   * NULL: anything */
  const char *words;
};

extern const struct wn_command wn_commands[];
extern const size_t wn_n_commands;
extern const struct wn_option wn_options[];
extern const size_t wn_n_options;

bool wn_command_takes(const struct wn_command *c, const struct wn_option *o);

extern const char wn_exit_status[]; /* meaning of the numbers */

/* For completion: a line `COMMAND: WORDS` for each command, and below it `  --option WORDS` for each of
 * its options; `-` in place of WORDS if it has no value, `*` if any value is possible. */
void wn_commands_list(FILE *to);

/* The manual page wilson(1), roff with the macros of man. */
void wn_commands_man(FILE *to);

#endif
