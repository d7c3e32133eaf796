// The parts of <ncurses.h> that Swift cannot import: macros, and globals that Swift 6 treats as shared mutable state.
#ifndef TOTEBOARD_CNCURSES_SHIM_H
#define TOTEBOARD_CNCURSES_SHIM_H

// Both must precede every ncurses header; the first is what Apple's copy looks for.
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <string.h>
#include <wchar.h>

static inline WINDOW *curses_screen(void) { return stdscr; }
static inline WINDOW *curses_physical_screen(void) { return curscr; }
static inline int curses_colors(void) { return COLORS; }

static inline attr_t curses_dim(void) { return A_DIM; }
static inline attr_t curses_bold(void) { return A_BOLD; }
static inline attr_t curses_underline(void) { return A_UNDERLINE; }
static inline attr_t curses_reverse(void) { return A_REVERSE; }
static inline attr_t curses_italic(void) { return A_ITALIC; }

// Assigns a number to a pair of colours. Takes colour numbers that do not fit into a short, where the terminal has
// them.
static inline int curses_set_pair(int pair, int foreground, int background) {
#ifdef NCURSES_EXT_COLORS
  return init_extended_pair(pair, foreground, background);
#else
  return init_pair((short)pair, (short)foreground, (short)background);
#endif
}

// Sets the content of a cleared cell.
static inline void curses_set_background(attr_t attributes, short pair) {
  cchar_t blank;
  if (setcchar(&blank, L" ", attributes, pair, NULL) == OK) wbkgrndset(stdscr, &blank);
}

// True if the terminal has the boolean capability of that name.
static inline bool curses_has_flag(const char *name) { return tigetflag(name) == 1; }

// Fills a cell; `mark` is a combining character upon the first one, or 0.
static inline int curses_set_cell(cchar_t *cell, wchar_t scalar, wchar_t mark, attr_t attributes, short pair) {
  const wchar_t text[] = {scalar, mark, 0};
  return setcchar(cell, text, attributes, pair, NULL);
}

// The columns that ncurses will give the character; -1 for a control character.
static inline int curses_width(wchar_t scalar) { return wcwidth(scalar); }

// The terminal's string capability of that name, or NULL.
static inline const char *curses_capability(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 ? NULL : value;
}

// The bytes that a call of vid_puts() has sent; more than fit are only counted.
struct curses_bytes {
  char bytes[64];
  int count;
};

// A variable of the file would not be part of any Swift module.
static inline struct curses_bytes *curses_kept(void) {
  static struct curses_bytes kept;
  return &kept;
}

static inline int curses_keep(int byte) {
  struct curses_bytes *kept = curses_kept();
  if (kept->count < (int)sizeof kept->bytes) kept->bytes[kept->count] = (char)byte;
  kept->count++;
  return byte;
}

// Copies what ncurses sends to get from ordinary text to an appearance, or back; nothing reaches the terminal. Returns
// the count of bytes, or -1 if `bytes`, which holds 64, does not hold them.
static inline int curses_style_bytes(attr_t attributes, short pair, bool on, char *bytes) {
  vid_puts(on ? A_NORMAL : attributes, on ? 0 : pair, NULL, curses_keep);
  struct curses_bytes *kept = curses_kept();
  kept->count = 0;
  vid_puts(on ? attributes : A_NORMAL, on ? pair : 0, NULL, curses_keep);
  const int count = kept->count;
  if (count <= (int)sizeof kept->bytes) memcpy(bytes, kept->bytes, (size_t)count);
  vid_puts(A_NORMAL, 0, NULL, curses_keep);
  return count <= (int)sizeof kept->bytes ? count : -1;
}

// True if the locale set with setlocale() uses UTF-8.
static inline bool curses_speaks_utf8(void) {
  const char *codeset = nl_langinfo(CODESET);
  return codeset != NULL && (!strcmp(codeset, "UTF-8") || !strcmp(codeset, "utf8"));
}

#endif
