/* t/tap/scenario.c - see scenario.h. */
#include "t/tap/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "src/config/config.h"
#include "t/tap/capture.h"

int scenario_messages(const char *name, const char *text, const char *set,
                      char **messages)
{
  FILE *f = fopen(name, "w");
  if (!f || fputs(text, f) == EOF || fclose(f) != 0)
    return -1;
  struct wn_config *c = NULL;
  capture();
  int st = wn_config_read(name, set ? 1 : 0, &set, &c);
  const char *said = captured();
  if (st == WN_OK)
    wn_config_free(c);
  size_t at = 0;
  *messages = calloc(1, strlen(said) + 1);
  while (*messages && *said) {
    said += strncmp(said, "wilson: error: ", 15) == 0 ? 15 : 0;
    size_t line = strcspn(said, "\n");
    line += said[line] == '\n';
    memcpy(*messages + at, said, line);
    at += line;
    said += line;
  }
  return st;
}
