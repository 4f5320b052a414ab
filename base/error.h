/* base/error.h - status codes and messages.  A function that can fail returns an enum wn_status, and
 * writes its outputs last and only on success.  The function that detects the cause logs it, once;
 * callers pass the status on with WN_TRY.  Library code never exits. */
#ifndef WN_BASE_ERROR_H
#define WN_BASE_ERROR_H

#define WN_STATUS_LIST(X)                                                                   \
  X(WN_OK, "success")                                                                       \
  X(WN_ENOMEM, "out of memory")                                                             \
  X(WN_EINPUT, "invalid input") /* exit status 2: usage, scenario, cross-section file */    \
  X(WN_EIO, "file error")       /* exit status 1 */                                         \
  X(WN_ERUN,                                                                                \
    "the run was stopped") /* exit status 1: a bound was exceeded, or the end of a table */ \
  /* exit status 1: results so far are written */                                           \
  X(WN_EFULL, "the store of electrons is full")                                             \
  X(WN_ECUDA, "a call to the GPU failed") /* exit status 1 */                               \
  /* exit status 3: a checkpoint to continue from exists */                                 \
  X(WN_ELIMIT, "the run came to its limit")                                                 \
  X(WN_EINTERN, "internal error")

enum wn_status {
#define X(sym, text) sym,
  WN_STATUS_LIST(X)
#undef X
      WN_N_STATUS
};

#ifdef __cplusplus
extern "C" {
#endif

const char *wn_status_text(int status);

/* Logs "wilson: error: <message>" (with the source place at level debug) and returns
 * status. */
#define WN_FAIL(status, ...) wn_fail_at(__FILE__, __LINE__, (status), __VA_ARGS__)
#define WN_TRY(call)                                                                     \
  do {                                                                                   \
    int wn_st_ = (call);                                                                 \
    if (wn_st_ != WN_OK)                                                                 \
      return wn_st_;                                                                     \
  } while (0)

int wn_fail_at(const char *file, int line, int status, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* For errors of the program, not of the user: always checked; prints the place and aborts. */
#define WN_ASSERT(cond) ((cond) ? (void)0 : wn_assert_failed(__FILE__, __LINE__, #cond))
void wn_assert_failed(const char *file, int line, const char *text)
    __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
