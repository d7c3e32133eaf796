// System calls that Swift does not import, or that each system has under another name.
#ifndef TOTEBOARD_TERMINAL_SYSTEM_H
#define TOTEBOARD_TERMINAL_SYSTEM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

// An empty file in memory where the system can, else on disk; closed on exec. -1 with errno set where there is none.
int terminal_nameless_file(void);

// Two descriptors, perhaps the same one: what is written to `ends[1]` (eight bytes, the number 1) makes `ends[0]`
// readable until it is read. Neither blocks. -1 with errno set where there is none.
int terminal_bell(int ends[2]);

// Fills `signals` with those that end a process by default and can be caught, and returns how many they are. Not among
// them are those that a crash raises, and SIGPIPE, which the program ignores.
size_t terminal_ending_signals(int signals[NSIG]);

// Stops the process for as long as it is in the background of that terminal, as the kernel would have it: after `bg` the
// terminal is the shell's. Async-signal-safe, where SIGTTOU is not blocked.
void terminal_stay_in_front(int tty);

enum { TERMINAL_POLL_TTY = 1, TERMINAL_POLL_BELL = 2 };

// Sleeps until either can be read or has hung up, a signal comes or the time is over; negative is for ever. Returns the
// TERMINAL_POLL_ bits of those that can. A negative descriptor is none.
int terminal_poll(int tty, int bell, int64_t nanoseconds);

#endif
