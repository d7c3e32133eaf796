// What the program leaves behind when a signal ends it.
#ifndef TOTEBOARD_TERMINAL_WILL_H
#define TOTEBOARD_TERMINAL_WILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From now on a signal that ends the program (INT, TERM, HUP, QUIT) puts these bytes into that file, for its owner alone,
// whole or not at all, by way of the other one beside it. All is copied. No path: nothing is left behind. False, with what
// was there before still there, where there is no memory.
bool terminal_will_set(const char *path, const char *temporary, const uint8_t *bytes, size_t count);

// What a signal's handler does before the program ends.
void terminal_will_execute(void);

#endif
