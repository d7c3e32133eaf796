// Restores the terminal at any end of the program.
//
// All state is global: a process has one terminal, and signal handlers can reach only globals.
#ifndef TOTEBOARD_TERMINAL_GUARD_H
#define TOTEBOARD_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  // The terminal may have a new size.
  TERMINAL_GUARD_RESIZED = 1,
  // The program continues after a stop; the content of the screen is lost.
  TERMINAL_GUARD_RESUMED = 2,
  // The program must stop: it calls terminal_guard_stop when it is ready.
  TERMINAL_GUARD_STOPPING = 4,
};

struct terminal_guard_options {
  // Open for reading and writing. At the end it becomes /dev/null, so that late output is lost.
  int tty;
  // The descriptor to which a signal handler writes eight bytes, the number 1, to end a poll(2): an eventfd or a
  // non-blocking pipe.
  int wake;
  // The bytes that take over the screen and those that restore it. They are copied; more than 512 bytes each are an
  // error.
  const uint8_t *enter;
  size_t enter_count;
  const uint8_t *leave;
  size_t leave_count;
  // True to call the earlier crash handlers too, after the terminal is restored.
  bool chains_crashes;
};

// Saves the terminal's modes and standard error, installs the signal handlers and takes over the screen: no echo, input
// byte by byte, output unchanged, signals from the keyboard. If standard error is a terminal, collects its output until
// the screen is restored. Returns false with errno set and nothing changed on failure, for example if `tty` is not a
// terminal.
bool terminal_guard_begin(const struct terminal_guard_options *options);

// Restores the screen and prints the collected output of standard error. A second call does nothing.
void terminal_guard_end(void);

// Restores the screen and stops the program, if a stop was requested and has not happened since. Returns when the
// program continues. A second stop request does not wait for this call.
void terminal_guard_stop(void);

// Announces queries to the terminal. The last query must be CSI c, which every terminal answers. For 2 s, or until that
// answer arrives, the end of the program and terminal_guard_stop wait for the answer, for at most 300 ms. Otherwise the
// shell would receive it as typed text.
void terminal_guard_asked(void);

// Records that the last answer has arrived.
void terminal_guard_answered(void);

// Returns true if the last answer is missing and the last query was at most 2 s ago.
bool terminal_guard_is_asking(void);

// Returns the TERMINAL_GUARD_ bits of the events since the last call.
unsigned terminal_guard_take_events(void);

#endif
