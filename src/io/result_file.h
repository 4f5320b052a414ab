/* src/io/result_file.h - reads a result file of Wilson (written through output.h): variables
 * and attributes by name.  A missing variable is no error: files of other jobs and older
 * versions have other variables. */
#ifndef WN_SRC_IO_RESULT_FILE_H
#define WN_SRC_IO_RESULT_FILE_H
#include <stddef.h>

struct wn_result_file;

/* WN_EINPUT with the path: it cannot be read, or was not written by Wilson. */
int wn_result_open(const char *path, struct wn_result_file **out);
void wn_result_close(struct wn_result_file *f); /* f may be NULL */

/* Name of variable i, malloc'd; NULL: no more variables, or out of memory. */
char *wn_result_name(const struct wn_result_file *f, int i);

/* Number of dimensions of a variable, and the names of the first `most`; 0: none, or no such variable. */
size_t wn_result_dims(const struct wn_result_file *f, const char *name, size_t most,
                      char (*dim)[64]);

size_t wn_result_dim(const struct wn_result_file *f, const char *name); /* 0: none */

/* All n numbers of a variable as doubles; missing values as NaN.  *out is malloc'd, NULL if there is no
 * such variable.  WN_EINPUT: its length is not n, or it cannot be read; WN_ENOMEM. */
int wn_result_doubles(const struct wn_result_file *f, const char *name, size_t n,
                      double **out);
/* Record `record` of a variable, its n numbers, into out [n]; missing values as NaN.  WN_EINPUT: there is no such
 * variable or record, its length is not n, or it cannot be read. */
int wn_result_record(const struct wn_result_file *f, const char *name, size_t record,
                     size_t n, double *out);
/* The same as wn_result_doubles for an attribute of a variable. */
int wn_result_attr_doubles(const struct wn_result_file *f, const char *variable,
                           const char *name, size_t n, double **out);
/* n strings; each malloc'd, and so is *out. */
int wn_result_strings(const struct wn_result_file *f, const char *name, size_t n,
                      char ***out);
/* A text attribute, malloc'd; variable NULL: a global one.  NULL: none. */
char *wn_result_text(const struct wn_result_file *f, const char *variable,
                     const char *name);

#endif
