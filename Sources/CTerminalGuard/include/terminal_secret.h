// Asks on a terminal for what it is not to show.
#ifndef TOTEBOARD_TERMINAL_SECRET_H
#define TOTEBOARD_TERMINAL_SECRET_H

#include <stddef.h>
#include <sys/types.h>

// Writes the prompt, and reads a line without echo into `line`, its end left out. The echo is back when this returns, and
// when a signal ends or stops the program meanwhile. Returns how many bytes the line has, or -1 with errno set: EMSGSIZE
// for one that does not fit, ENODATA where there is none. One thread at a time.
ssize_t terminal_ask_secret(int tty, const char *prompt, char *line, size_t size);

#endif
