#define _GNU_SOURCE
#include "terminal_secret.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct {
  int tty;
  const char *prompt;
  struct termios before, silent;
  struct sigaction previous[SIGNALS];
} asked;

static atomic_bool is_asking;

static void set_modes(const struct termios *modes, int when) {
  while (tcsetattr(asked.tty, when, modes) < 0 && errno == EINTR) {}
}

static void say(const char *text) {
  if (write(asked.tty, text, strlen(text)) < 0) return;
}

// The echo is back, then the signal does what it would have done without us; what has been stopped goes on asking.
static void on_signal(int signal_number) {
  const int kept = errno;
  struct sigaction action = {.sa_handler = SIG_DFL}, ours;
  sigset_t only;
  set_modes(&asked.before, TCSANOW);
  say("\n");
  sigaction(signal_number, &action, &ours);
  sigemptyset(&only);
  sigaddset(&only, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(signal_number);
  sigaction(signal_number, &ours, NULL);
  if (atomic_load(&is_asking)) {
    set_modes(&asked.silent, TCSANOW);
    say(asked.prompt);
  }
  errno = kept;
}

static void begin(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], NULL, &asked.previous[i]);
    // What the parent made us ignore stays ignored.
    if (asked.previous[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
  }
  atomic_store(&is_asking, true);
  set_modes(&asked.silent, TCSAFLUSH);
  say(asked.prompt);
}

static void end(void) {
  sigset_t all, kept;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &kept);
  atomic_store(&is_asking, false);
  set_modes(&asked.before, TCSAFLUSH);
  for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &asked.previous[i], NULL);
  pthread_sigmask(SIG_SETMASK, &kept, NULL);
  say("\n");
}

ssize_t terminal_ask_secret(int tty, const char *prompt, char *line, size_t size) {
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
