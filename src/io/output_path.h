/* src/io/output_path.h - whether an output path can be written, and locks against other runs.
 *
 * An output PATH is written as PATH.part.new until its header is complete, then as PATH.part, and is
 * named PATH when it is complete.  A lock on the first two excludes other runs: that of fcntl on an open
 * file (F_OFD_SETLK), which ends with the process in any case, and which network file systems support;
 * HDF5's own may be switched off. */
#ifndef WN_SRC_IO_OUTPUT_PATH_H
#define WN_SRC_IO_OUTPUT_PATH_H
#include <stdbool.h>
#include <stddef.h>

/* WN_EINPUT: `path` with this ending is one of the inputs, by any name. */
int wn_output_is_no_input(const char *path, const char *end, size_t n_inputs,
                          const char *const *inputs);

/* May `path` be written by a command that reads `inputs`?  WN_EINPUT: it, or a name under which it is
 * written, is one of them, or it exists and keep is set. */
int wn_output_allowed(const char *path, bool keep, size_t n_inputs,
                      const char *const *inputs);

/* The same, and whether its folder exists.  For processes that do not write the output: no file is
 * created.  WN_EINPUT, WN_EIO. */
int wn_output_possible(const char *path, size_t n_inputs, const char *const *inputs);

/* The file that `path` refers to through symbolic links, malloc'd; it need not exist.  WN_EIO:
 * it exists and is no regular file; WN_ENOMEM. */
int wn_output_follow(const char *path, char **real);

/* Opens a regular file for writing and locks it: *fd, which holds the lock until it is closed; -1
 * if the file does not exist and `create` is false.  WN_EIO with the cause: another run has the
 * lock, or it is a link. */
int wn_output_lock(const char *name, bool create, int *fd);

/* Before the first call of netCDF: switches off HDF5's own locks, which conflict with ours on some
 * network file systems, and its exit handler. */
void wn_netcdf_start(void);

/* The same for a thread other than that which called netCDF first: HDF5 that is built for threads prints its errors there,
 * also those that netCDF expects. */
void wn_netcdf_thread(void);

#endif
