#define _GNU_SOURCE
#include "terminal_system.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/eventfd.h>
#include <sys/mman.h>

int terminal_nameless_file(void) { return memfd_create("toteboard", MFD_CLOEXEC); }

int terminal_bell(int ends[2]) {
  ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return ends[0] < 0 ? -1 : 0;
}
#else
int terminal_nameless_file(void) {
  char name[] = "/tmp/toteboard.XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) return -1;
  unlink(name);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

int terminal_bell(int ends[2]) {
  if (pipe(ends) < 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  }
  return 0;
}
#endif

size_t terminal_ending_signals(int signals[NSIG]) {
  static const int named[] = {
    SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGUSR1, SIGUSR2,
    SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF, SIGXFSZ, SIGSYS,
#ifdef __linux__
    SIGIO,
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
#ifdef SIGEMT
    SIGEMT,
#endif
  };
  size_t count = 0;
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) signals[count++] = named[i];
#ifdef SIGRTMIN
  for (int number = SIGRTMIN; number <= SIGRTMAX && number < NSIG; number++) signals[count++] = number;
#endif
  return count;
}

static bool is_in_background(int tty) {
  const pid_t foreground = tcgetpgrp(tty);
  return foreground > 0 && foreground != getpgrp();
}

void terminal_stay_in_front(int tty) {
  // The limit prevents an endless loop in an orphaned process group, which cannot stop.
  for (int times = 0; is_in_background(tty) && times < 100; times++) raise(SIGTTOU);
}

int terminal_poll(const struct terminal_poll_files *polled, int64_t nanoseconds) {
  struct pollfd files[] = {
    {.fd = polled->tty, .events = POLLIN},
    {.fd = polled->bell, .events = POLLIN},
    {.fd = polled->data, .events = POLLIN},
    {.fd = polled->stop, .events = POLLIN},
  };
  enum { COUNT = sizeof files / sizeof *files };
#ifdef __linux__
  // poll(2) would round the 16.7 ms of a frame to whole milliseconds.
  const struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  const int count = ppoll(files, COUNT, nanoseconds < 0 ? NULL : &time, NULL);
#else
  const int64_t milliseconds = (nanoseconds + 999999) / 1000000;
  const int count = poll(files, COUNT, nanoseconds < 0 ? -1 : milliseconds > INT32_MAX ? INT32_MAX : (int)milliseconds);
#endif
  if (count <= 0) return 0;
  int ready = 0;
  for (int i = 0; i < COUNT; i++) {
    if (files[i].revents) ready |= 1 << i;
  }
  return ready;
}
