/* crosssections/xs_set.h - functions shared by the readers and wn_xs_prepare, beside
 * xs.h. */
#ifndef WN_CROSSSECTIONS_XS_SET_H
#define WN_CROSSSECTIONS_XS_SET_H
#include <stdbool.h>
#include <stddef.h>

struct wn_xs_set;
struct wn_xs_process;

/* Something was skipped, repaired or assumed at a line of the set's file: appended to
 * set->notes as "path:line: text" and logged once as a warning.  line 0 stands for the
 * whole file.  Returns WN_OK or WN_ENOMEM. */
int wn_xs_remark(struct wn_xs_set *set, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* xs_names.c.  Does a name in a scenario select this process: by its label, its product,
 * or the product that several channels share?  And the label of a set that is nearest to
 * a name; NULL: the set is empty. */
bool wn_xs_named_by(const struct wn_xs_process *p, const char *name);
const char *wn_xs_nearest(const struct wn_xs_set *set, const char *name);
/* The same where n further words are valid names. */
const char *wn_xs_nearest_or(const struct wn_xs_set *set, size_t n,
                             const char *const *word, const char *name);

/* Free what a process points to, not the process itself. */
void wn_xs_process_clear(struct wn_xs_process *p);

#endif
