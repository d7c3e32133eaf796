#define _GNU_SOURCE
#include "terminal_secret.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "terminal_system.h"

static struct {
  int tty;
  const char *prompt;
  struct termios before, silent;
  // The signals that end, stop or continue the program.
  int signals[NSIG + 2];
  size_t count;
  struct sigaction previous[NSIG + 2];
} asked;

static atomic_bool is_asking, is_silent;
// The number of threads in a handler, which may be about to switch the echo off.
static atomic_int handlers;

static void set_modes(const struct termios *modes, int when) {
  while (tcsetattr(asked.tty, when, modes) < 0 && errno == EINTR) {}
}

static void say(const char *text) {
  if (write(asked.tty, text, strlen(text)) < 0) return;
}

static void ask(void) {
  terminal_stay_in_front(asked.tty);
  // NB: even if `is_silent` is set: after a SIGSTOP the shell may have changed the modes.
  set_modes(&asked.silent, TCSANOW);
  if (!atomic_exchange(&is_silent, true)) say(asked.prompt);
}

// Restores the echo, applies the default action of the signal, and asks again if the program continues.
static void on_signal(int signal_number) {
  const int kept = errno;
  atomic_fetch_add(&handlers, 1);
  struct sigaction action = {.sa_handler = SIG_DFL}, ours;
  sigset_t only;
  set_modes(&asked.before, TCSANOW);
  say("\n");
  atomic_store(&is_silent, false);
  sigaction(signal_number, &action, &ours);
  sigemptyset(&only);
  sigaddset(&only, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(signal_number);
  sigaction(signal_number, &ours, NULL);
  // NB: in an orphaned process group the stop has no effect, and no SIGCONT follows.
  if (atomic_load(&is_asking) && !atomic_load(&is_silent)) ask();
  atomic_fetch_sub(&handlers, 1);
  errno = kept;
}

static void on_continue(int signal_number) {
  (void)signal_number;
  const int kept = errno;
  atomic_fetch_add(&handlers, 1);
  if (atomic_load(&is_asking)) ask();
  atomic_fetch_sub(&handlers, 1);
  errno = kept;
}

static void begin(void) {
  asked.count = terminal_ending_signals(asked.signals);
  asked.signals[asked.count++] = SIGTSTP;
  asked.signals[asked.count++] = SIGCONT;
  for (size_t i = 0; i < asked.count; i++) {
    const int number = asked.signals[i];
    const bool goes_on = number == SIGCONT;
    struct sigaction action = {.sa_handler = goes_on ? on_continue : on_signal, .sa_flags = SA_RESTART};
    // Signals that end the program must be delivered while a handler is stopped.
    if (goes_on || number == SIGTSTP)
      sigemptyset(&action.sa_mask);
    else
      sigfillset(&action.sa_mask);
    sigaction(number, NULL, &asked.previous[i]);
    // Signals that the parent ignores stay ignored.
    if (asked.previous[i].sa_handler != SIG_IGN) sigaction(number, &action, NULL);
  }
  set_modes(&asked.silent, TCSAFLUSH);
  atomic_store(&is_asking, true);
  ask();
}

static void end(void) {
  sigset_t all, kept;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &kept);
  atomic_store(&is_asking, false);
  // A handler on another thread that still asks would switch the echo off after the next lines.
  while (atomic_load(&handlers) > 0) sched_yield();
  atomic_store(&is_silent, false);
  set_modes(&asked.before, TCSAFLUSH);
  for (size_t i = 0; i < asked.count; i++) sigaction(asked.signals[i], &asked.previous[i], NULL);
  pthread_sigmask(SIG_SETMASK, &kept, NULL);
  say("\n");
}

ssize_t terminal_ask_secret(int tty, const char *prompt, char *line, size_t size) {
  // Waits for the foreground first: in the background, the current modes are those of the shell's line editor.
  terminal_stay_in_front(tty);
  if (tcgetattr(tty, &asked.before) < 0) return -1;
  asked.tty = tty;
  asked.prompt = prompt;
  asked.silent = asked.before;
  asked.silent.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
  asked.silent.c_lflag |= ICANON | ISIG;

  begin();
  size_t count = 0;
  ssize_t got = 0;
  while (count < size) {
    got = read(tty, line + count, size - count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    count += (size_t)got;
    if (line[count - 1] == '\n') break;
  }
  const int why = errno;
  end();
  errno = why;
  if (got < 0) return -1;
  if (count > 0 && line[count - 1] == '\n') return (ssize_t)count - 1;
  errno = count == size ? EMSGSIZE : ENODATA;
  return -1;
}
