/* t/tap/scenario.h - what the reader says of a scenario. */
#ifndef WN_T_TAP_SCENARIO_H
#define WN_T_TAP_SCENARIO_H

/* Write text to the file `name`, read it as a scenario with one --set (NULL: none), and give
 * the messages, one a line, without "wilson: error: " (malloc'd; those of other levels keep
 * what they begin with).  Returns the status, -1 when the file could not be written. */
int scenario_messages(const char *name, const char *text, const char *set,
                      char **messages);

#endif
