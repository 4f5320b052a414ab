/* t/tap/capture.c - stderr to a temporary file and back. */
#include "t/tap/capture.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "t/tap/tap.h"

static FILE *file;
static int kept = -1;

void capture(void)
{
  fflush(stderr);
  kept = dup(STDERR_FILENO);
  file = tmpfile();
  if (kept < 0 || file == NULL || dup2(fileno(file), STDERR_FILENO) < 0) {
    diag("stderr cannot be redirected");
    exit(1);
  }
}

char *captured(void)
{
  static char text[20000];
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}
