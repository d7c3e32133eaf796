#define _GNU_SOURCE
#include "terminal_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "standard_error.h"
#include "terminal_system.h"
#include "terminal_will.h"

// All functions except terminal_guard_begin and its helpers may run in signal handlers: no allocation, locks or stdio.

enum phase { AWAY, BUSY, UP, SUSPENDED };

struct sequence {
  uint8_t bytes[512];
  size_t count;
};

static struct {
  int tty, wake, nowhere;
  struct termios before, board;
  struct sequence enter, leave;
  bool chains_crashes;
  struct sigaction previous[NSIG];
} guard;

static _Atomic enum phase phase = AWAY;
static atomic_uint events;

// True after a stop was requested, until the program calls terminal_guard_stop.
static atomic_bool stop_is_due;

// The time of the last query with answers missing, in milliseconds of CLOCK_MONOTONIC; 0 if no answer is missing.
static _Atomic int64_t asked_at;

// The stack for handlers after an overflow of the main thread's stack. Swift's crash handler may run there too.
static uint8_t handler_stack[64 * 1024];

static const int crashes[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static void note(unsigned event) {
  const uint64_t one = 1;
  const int kept = errno;
  atomic_fetch_or(&events, event);
  // If the write fails, the pipe is full of earlier wakes, which suffice.
  if (write(guard.wake, &one, sizeof one) < 0) errno = kept;
}

static void emit(const struct sequence *sequence) {
  // Waits with a limit, because a terminal that no longer reads must not block the end of the program.
  struct pollfd tty = {.fd = guard.tty, .events = POLLOUT};
  size_t done = 0;
  for (int tries = 0; done < sequence->count && tries < 100 && poll(&tty, 1, 200) == 1; tries++) {
    const ssize_t count = write(guard.tty, sequence->bytes + done, sequence->count - done);
    if (count > 0) done += (size_t)count;
  }
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Reads and discards pending answers up to the end of CSI ? … c, including keys that are typed meanwhile.
static void take_answers(void) {
  enum { PATIENCE = 300 };
  if (!terminal_guard_is_asking()) return;
  atomic_store(&asked_at, 0);
  const int64_t begin = milliseconds();
  enum { TEXT, ESCAPE, OPEN, ATTRIBUTES } place = TEXT;
  for (int64_t left = PATIENCE; left > 0; left = begin + PATIENCE - milliseconds()) {
    struct pollfd tty = {.fd = guard.tty, .events = POLLIN};
    uint8_t byte;
    if (poll(&tty, 1, (int)left) != 1 || read(guard.tty, &byte, 1) != 1) return;
    if (place == ATTRIBUTES && byte == 'c') return;
    const bool goes_on = place == ATTRIBUTES && ((byte >= '0' && byte <= '9') || byte == ';');
    place = byte == 0x1B                     ? ESCAPE
            : place == ESCAPE && byte == '[' ? OPEN
            : place == OPEN && byte == '?'   ? ATTRIBUTES
            : goes_on                        ? ATTRIBUTES
                                             : TEXT;
  }
}

static void set_modes(const struct termios *modes) {
  while (tcsetattr(guard.tty, TCSANOW, modes) < 0 && errno == EINTR) {}
}

// Starts a transition from the given phase, with all signals blocked until `changed`. One thread at a time changes the
// terminal; another waits up to 500 ms, so that it does not end the process during a transition. Returns false, with
// the signal mask restored, if the phase is another.
static bool change(enum phase from, sigset_t *kept) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, kept);
  for (int patience = 500; patience > 0; patience--) {
    enum phase expected = from;
    if (atomic_compare_exchange_strong(&phase, &expected, BUSY)) return true;
    if (expected != BUSY) break;
    poll(NULL, 0, 1);
  }
  pthread_sigmask(SIG_SETMASK, kept, NULL);
  return false;
}

static void changed(enum phase to, const sigset_t *kept) {
  atomic_store(&phase, to);
  pthread_sigmask(SIG_SETMASK, kept, NULL);
}

static void give_back(enum phase to) {
  sigset_t kept;
  if (!change(UP, &kept)) return;
  emit(&guard.leave);
  // NB: terminal_guard_stop has taken the answers before it stops. A handler that stops the program leaves them,
  // because another thread may be reading them.
  if (to == AWAY) take_answers();
  set_modes(&guard.before);
  standard_error_release();
  // Another thread may still paint until the end of the process; its output goes to /dev/null.
  if (to == AWAY) dup2(guard.nowhere, guard.tty);
  changed(to, &kept);
}

static void take(enum phase from) {
  sigset_t kept;
  if (!change(from, &kept)) return;
  standard_error_collect();
  set_modes(&guard.board);
  emit(&guard.enter);
  changed(UP, &kept);
}

static void act_by_default(int signal_number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigset_t only;
  sigaction(signal_number, &action, NULL);
  sigemptyset(&only);
  sigaddset(&only, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(signal_number);
}

static void on_ending(int signal_number) {
  give_back(AWAY);
  terminal_will_execute();
  // Ends with the signal itself, so that the shell sees the exit status 128 + its number.
  act_by_default(signal_number);
}

// By default Swift's handler, which prints a backtrace, asks questions on the terminal and keeps it raw for half a
// minute. It is called only if SWIFT_BACKTRACE is set, with the registers of the crash, not those of a second raise().
static void chain(const struct sigaction *previous, int signal_number, siginfo_t *info, void *context) {
  const bool takes_information = previous->sa_flags & SA_SIGINFO;
  if (!takes_information && (previous->sa_handler == SIG_DFL || previous->sa_handler == SIG_IGN)) return;
  // NB: Swift's handler makes another thread fault on purpose, which is fatal if that thread inherits our mask.
  pthread_sigmask(SIG_SETMASK, &previous->sa_mask, NULL);
  if (takes_information)
    previous->sa_sigaction(signal_number, info, context);
  else
    previous->sa_handler(signal_number);
}

static void on_crash(int signal_number, siginfo_t *info, void *context) {
  give_back(AWAY);
  terminal_will_kill_groups();
  if (guard.chains_crashes) chain(&guard.previous[signal_number], signal_number, info, context);
  act_by_default(signal_number);
}

static void resume(enum phase from) {
  terminal_stay_in_front(guard.tty);
  take(from);
  note(TERMINAL_GUARD_RESUMED);
}

static void stop(int signal_number) {
  struct sigaction ours;
  give_back(SUSPENDED);
  sigaction(signal_number, NULL, &ours);
  act_by_default(signal_number);
  sigaction(signal_number, &ours, NULL);
  // NB: in an orphaned process group the stop has no effect, and no SIGCONT follows.
  if (atomic_load(&phase) == SUSPENDED) resume(SUSPENDED);
}

static void on_stop(int signal_number) {
  const int kept = errno;
  // The first request gives the program time to prepare. A second request stops it immediately.
  if (atomic_load(&phase) == UP && !atomic_exchange(&stop_is_due, true)) {
    note(TERMINAL_GUARD_STOPPING);
  } else {
    atomic_store(&stop_is_due, false);
    stop(signal_number);
  }
  errno = kept;
}

void terminal_guard_stop(void) {
  if (!atomic_exchange(&stop_is_due, false)) return;
  take_answers();
  stop(SIGTSTP);
}

static void on_continue(int signal_number) {
  (void)signal_number;
  const int kept = errno;
  const enum phase now = atomic_load(&phase);
  // UP means that SIGSTOP, which cannot be caught, stopped the program. Another program may have changed the terminal
  // since.
  if (now == SUSPENDED || now == UP) resume(now);
  errno = kept;
}

static void on_resize(int signal_number) {
  (void)signal_number;
  note(TERMINAL_GUARD_RESIZED);
}

static void install(int signal_number, struct sigaction action) {
  action.sa_flags |= SA_ONSTACK | SA_RESTART;
  sigaction(signal_number, &action, &guard.previous[signal_number]);
}

// Signals that the parent ignores (nohup, a shell without job control) stay ignored.
static void install_unless_ignored(int signal_number, struct sigaction action) {
  struct sigaction previous;
  sigaction(signal_number, NULL, &previous);
  if (previous.sa_flags & SA_SIGINFO || previous.sa_handler != SIG_IGN) install(signal_number, action);
}

static void install_handlers(void) {
  struct sigaction ending = {.sa_handler = on_ending};
  struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO};
  struct sigaction stop = {.sa_handler = on_stop}, go = {.sa_handler = on_continue}, resize = {.sa_handler = on_resize};
  const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  sigaltstack(&stack, NULL);
  sigfillset(&ending.sa_mask);
  sigfillset(&crash.sa_mask);
  // Empty masks: signals that end the program must be delivered while a handler is stopped again in the background.
  sigemptyset(&stop.sa_mask);
  sigemptyset(&go.sa_mask);
  sigaddset(&go.sa_mask, SIGTSTP);
  sigemptyset(&resize.sa_mask);
  int endings[NSIG];
  const size_t count = terminal_ending_signals(endings);
  for (size_t i = 0; i < count; i++) install_unless_ignored(endings[i], ending);
  for (int i = 0; i < CRASHES; i++) install(crashes[i], crash);
  install_unless_ignored(SIGTSTP, stop);
  install(SIGCONT, go);
  install(SIGWINCH, resize);
}

static bool copy(struct sequence *sequence, const uint8_t *bytes, size_t count) {
  if (count > sizeof sequence->bytes) return false;
  memcpy(sequence->bytes, bytes, count);
  sequence->count = count;
  return true;
}

bool terminal_guard_begin(const struct terminal_guard_options *options) {
  if (tcgetattr(options->tty, &guard.before) < 0) return false;
  if (!copy(&guard.enter, options->enter, options->enter_count) ||
      !copy(&guard.leave, options->leave, options->leave_count)) {
    errno = EMSGSIZE;
    return false;
  }
  guard.nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (guard.nowhere < 0) return false;
  guard.tty = options->tty;
  guard.wake = options->wake;
  guard.chains_crashes = options->chains_crashes;

  guard.board = guard.before;
  // IXON off: Ctrl-S and Ctrl-Q are keys. OPOST off: ncurses moves down with a line feed and expects no carriage
  // return.
  guard.board.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
  guard.board.c_oflag &= ~(tcflag_t)OPOST;
  guard.board.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
  guard.board.c_lflag |= ISIG;
  guard.board.c_cc[VMIN] = 1;
  guard.board.c_cc[VTIME] = 0;

  static bool ends_at_exit;
  if (!ends_at_exit) ends_at_exit = atexit(terminal_guard_end) == 0;
  standard_error_prepare();
  install_handlers();
  take(AWAY);
  return true;
}

void terminal_guard_end(void) { give_back(AWAY); }

void terminal_guard_asked(void) { atomic_store(&asked_at, milliseconds()); }

void terminal_guard_answered(void) { atomic_store(&asked_at, 0); }

bool terminal_guard_is_asking(void) {
  enum { ANSWERED_WITHIN = 2000 };
  const int64_t asked = atomic_load(&asked_at);
  return asked != 0 && milliseconds() - asked <= ANSWERED_WITHIN;
}

unsigned terminal_guard_take_events(void) { return atomic_exchange(&events, 0); }
