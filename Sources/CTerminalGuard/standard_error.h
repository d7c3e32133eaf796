// Collects standard error while the terminal shows the program's screen.
#ifndef TOTEBOARD_STANDARD_ERROR_H
#define TOTEBOARD_STANDARD_ERROR_H

// Prepares to collect the output to file descriptor 2, if that is a terminal. There it would damage the screen and be
// lost with the alternate screen.
void standard_error_prepare(void);

// Starts collecting. Async-signal-safe.
void standard_error_collect(void);

// Restores standard error to the terminal and prints the last 64 KB of the collected output. Async-signal-safe.
void standard_error_release(void);

#endif
