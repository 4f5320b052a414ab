/* src/cli/commands_man.c - the manual page wilson(1), from the tables of commands and of keys. */
#include <stdio.h>
#include <string.h>
#include "base/version.h"
#include "src/cli/commands.h"
#include "src/config/internal.h"

#define DATE "2026-11-27" /* of its last change */

/* n bytes of text for roff: no line begins with a request, and - is not a hyphen. */
static void put(const char *text, size_t n, FILE *to)
{
  if (n > 0 && (text[0] == '.' || text[0] == '\''))
    fputs("\\&", to);
  for (size_t i = 0; i < n; i++)
    if (text[i] == '\\')
      fputs("\\e", to);
    else if (text[i] == '-')
      fputs("\\-", to);
    else
      fputc(text[i], to);
}

static void put_text(const char *text, FILE *to)
{
  put(text, strlen(text), to);
  fputc('\n', to);
}

/* Lines unchanged: those of `first` that begin with a blank, or those that do not. */
static void put_lines(const char *text, int blank, FILE *to)
{
  for (const char *line = text; *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    if ((line[0] == ' ') == blank) {
      put(line, n, to);
      fputc('\n', to);
    }
    line += n + (line[n] == '\n');
  }
}

static void put_command(const struct wn_command *c, FILE *to)
{
  fprintf(to, ".SS ");
  put_text(c->name, to);
  fputs(".nf\n", to);
  put_lines(c->usage, 0, to);
  put_lines(c->usage, 1, to);
  fputs(".fi\n.PP\n", to);
  put_lines(c->help, 0, to);
  if (strstr(c->help, "\n  ") != NULL) {
    fputs(".PP\n.nf\n", to);
    put_lines(c->help, 1, to);
    fputs(".fi\n", to);
  }
}

/* The first sentence of its help. */
static void put_key(const struct wn_key *k, FILE *to)
{
  const char *stop = strstr(k->help, ".  ");
  fputs(".TP\n.B ", to);
  put_text(k->key, to);
  put(k->help, stop != NULL ? (size_t)(stop - k->help) + 1 : strlen(k->help), to);
  fputc('\n', to);
}

void wn_commands_man(FILE *to)
{
  fprintf(to,
          ".\\\" Written by `wilson list man` from src/cli/commands.c and the tables of "
          "keys; edit those.\n"
          ".TH WILSON 1 " DATE " \"Wilson %s\" \"User Commands\"\n",
          wn_version());
  fputs(".SH NAME\n"
        "wilson \\- electrons in gases: particle\\-in\\-cell Monte\\-Carlo collisions\n"
        ".SH SYNOPSIS\n"
        ".nf\n",
        to);
  for (size_t i = 0; i < wn_n_commands; i++) {
    put_lines(wn_commands[i].usage, 0, to);
    put_lines(wn_commands[i].usage, 1, to);
  }
  fputs("wilson \\-\\-version\n"
        ".fi\n"
        ".SH DESCRIPTION\n"
        "Wilson follows electrons and ions through a gas, collision by collision: swarms "
        "and their\n"
        "transport coefficients, electrons that run away, and plasmas with the field of "
        "their own\n"
        "charge.  A scenario is a text file of keys; the result is a netCDF file, which\n"
        ".BR wilson\\-plot (1)\n"
        "draws.\n"
        ".B wilson\n"
        ".I COMMAND\n"
        ".B \\-\\-help\n"
        "explains a command.\n"
        ".SH COMMANDS\n",
        to);
  for (size_t i = 0; i < wn_n_commands; i++)
    put_command(&wn_commands[i], to);
  fputs(".SH KEYS\n"
        "The keys of scenario files;\n"
        ".B wilson help\n"
        ".I KEY\n"
        "explains it, with units and range.\n",
        to);
  for (size_t i = 0; i < wn_config_n_keys(); i++)
    put_key(wn_config_key(i), to);
  fputs(".SH EXIT STATUS\n", to);
  put_lines(wn_exit_status, 0, to);
  fputs(".SH FILES\n"
        ".TP\n"
        ".IB OUTPUT .part\n"
        "The output during the run.\n"
        ".TP\n"
        ".IB OUTPUT .ckpt\n"
        "The last checkpoint, from which\n"
        ".B \\-\\-restart auto\n"
        "continues; its predecessor is\n"
        ".IB OUTPUT .ckpt.old .\n"
        ".SH SEE ALSO\n"
        ".BR wilson\\-plot (1),\n"
        ".BR ncdump (1)\n",
        to);
}
