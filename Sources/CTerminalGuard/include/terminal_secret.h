// Reads a secret from a terminal without echo.
#ifndef TOTEBOARD_TERMINAL_SECRET_H
#define TOTEBOARD_TERMINAL_SECRET_H

#include <stddef.h>
#include <sys/types.h>

// Writes the prompt and reads a line without echo into `line`, without its newline. Restores the echo before it
// returns, and when a signal ends or stops the program. Returns the length of the line in bytes, or -1 with errno set:
// EMSGSIZE if the line does not fit, ENODATA at the end of the input. Only one thread may call it at a time.
ssize_t terminal_ask_secret(int tty, const char *prompt, char *line, size_t size);

#endif
