/* t/fuzz/fuzz.h - a target of libFuzzer that reads files: the input under a name, without a disk. */
#ifndef WN_T_FUZZ_FUZZ_H
#define WN_T_FUZZ_FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The name of a file that holds n bytes; the same name each time. */
static const char *fuzz_file(const uint8_t *data, size_t n)
{
  static char name[64];
  static int fd = -1;
  if (fd < 0) {
    fd = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  }
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, n, 0) != (ssize_t)n)
    abort();
  return name;
}

#endif
