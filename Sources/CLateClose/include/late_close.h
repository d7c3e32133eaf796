#ifndef TOTEBOARD_LATE_CLOSE_H
#define TOTEBOARD_LATE_CLOSE_H

// Keeps a descriptor open until this process has ended: a child process keeps a copy of it until then. Call it shortly
// before the process ends, and then close the descriptor.
//
// For descriptors whose last close takes long. For inotify(7) the kernel waits then for all processors, for 4 to 16 ms,
// and a process that ends would wait for that. Without effect if no process can be started, and on other systems than
// Linux.
void close_after_exit(int descriptor);

#endif
