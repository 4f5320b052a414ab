/* src/config/source_numbers.h - how many macroparticles sources of model plasma create, and
 * how fast they are.  Pure functions.  SI. */
#ifndef WN_SRC_CONFIG_SOURCE_NUMBERS_H
#define WN_SRC_CONFIG_SOURCE_NUMBERS_H
#include "src/config/config.h"

/* Macroparticles up to the time t [s], a real number: its whole part has been emitted, or
 * one more.  Never less at a later time. */
double wn_source_number(const struct wn_config *c, const struct wn_cfg_source *o,
                        double t);

/* The same of a source whose macroparticles a second are known. */
double wn_source_number_of(const struct wn_cfg_source *o, double per_s, double t);

/* m/s: of particles of a species as their sources create them, with their beam's energy and
 * WN_PLASMA_SPEEDS thermal speeds, the fastest; 0: it has none. */
double wn_source_speed(const struct wn_config *c, const struct wn_cfg_species *s);

/* About how many macroparticles of a species its sources keep in the domain at the end of
 * the run: those of the time in which one crosses it at its thermal or beam's speed, or
 * that it gains from half the voltage between the walls; at most all that they create. */
double wn_source_residents(const struct wn_config *c, const struct wn_cfg_species *s);

/* Real particles of species k that sources in regions have created up to the time t. */
double wn_source_created(const struct wn_config *c, size_t k, double t);

#endif
