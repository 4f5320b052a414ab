/* src/io/output_path.h - where an output may go, and who writes there.
 *
 * An output PATH is written as PATH.part.new until its header is whole, then as PATH.part,
 * and is PATH when it is complete.  A lock on the first two keeps other runs away: that of
 * fcntl on an open file (F_OFD_SETLK), which ends with the process, however that ends, and
 * which network file systems know; HDF5's own may be switched off. */
#ifndef WN_SRC_IO_OUTPUT_PATH_H
#define WN_SRC_IO_OUTPUT_PATH_H
#include <stdbool.h>
#include <stddef.h>

/* May `path` be written, by a command that reads `inputs`?  WN_EINPUT: it, or its .part, is one of
 * them (by whatever name), or it is there already and keep is set. */
int wn_output_allowed(const char *path, bool keep, size_t n_inputs,
                      const char *const *inputs);

/* The same, and is there a folder to write it in?  For who will not write it: no file is made.  WN_EINPUT,
 * WN_EIO. */
int wn_output_possible(const char *path, size_t n_inputs, const char *const *inputs);

/* The file that `path` leads to through symbolic links, malloc'd, which need not be there yet.
 * WN_EIO: what is there is no ordinary file; WN_ENOMEM. */
int wn_output_follow(const char *path, char **real);

/* Open an ordinary file for writing and lock it: *fd, which keeps the lock until it is closed; -1
 * where there is none and `create` is false.  WN_EIO with the cause: another run has it, it
 * is a link. */
int wn_output_lock(const char *name, bool create, int *fd);

/* Before the first call of netCDF: HDF5 takes no locks of its own, which on some network file systems
 * shut out ours, and leaves nothing to be done at exit. */
void wn_netcdf_start(void);

#endif
