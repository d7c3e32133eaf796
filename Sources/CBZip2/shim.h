#ifndef TOTEBOARD_CBZIP2_SHIM_H
#define TOTEBOARD_CBZIP2_SHIM_H

#include <bzlib.h>

#endif
