#define _GNU_SOURCE
#include "terminal_will.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct will {
  const char *path, *temporary;
  const uint8_t *bytes;
  size_t count;
};

// An exchange transfers ownership: to a handler, which never returns it, or to the next terminal_will_set, which frees
// it.
static _Atomic(struct will *) will;

bool terminal_will_set(const char *path, const char *temporary, const uint8_t *bytes, size_t count) {
  struct will *new = NULL;
  if (path) {
    const size_t path_size = strlen(path) + 1, temporary_size = strlen(temporary) + 1;
    new = malloc(sizeof *new + path_size + temporary_size + count);
    if (!new) return false;
    char *at = (char *)(new + 1);
    new->path = memcpy(at, path, path_size);
    new->temporary = memcpy(at + path_size, temporary, temporary_size);
    new->bytes = memcpy(at + path_size + temporary_size, bytes, count);
    new->count = count;
  }
  free(atomic_exchange(&will, new));
  return true;
}

// The process groups to kill; 0 for a free place.
enum { GROUPS = 16 };
static _Atomic(pid_t) groups[GROUPS];

void terminal_will_add_group(pid_t group) {
  for (int i = 0; i < GROUPS; i++) {
    pid_t none = 0;
    if (atomic_compare_exchange_strong(&groups[i], &none, group)) return;
  }
}

void terminal_will_remove_group(pid_t group) {
  for (int i = 0; i < GROUPS; i++) {
    pid_t known = group;
    if (atomic_compare_exchange_strong(&groups[i], &known, 0)) return;
  }
}

// These run in a signal handler: kill, open, write, rename and unlink are async-signal-safe.

void terminal_will_kill_groups(void) {
  for (int i = 0; i < GROUPS; i++) {
    const pid_t group = atomic_exchange(&groups[i], 0);
    if (group > 1) kill(-group, SIGKILL);
  }
}

void terminal_will_execute(void) {
  terminal_will_kill_groups();
  const struct will *last = atomic_exchange(&will, NULL);
  if (!last) return;
  const int file = open(last->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  size_t done = 0;
  while (done < last->count) {
    const ssize_t written = write(file, last->bytes + done, last->count - done);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) done += (size_t)written;
  }
  close(file);
  if (done < last->count || rename(last->temporary, last->path) < 0) unlink(last->temporary);
}
