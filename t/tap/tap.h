/* t/tap/tap.h - a small producer of TAP (Test Anything Protocol) for the tests of Wilson.
 *
 *   plan(3);                     or plan(0) when the number is known only at the end
 *   ok(n > 0, "n is positive");  a check prints "ok 1 - name", or "not ok 1 - name" with
 *                                got, want and tolerance
 *   return done();               prints the plan after plan(0); the exit status of main
 *
 * Every check returns whether it passed.  Names are printf formats: pass a variable name
 * as "%s", name. */
#ifndef WN_T_TAP_TAP_H
#define WN_T_TAP_TAP_H

#define TAP_PRINTF(a, b) __attribute__((format(printf, a, b)))

void plan(int n); /* n checks will follow; 0: not known yet */
int done(void);   /* 0 when all checks passed and there were as many as planned, else 1 */

#define ok(cond, ...)          tap_ok(__FILE__, __LINE__, (cond) ? 1 : 0, __VA_ARGS__)
#define is_int(got, want, ...) tap_is_int(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
/* Strings; NULL equals only NULL. */
#define is_str(got, want, ...) tap_is_str(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
/* |got - want| <= rel_tol |want|; a NaN never passes, equal infinities do. */
#define is_close(got, want, rel_tol, ...)                                                \
  tap_is_close(__FILE__, __LINE__, (got), (want), (rel_tol), __VA_ARGS__)
/* |got - want| <= abs_tol; the same for NaN and infinities. */
#define is_near(got, want, abs_tol, ...)                                                 \
  tap_is_near(__FILE__, __LINE__, (got), (want), (abs_tol), __VA_ARGS__)

/* n checks count as skipped, with the reason; all, before any. */
void skip(int n, const char *fmt, ...) TAP_PRINTF(2, 3);
void skip_all(const char *fmt, ...) TAP_PRINTF(1, 2) __attribute__((noreturn));
void diag(const char *fmt, ...) TAP_PRINTF(1, 2); /* a comment for people */

int tap_ok(const char *file, int line, int pass, const char *fmt, ...) TAP_PRINTF(4, 5);
int tap_is_int(const char *file, int line, long long got, long long want, const char *fmt,
               ...) TAP_PRINTF(5, 6);
int tap_is_str(const char *file, int line, const char *got, const char *want,
               const char *fmt, ...) TAP_PRINTF(5, 6);
int tap_is_close(const char *file, int line, double got, double want, double rel_tol,
                 const char *fmt, ...) TAP_PRINTF(6, 7);
int tap_is_near(const char *file, int line, double got, double want, double abs_tol,
                const char *fmt, ...) TAP_PRINTF(6, 7);

#endif
