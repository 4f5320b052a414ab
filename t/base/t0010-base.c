/* t0010-base.c - defends: status texts, checked allocation, log lines, SHA-256 and the
 * version strings of base. Numbers: the SHA-256 examples of FIPS 180-4 ("abc", the
 * 448-bit and 896-bit messages, a million times "a"); the lengths around a block's end
 * (55, 56, 63, 64, 65 bytes of "a") were computed with coreutils' sha256sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/sha256.h"
#include "base/version.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

static const struct {
  const char *name, *text;
  size_t repeat;
  const char *hex;
} hashes[] = {
    {"no bytes", "", 1,
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"448 bits", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"896 bits",
     "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklm"
     "nopqrlmnopqrsmnopqrstn"
     "opqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a million bytes", "a", 1000000,
     "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {"55 bytes", "a", 55,
     "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    {"56 bytes", "a", 56,
     "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
    {"63 bytes", "a", 63,
     "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
    {"64 bytes", "a", 64,
     "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    {"65 bytes", "a", 65,
     "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
};

static void check_hashes(void)
{
  char hex[WN_SHA256_HEX];
  for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
    size_t part = strlen(hashes[i].text), n = part * hashes[i].repeat;
    char *text = wn_alloc(n, 1);
    for (size_t j = 0; text && j < hashes[i].repeat; j++)
      memcpy(text + j * part, hashes[i].text, part);
    wn_sha256_mem(text, n, hex);
    is_str(hex, hashes[i].hex, "sha256 of memory, %s", hashes[i].name);

    const char *path = "t0010-base.tmp";
    FILE *f = fopen(path, "wb");
    int written = f && fwrite(text, 1, n, f) == n;
    if (f && fclose(f) != 0)
      written = 0;
    ok(written && wn_sha256_file(path, hex) == WN_OK && strcmp(hex, hashes[i].hex) == 0,
       "sha256 of a file, %s", hashes[i].name);
    remove(path);
    free(text);
  }
}

/* What `emit` writes to stderr. */
static const char *said(void (*emit)(void))
{
  capture();
  emit();
  return captured();
}

static void emit_fail(void)
{
  (void)WN_FAIL(WN_EINPUT, "no gas named %s", "N3");
}

static void emit_places(void)
{
  wn_log_at(WN_LOG_WARN, "air.cfg", 12, "key %d", 1);
  wn_log_at(WN_LOG_INFO, "air.cfg", 0, "whole file");
}

static void emit_all_levels(void)
{
  wn_log(WN_LOG_ERROR, "a");
  wn_log(WN_LOG_WARN, "b");
  wn_log(WN_LOG_INFO, "c");
  wn_log(WN_LOG_DEBUG, "d");
}

/* volatile: the compiler must not see that these requests cannot be met. */
static volatile size_t huge = SIZE_MAX / 2 + 2;
static void *not_given[4];
static int could_grow;

static void emit_no_memory(void)
{
  not_given[0] = wn_alloc(huge, 2); /* n * size overflows */
  not_given[1] = wn_alloc(huge, 1); /* larger than any object */
  not_given[2] = wn_alloc_aligned(huge, 4, 64);
}

static void *old_block;
static void emit_no_realloc(void)
{
  not_given[3] = wn_realloc(old_block, huge, 16);
}

static void emit_no_growth(void)
{
  could_grow = wn_grow_aligned(&old_block, huge, 16, 64);
}

/* From some bytes to more than the C library gives without a call of the system, in odd
 * steps, with other blocks between. */
static void check_growth(void)
{
  void *block = wn_alloc_aligned(3, 16, 64), *between[64] = {NULL};
  int n = 0, wrong = block == NULL;
  size_t length = 48;
  for (; length < ((size_t)1 << 26) && !wrong; n++) {
    unsigned char *b = block;
    b[0] = 17;
    b[length - 1] = (unsigned char)n;
    const size_t before = length;
    length += length / 2 / 16 * 16;
    between[n % 64] = wn_realloc(between[n % 64], 100 + (size_t)n, 3);
    wrong += !wn_grow_aligned(&block, length / 16, 16, 64);
    b = block;
    wrong += (uintptr_t)block % 64 != 0 || b[0] != 17 || b[before - 1] != n;
  }
  ok(wrong == 0 && n > 30, "wn_grow_aligned keeps alignment and contents, %d times", n);
  old_block = block;
  said(emit_no_growth);
  ok(!could_grow && old_block != NULL && *(unsigned char *)old_block == 17,
     "a failed wn_grow_aligned leaves the block valid");
  free(old_block);
  for (int i = 0; i < 64; i++)
    free(between[i]);
}

static void check_log(void)
{
  const char *text = said(emit_fail);
  is_str(text, "wilson: error: no gas named N3\n",
         "a failure is said once, without its place");
  is_int(WN_FAIL(WN_EIO, "this line is part of the test"), WN_EIO,
         "WN_FAIL gives its status back");
  text = said(emit_places);
  is_str(text, "wilson: warning: air.cfg:12: key 1\nwilson: info: air.cfg: whole file\n",
         "messages about a place in a file");
  text = said(emit_all_levels);
  is_str(text, "wilson: error: a\nwilson: warning: b\nwilson: info: c\n",
         "level info at the start");
  wn_log_set_level(WN_LOG_WARN);
  text = said(emit_all_levels);
  is_str(text, "wilson: error: a\nwilson: warning: b\n", "level warn");
  wn_log_set_level(WN_LOG_DEBUG);
  is_int(wn_log_level(), WN_LOG_DEBUG, "the level can be asked for");
  text = said(emit_fail);
  ok(strstr(text, "wilson: debug: ") && strstr(text, "t0010-base.c:"),
     "level debug tells the place of a failure");
  wn_log_set_level(WN_LOG_INFO);
}

static void check_alloc(void)
{
  const char *text = said(emit_no_memory);
  ok(!not_given[0] && !not_given[1] && !not_given[2],
     "requests that overflow or are too large give NULL");
  int lines = 0;
  for (const char *c = text; *c; c++)
    lines += *c == '\n';
  is_int(lines, 3, "each is said once");
  ok(strstr(text, "wilson: error: out of memory"), "and says why");

  unsigned char *p = wn_alloc(100, 8);
  int sum = 0;
  for (size_t i = 0; p && i < 800; i++)
    sum |= p[i];
  ok(p && sum == 0, "wn_alloc gives zeroed memory");
  if (p)
    p[7] = 42;
  unsigned char *q = wn_realloc(p, 100000, 8);
  ok(q && q[7] == 42, "wn_realloc keeps the contents");
  old_block = q;
  said(emit_no_realloc);
  ok(!not_given[3] && q && q[7] == 42, "a failed wn_realloc leaves the old block valid");
  free(q);

  void *none = wn_alloc(0, 8), *none_aligned = wn_alloc_aligned(0, 8, 64);
  ok(none && none_aligned, "a request of no bytes is not a failure");
  free(none);
  free(none_aligned);

  unsigned char *a = wn_alloc_aligned(33, 3, 4096);
  sum = 0;
  for (size_t i = 0; a && i < 99; i++)
    sum |= a[i];
  ok(a && (uintptr_t)a % 4096 == 0 && sum == 0, "wn_alloc_aligned is aligned and zeroed");
  free(a);

  unsigned char *b = wn_alloc_aligned_unset(33, 3, 4096);
  for (size_t i = 0; b && i < 99; i++)
    b[i] = 1;
  ok(b && (uintptr_t)b % 4096 == 0, "wn_alloc_aligned_unset is aligned");
  free(b);

  check_growth();

  char *s = wn_strdup("krypton"), *t = wn_asprintf("%s %d, %0500d", s ? s : "", 36, 1);
  is_str(s, "krypton", "wn_strdup");
  ok(t && strncmp(t, "krypton 36, 000", 15) == 0 && strlen(t) == 512,
     "wn_asprintf of 512 characters");
  free(s);
  free(t);
}

int main(void)
{
  plan(0);
  is_str(wn_status_text(WN_OK), "success", "status text of WN_OK");
  is_str(wn_status_text(WN_ENOMEM), "out of memory", "status text of WN_ENOMEM");
  is_str(wn_status_text(WN_EINTERN), "internal error", "status text of the last status");
  is_str(wn_status_text(-1), "unknown status", "status text below the list");
  is_str(wn_status_text(WN_N_STATUS), "unknown status", "status text above the list");
  check_log();
  check_alloc();
  check_hashes();

  char hex[WN_SHA256_HEX] = "unchanged";
  is_int(wn_sha256_file("no/such/file", hex), WN_EIO,
         "sha256 of a file that is not there");
  is_str(hex, "unchanged", "which leaves the output alone");
  is_int(wn_sha256_file(".", hex), WN_EIO, "sha256 of a folder");

  ok(wn_version()[0] >= '0' && wn_version()[0] <= '9', "version %s", wn_version());
  ok(strlen(wn_version_git()) >= 7, "git id %s", wn_version_git());
  ok(strstr(wn_version_build(), "compiler ") && strstr(wn_version_build(), "flags ") &&
         strstr(wn_version_build(), "configure ") &&
         strstr(wn_version_build(), "libconfig "),
     "the build says compiler, flags, configure line and libraries");
  diag("%s", wn_version_build());
  return done();
}
