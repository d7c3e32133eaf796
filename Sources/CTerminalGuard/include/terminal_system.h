// System calls that Swift does not import or that differ between systems.
#ifndef TOTEBOARD_TERMINAL_SYSTEM_H
#define TOTEBOARD_TERMINAL_SYSTEM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

// Returns an empty file, in memory if the system supports it, else on disk, with close-on-exec. Returns -1 with errno
// set on failure.
int terminal_nameless_file(void);

// Opens two descriptors, possibly the same one. Eight bytes with the number 1, written to `ends[1]`, make `ends[0]`
// readable until it is read. Neither blocks. Returns -1 with errno set on failure.
int terminal_bell(int ends[2]);

// Fills `signals` with the signals that end a process by default and can be caught, and returns their number. Excludes
// the signals of crashes, and SIGPIPE, which the program ignores.
size_t terminal_ending_signals(int signals[NSIG]);

// Stops the process with SIGTTOU while it is in the background of the terminal, as the kernel does if such a process
// changes the terminal's modes: after `bg` the terminal belongs to the shell. Gives up after 100 attempts.
// Async-signal-safe if SIGTTOU is not blocked.
void terminal_stay_in_front(int tty);

// The bits of `terminal_poll`, in the order of `terminal_poll_files`.
enum { TERMINAL_POLL_TTY = 1, TERMINAL_POLL_BELL = 2, TERMINAL_POLL_DATA = 4, TERMINAL_POLL_STOP = 8 };

// The descriptors to poll for input. A negative one is ignored.
struct terminal_poll_files {
  int tty, bell, data, stop;
};

// Sleeps until a descriptor is readable or has hung up, a signal arrives or the time has passed; a negative time never
// passes. Returns the TERMINAL_POLL_ bits of the ready descriptors.
int terminal_poll(const struct terminal_poll_files *polled, int64_t nanoseconds);

#endif
