/* t/tap/side_pairs.h - the conditions that the two sides of an axis can have, but for open ones. */
#ifndef WN_T_TAP_SIDE_PAIRS_H
#define WN_T_TAP_SIDE_PAIRS_H
#include "fields/poisson/poisson.h"

enum { N_SIDE_PAIRS = 5 };
static const enum wn_potential side_pairs[N_SIDE_PAIRS][2] = {
    {WN_PERIODIC, WN_PERIODIC},
    {WN_DIRICHLET, WN_DIRICHLET},
    {WN_DIRICHLET, WN_NEUMANN},
    {WN_NEUMANN, WN_DIRICHLET},
    {WN_NEUMANN, WN_NEUMANN}};

#endif
