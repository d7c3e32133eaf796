// Gives the terminal back as it was, whichever way the program ends.
//
// All state is the process's: there is one terminal, and signals have no other place to keep anything.
#ifndef TOTEBOARD_TERMINAL_GUARD_H
#define TOTEBOARD_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  // The terminal has another size.
  TERMINAL_GUARD_RESIZED = 1,
  // The program was stopped and goes on; the screen's content is lost.
  TERMINAL_GUARD_RESUMED = 2,
  // The program is to be stopped: once it is ready it calls terminal_guard_stop.
  TERMINAL_GUARD_STOPPING = 4,
};

struct terminal_guard_options {
  // Open for reading and writing. In the end it becomes /dev/null: what is still painted is lost.
  int tty;
  // Where a signal writes eight bytes, the number 1, to end a poll(2): an eventfd, or a pipe that does not block.
  int wake;
  // What takes the screen and what gives it back, copied; more than 512 bytes each are refused.
  const uint8_t *enter;
  size_t enter_count;
  const uint8_t *leave;
  size_t leave_count;
  // Whether the handlers of crashes that were there before are called too, once the terminal is back.
  bool chains_crashes;
};

// Saves the terminal's modes and standard error's place, installs the handlers and takes the screen: no echo, bytes
// as they are typed, output unchanged, signals from the keyboard. Standard error, where it is a terminal, is collected
// in memory until the screen is given back. False with errno set, and nothing changed, where that cannot be, as where
// `tty` is no terminal.
bool terminal_guard_begin(const struct terminal_guard_options *options);

// Gives the screen back, and prints what standard error has collected. Does nothing the second time.
void terminal_guard_end(void);

// Gives the screen back and stops the program, where that was asked for and has not been done since; returns when the
// program goes on. Asked a second time, the guard does not wait for this call.
void terminal_guard_stop(void);

// The terminal is about to be asked something, the last question being CSI c, which every terminal answers. While that
// answer is on its way, whatever ends or stops the program waits for it, 300 ms at most and not in vain for ever: what
// comes later would be typed into the shell.
void terminal_guard_asked(void);

// That answer is here.
void terminal_guard_answered(void);

// It is not, and may still come.
bool terminal_guard_is_asking(void);

// The TERMINAL_GUARD_ bits of what happened since the last call.
unsigned terminal_guard_take_events(void);

#endif
