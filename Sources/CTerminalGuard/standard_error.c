#define _GNU_SOURCE
#include "standard_error.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "terminal_system.h"

enum { MOST = 64 * 1024 };

// The real standard error and the file that replaces it; -1 if there is nothing to collect.
static int terminal = -1, file = -1;
static bool is_collecting;

void standard_error_prepare(void) {
  if (terminal >= 0 || !isatty(STDERR_FILENO)) return;
  file = terminal_nameless_file();
  if (file < 0) return;
  // Appends, because several threads and processes may write.
  fcntl(file, F_SETFL, O_APPEND);
  terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

void standard_error_collect(void) {
  if (terminal >= 0) is_collecting = dup2(file, STDERR_FILENO) >= 0;
}

void standard_error_release(void) {
  if (!is_collecting) return;
  is_collecting = false;
  dup2(terminal, STDERR_FILENO);

  char chunk[4096];
  const off_t size = lseek(file, 0, SEEK_END);
  off_t at = size > MOST ? size - MOST : 0;
  struct pollfd tty = {.fd = STDERR_FILENO, .events = POLLOUT};
  for (ssize_t count; (count = pread(file, chunk, sizeof chunk, at)) > 0; at += count) {
    if (poll(&tty, 1, 200) != 1 || write(STDERR_FILENO, chunk, (size_t)count) < 0) break;
  }
  if (ftruncate(file, 0) < 0) return;
}
