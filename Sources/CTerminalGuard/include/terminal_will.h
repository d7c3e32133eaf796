// A file that a signal handler writes when a signal ends the program.
#ifndef TOTEBOARD_TERMINAL_WILL_H
#define TOTEBOARD_TERMINAL_WILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sets the bytes that a signal that ends the program writes to the file at `path`, for its owner only. The write is
// atomic, through the file at `temporary` in the same directory. Copies all arguments. With a null `path`, no file is
// written. Returns false if memory is exhausted; the previous bytes then stay.
bool terminal_will_set(const char *path, const char *temporary, const uint8_t *bytes, size_t count);

// Writes the file. Called by a signal handler before the program ends.
void terminal_will_execute(void);

#endif
