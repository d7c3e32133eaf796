// The work of a signal handler when a signal ends the program: it kills process groups and writes a file.
#ifndef TOTEBOARD_TERMINAL_WILL_H
#define TOTEBOARD_TERMINAL_WILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Sets the bytes that a signal that ends the program writes to the file at `path`, for its owner only. The write is
// atomic, through the file at `temporary` in the same directory. Copies all arguments. With a null `path`, no file is
// written. Returns false if memory is exhausted; the previous bytes then stay.
bool terminal_will_set(const char *path, const char *temporary, const uint8_t *bytes, size_t count);

// Adds a process group that is killed if a signal or a crash ends the program. Does nothing if there are 16 already.
void terminal_will_add_group(pid_t group);

// Removes a process group. Called before its id is released.
void terminal_will_remove_group(pid_t group);

// Kills the process groups. Called by a signal handler after a crash.
void terminal_will_kill_groups(void);

// Kills the process groups and writes the file. Called by a signal handler before the program ends.
void terminal_will_execute(void);

#endif
