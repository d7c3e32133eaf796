// Wrappers of the parts of <vterm.h> that Swift cannot import: bit fields, unions, and callbacks that must outlive
// their call.
#ifndef TOTEBOARD_CVTERM_SHIM_H
#define TOTEBOARD_CVTERM_SHIM_H

#include <string.h>
#include <vterm.h>

struct vterm_cell {
  // The base character and what combines with it, ended by 0; all 0 where nothing was written.
  uint32_t scalars[VTERM_MAX_CHARS_PER_CELL + 1];
  // True for the right half of a wide character.
  bool is_right_half;
  bool is_bold, is_underlined, is_reversed, is_italic;
  // The alternative font, 0 for the usual one.
  int font;
  // The index in the palette, -1 for the terminal's default and for true colours.
  int foreground, background;
  // A true colour as 0xRRGGBB, -1 for any other.
  int true_foreground, true_background;
};

struct vterm_modes {
  bool has_cursor, is_alternate;
};

static inline int vterm_color_index(const VTermColor *color) {
  const bool is_default = VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color);
  return is_default || !VTERM_COLOR_IS_INDEXED(color) ? -1 : color->indexed.idx;
}

static inline int vterm_true_color(const VTermColor *color) {
  const bool is_default = VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color);
  if (is_default || VTERM_COLOR_IS_INDEXED(color)) return -1;
  return color->rgb.red << 16 | color->rgb.green << 8 | color->rgb.blue;
}

static inline struct vterm_cell vterm_cell_at(const VTermScreen *screen, int row, int column) {
  VTermScreenCell cell;
  struct vterm_cell result = {{0}};
  if (!vterm_screen_get_cell(screen, (VTermPos){row, column}, &cell)) return result;
  result.is_right_half = cell.chars[0] == (uint32_t)-1;
  if (!result.is_right_half) memcpy(result.scalars, cell.chars, sizeof cell.chars);
  result.is_bold = cell.attrs.bold;
  result.is_underlined = cell.attrs.underline != 0;
  result.is_reversed = cell.attrs.reverse;
  result.is_italic = cell.attrs.italic;
  result.font = cell.attrs.font;
  result.foreground = vterm_color_index(&cell.fg);
  result.background = vterm_color_index(&cell.bg);
  result.true_foreground = vterm_true_color(&cell.fg);
  result.true_background = vterm_true_color(&cell.bg);
  return result;
}

static inline int vterm_note_property(VTermProp property, VTermValue *value, void *user) {
  struct vterm_modes *modes = (struct vterm_modes *)user;
  if (property == VTERM_PROP_CURSORVISIBLE) modes->has_cursor = value->boolean;
  if (property == VTERM_PROP_ALTSCREEN) modes->is_alternate = value->boolean;
  return 1;
}

// Returns the screen of a terminal. `modes` receives its modes and must outlive it.
static inline VTermScreen *vterm_prepare_screen(VTerm *terminal, struct vterm_modes *modes) {
  static const VTermScreenCallbacks callbacks = {.settermprop = vterm_note_property};
  VTermScreen *screen = vterm_obtain_screen(terminal);
  vterm_set_utf8(terminal, 1);
  vterm_screen_enable_altscreen(screen, 1);
  vterm_screen_set_callbacks(screen, &callbacks, modes);
  vterm_screen_reset(screen, 1);
  return screen;
}

#endif
