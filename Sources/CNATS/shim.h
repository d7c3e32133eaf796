// libnats 3.4 or later, as Debian's libnats-dev and Homebrew's cnats install it.
#ifndef TOTEBOARD_CNATS_SHIM_H
#define TOTEBOARD_CNATS_SHIM_H

#include <nats/nats.h>

#endif
