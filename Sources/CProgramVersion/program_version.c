#include "program_version.h"

#define TEXT_OF(token) #token
#define TEXT(macro) TEXT_OF(macro)

const char *program_version(void) {
#ifdef TOTEBOARD_COMMIT
  return TOTEBOARD_VERSION " (" TEXT(TOTEBOARD_COMMIT) ")";
#else
  return TOTEBOARD_VERSION;
#endif
}
