// Where standard error goes while the board is up.
#ifndef TOTEBOARD_STANDARD_ERROR_H
#define TOTEBOARD_STANDARD_ERROR_H

// Makes ready to collect what is written to file descriptor 2, if that is a terminal: there it would spoil the board,
// and be lost with the alternate screen.
void standard_error_prepare(void);

// Collects from now on. Async-signal-safe.
void standard_error_collect(void);

// Standard error is the terminal again, and what was collected is printed, the last 64 KB of it. Async-signal-safe.
void standard_error_release(void);

#endif
