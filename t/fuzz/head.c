/* t/fuzz/head.c - libFuzzer: the heads of a checkpoint.  Any bytes as a file, whose
 * checksum that is not repaired: what is taken has the magic, the layout, the number of
 * bytes and the checksum that this target finds by itself.  And the same bytes as a
 * state behind a right one: the head that a run writes into it (version, scenario,
 * history, place; src/run/checkpoint.h) is taken or refused.  With WN_FUZZ_SEED=FOLDER:
 * writes a checkpoint and a state, where the hunt begins. */
#include "t/fuzz/fuzz.h"
#include <inttypes.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/state.h"
#include "base/version.h"
#include "src/config/config.h"
#include "src/config/same_scenario.h"
#include "src/io/checkpoint_file.h"
#include "src/run/checkpoint.h"
#include "t/fuzz/sealed.h"

static const char text[] =
    "job = \"swarm\"; fields = [\"100 Td\"]; electrons = 8; groups = 2; device = "
    "\"cpu\"; output = "
    "\"fuzz-head.nc\";\n"
    "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n";

static struct wn_config *the_scenario(void)
{
  static struct wn_config *c;
  if (c == NULL && wn_config_read(fuzz_file((const uint8_t *)text, sizeof text - 1), 0,
                                  NULL, &c) != WN_OK)
    abort();
  return c;
}

/* ---- where it begins */

/* of: malloc'd, freed here. */
static void put_text(struct wn_state *s, const char *name, char *of)
{
  uint64_t n = of != NULL ? strlen(of) + 1 : 0;
  if (n == 0 || wn_state_item(s, "length", &n, sizeof n) != WN_OK ||
      wn_state_item(s, name, of, n) != WN_OK)
    abort();
  free(of);
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t n)
{
  char *path = wn_asprintf("%s/%s", folder, name);
  FILE *to = path != NULL ? fopen(path, "wb") : NULL;
  if (to == NULL || fwrite(bytes, 1, n, to) != n || fclose(to) != 0)
    abort();
  free(path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  const char *folder = getenv("WN_FUZZ_SEED");
  struct wn_place place = {0};
  struct wn_state s;
  size_t length;
  (void)argc, (void)argv;
  if (folder == NULL)
    return 0;
  wn_state_init(&s);
  put_text(&s, "program",
           wn_asprintf("wilson %s git %s", wn_version(), wn_version_git()));
  put_text(&s, "scenario", wn_same_text(the_scenario()));
  put_text(&s, "history", wn_strdup("2026-11-22T00:00:00Z wilson run a.cfg"));
  if (wn_state_item(&s, "h->place.point", &place.point, sizeof place.point) != WN_OK ||
      wn_state_item(&s, "h->place.i_case", &place.i_case, sizeof place.i_case) != WN_OK)
    abort();
  uint8_t *file = fuzz_sealed(s.bytes, s.n, &length);
  if (file == NULL)
    abort();
  write_file(folder, "checkpoint", file, length);
  write_file(folder, "state", s.bytes, s.n);
  free(file);
  wn_state_clear(&s);
  exit(0);
}

/* ---- what is checked */

static void as_file(const uint8_t *data, size_t n)
{
  struct fuzz_head h;
  struct wn_checkpoint k;
  char why[512] = "", hex[WN_SHA256_HEX];
  if (wn_checkpoint_open(fuzz_file(data, n), &k, why, sizeof why) != WN_OK) {
    if (why[0] == '\0' || memchr(why, '\0', sizeof why) == NULL)
      abort();
    return;
  }
  if (n < sizeof h + FUZZ_DIGITS)
    abort();
  memcpy(&h, data, sizeof h);
  wn_sha256_mem(data, n - FUZZ_DIGITS, hex);
  if (memcmp(h.magic, "wilson checkpoint\n\0\0\0\0\0", sizeof h.magic) != 0 ||
      h.version != 1 || h.order != UINT64_C(0x0102030405060708) ||
      h.bytes != n - sizeof h - FUZZ_DIGITS ||
      memcmp(hex, data + n - FUZZ_DIGITS, FUZZ_DIGITS) != 0 || k.state.n != h.bytes ||
      memcmp(k.state.bytes, data + sizeof h, k.state.n) != 0)
    abort();
  wn_checkpoint_close(&k);
}

/* The scenario is the run's and there is no output: it goes on, or says why not. */
static void as_state(const uint8_t *data, size_t n)
{
  struct wn_restart *r;
  size_t length;
  int is_over;
  uint8_t *file = fuzz_sealed(data, n, &length);
  if (file == NULL)
    return;
  const struct wn_config *c = the_scenario();
  const int status = wn_restart_open(fuzz_file(file, length), c, &r, &is_over);
  if ((status != WN_OK && status != WN_EINPUT) || (status == WN_OK) != (r != NULL) ||
      is_over)
    abort();
  if (r != NULL && (r->history == NULL || r->file.state.at > n))
    abort();
  wn_restart_free(r);
  free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  as_file(data, n);
  as_state(data, n);
  return 0;
}
