/* base/version.c - what this binary is.  version_id.h is written into the build
 * folder by build-aux/version-id, which make runs each time: it changes, and this file is
 * compiled again, only when the git id or the flags change. */
#include "base/version.h"

#include "base/version_id.h"

#ifdef __clang__
#define COMPILER __VERSION__ /* "Debian Clang 14.0.6" */
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *wn_version(void)
{
  return WN_ID_VERSION;
}

const char *wn_version_git(void)
{
  return WN_ID_GIT;
}

const char *wn_version_build(void)
{
  /* The headers of Random123 have no version; netCDF: wn_output_library(). */
  return "compiler " COMPILER "; flags " WN_ID_FLAGS "; configure " WN_ID_CONFIGURE
         "; libconfig " WN_ID_LIBCONFIG;
}
