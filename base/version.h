/* base/version.h - what this binary is. */
#ifndef WN_BASE_VERSION_H
#define WN_BASE_VERSION_H

const char *wn_version(void); /* "0.1.0" */
/* git id with "-dirty" when so, or "unknown"; carried in the tarball */
const char *wn_version_git(void);
const char *wn_version_build(void); /* compiler and its version, flags, configure line */

#endif
