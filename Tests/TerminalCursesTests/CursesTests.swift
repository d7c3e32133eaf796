import Testing

/// Tests that use ncurses, one after the other: its state is global.
@Suite("The curses screen", .serialized)
enum CursesTests {}
