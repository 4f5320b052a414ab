/* t0505-bad-inputs.c - defends: each bad input of the list in t/data/bad-inputs.txt (scenarios,
 * cross sections, split tables, points of a waveform) is refused as invalid input, with the
 * messages that stand there, word by word, as people are to read them; and the list stays as
 * long as it is.  The list was made by hand; WN_BAD_WRITE=1 writes it anew with what the
 * program says, to be read aloud before it is kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "bench/study/split_table.h"
#include "bench/study/study.h"
#include "src/config/config.h"
#include "src/sim/gas.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#define SCENARIO "bad.cfg"
#define BESIDE   "bad.txt"
#define PHOTONS  "bad-N.txt" /* a copy of data/photons/N.txt */
#define LEAST    220         /* cases */
#define GAS      "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"

/* libconfig 1.5 does not free the text that stands where it finds a syntax error; a sanitizer
 * is asked not to blame us for it. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libconfig";
}

/* What stands behind the lines of a case. */
static const struct {
  const char *name, *text;
} bases[] = {
    {"alone", ""},
    {"swarm", "fields = [\"100 Td\"];\n" GAS},
    {"gas", "fields = [\"100 Td\"];\n"},
    {"fields", GAS},
    {"photons", "fields = [\"100 Td\"];\ngas = { components = { N2 = { file = "
                "\"builtin:air\"; photons = \"" PHOTONS "\"; }; }; };\n"},
    {"runaway", "job = \"runaway\"; fields = [\"1000 Td\"]; duration = \"1 ns\";\n" GAS},
    {"rate",
     "job = \"runaway-rate\"; fields = [\"1000 Td\"]; duration = \"1 ns\";\n" GAS},
    {"plasma", "model = \"plasma\";\ngrid = { cells = [64]; length = [\"2 cm\"]; };\n"
               "species = { e = { density = \"1e14 m-3\"; }; };\n"
               "plasma = { time_step = \"20 ps\"; background = true; };\n"
               "duration = \"2 ns\";\n"},
};

/* A case as it stands in the list. */
struct bad {
  char kind[32], base[32];
  char *body, *want; /* cut out of the list */
};

static char *slurp(const char *path)
{
  FILE *f = fopen(path, "r");
  char *text = f != NULL ? calloc(1, 1 << 20) : NULL;
  if (text != NULL && fread(text, 1, (1 << 20) - 1, f) == 0)
    text[0] = '\0';
  if (f != NULL)
    fclose(f);
  return text;
}

static void put(const char *path, const char *a, const char *b)
{
  FILE *f = fopen(path, "w");
  if (f == NULL || fputs(a, f) < 0 || fputs(b, f) < 0 || fclose(f) != 0) {
    printf("Bail out! %s cannot be written\n", path);
    exit(1);
  }
}

static int read_scenario(char *body, const char *base)
{
  const char *rest = "", *set = NULL;
  struct wn_scenarios p = {0};
  struct wn_gas *gas = NULL;
  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
    if (strcmp(bases[i].name, base) == 0)
      rest = bases[i].text;
  char *line = strncmp(body, "--set ", 6) == 0 ? body : NULL;
  if (line != NULL) {
    set = line + 6;
    body = strchr(line, '\n');
    *body++ = '\0';
  }
  put(SCENARIO, body, rest);
  int status = wn_scenarios_read(SCENARIO, set != NULL, &set, &p);
  if (status == WN_OK && wn_config_has_gas(p.c[0]))
    status = wn_gas_create(p.c[0], &gas);
  if (status == WN_OK || gas != NULL)
    wn_gas_free(gas);
  if (p.c != NULL)
    wn_scenarios_free(&p);
  if (line != NULL)
    body[-1] = '\n';
  return status;
}

/* Of the scheduler study: a KEY=VALUE in each line. */
static int read_study(const char *body, const char *base)
{
  char text[4096], model[64];
  const char *set[16] = {model};
  struct wn_study *y = NULL;
  size_t n = 1;
  snprintf(model, sizeof model, "model=%s", base);
  snprintf(text, sizeof text, "%s", body);
  for (char *line = strtok(text, "\n"); line != NULL && n < 16; line = strtok(NULL, "\n"))
    set[n++] = line;
  const int status = wn_study_read(n, set, &y);
  if (status == WN_OK)
    wn_study_free(y);
  return status;
}

static int read_case(struct bad *b)
{
  static float split[WN_SPLIT_LEVELS], removed[WN_SPLIT_LEVELS];
  if (strcmp(b->kind, "scenario") == 0)
    return read_scenario(b->body, b->base);
  if (strcmp(b->kind, "study") == 0)
    return read_study(b->body, b->base);
  put(BESIDE, b->body, "");
  if (strcmp(b->kind, "levels") == 0)
    return wn_split_table(BESIDE, split, removed);
  char points[] = "waveform = { shape = \"linear\"; file = \"bad.txt\"; };\n"
                  "duration = \"1 ns\";\n",
       sections[] = "gas = { components = { N2 = { file = \"bad.txt\"; }; }; };\n";
  return strcmp(b->kind, "points") == 0 ? read_scenario(points, "swarm")
                                        : read_scenario(sections, "gas");
}

/* The errors alone, without what stands before each. */
static char *errors_of(const char *said)
{
  static const char mark[] = "wilson: error: ";
  char *out = calloc(1, strlen(said) + 1);
  size_t n = 0;
  while (out != NULL && *said) {
    const size_t line = strcspn(said, "\n") + (said[strcspn(said, "\n")] == '\n');
    if (strncmp(said, mark, sizeof mark - 1) == 0) {
      memcpy(out + n, said + sizeof mark - 1, line - (sizeof mark - 1));
      n += line - (sizeof mark - 1);
    }
    said += line;
  }
  return out;
}

/* The next case of the list, from *at on, which is moved; its text is cut into pieces. */
static int next(char **at, struct bad *b)
{
  char *head = strstr(*at, "== "), *parts, *end;
  if (head == NULL || sscanf(head, "== %31[a-z]%*1[ ]%31[a-z-]", b->kind, b->base) < 1 ||
      (parts = strstr(head, "\n--\n")) == NULL)
    return 0;
  b->body = strchr(head, '\n') + 1;
  parts[1] = '\0';
  b->want = parts + 4;
  end = strstr(b->want, "\n== ");
  if (strncmp(b->want, "== ", 3) == 0)
    end = b->want - 1;
  *at = end != NULL ? end + 1 : b->want + strlen(b->want);
  return 1;
}

int main(void)
{
  char path[4096];
  const char *src = getenv("WN_SRCDIR"), *write = getenv("WN_BAD_WRITE");
  snprintf(path, sizeof path, "%s/t/data/bad-inputs.txt", src != NULL ? src : ".");
  char *list = slurp(path), *at = list;
  snprintf(path, sizeof path, "%s/data/photons/N.txt", src != NULL ? src : ".");
  char *photons = slurp(path);
  if (photons != NULL)
    put(PHOTONS, photons, "");
  free(photons);
  snprintf(path, sizeof path, "%s/t/data/bad-inputs.txt", src != NULL ? src : ".");
  struct bad b;
  plan(0);
  if (list == NULL) {
    printf("Bail out! no %s\n", path);
    return 1;
  }
  char *first = strstr(list, "== ");
  FILE *new = write != NULL &&*write == '1' ? fopen(path, "w") : NULL;
  if (new != NULL && first != NULL)
    fprintf(new, "%.*s", (int)(first - list), list);
  int n = 0;
  while (b.base[0] = '\0', next(&at, &b)) {
    const char kept = *at;
    *at = '\0'; /* the end of want */
    capture();
    const int status = read_case(&b);
    char *said = errors_of(captured());
    n++;
    if (new != NULL)
      fprintf(new, "== %s%s%s\n%s--\n%s", b.kind, b.base[0] ? " " : "", b.base, b.body,
              said);
    else if (!ok(status == WN_EINPUT && *said && strcmp(said, b.want) == 0,
                 "case %d, %s %s", n, b.kind, b.base))
      diag("status %d\n%s-- said\n%s-- wanted\n%s", status, b.body, said, b.want);
    free(said);
    *at = kept;
  }
  if (new != NULL)
    fclose(new);
  ok(n >= LEAST, "%d bad inputs, at least %d", n, LEAST);
  remove(SCENARIO);
  remove(BESIDE);
  remove(PHOTONS);
  free(list);
  return done();
}
