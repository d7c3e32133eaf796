#define _GNU_SOURCE
#include "late_close.h"

#ifdef __linux__
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void close_after_exit(int descriptor) {
  // The parent never writes. Its end of the pipe is closed with it.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return;
  // The child has the parent's signal handlers, which must not run there.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (fork() == 0) {
    // NB: only async-signal-safe calls, because the parent may have other threads.
    const int wait = dup(ends[0]), kept = dup(descriptor);
    dup2(wait, 0);
    dup2(kept, 1);
    // The terminal is not kept open.
    closefrom(2);
    char none;
    while (read(0, &none, 1) < 0) {
    }
    _exit(0);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[0]);
}
#else
void close_after_exit(int descriptor) { (void)descriptor; }
#endif
