// The memory that malloc has allocated. Swift's Glibc module does not include <malloc.h>.
#pragma once
#include <stddef.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

/// Bytes in use, in all arenas and mapped blocks.
static inline size_t malloc_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
/// Not known without glibc.
static inline size_t malloc_bytes_in_use(void) { return 0; }
#endif
