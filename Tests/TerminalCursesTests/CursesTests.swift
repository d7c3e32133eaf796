import Testing

/// Tests that use ncurses. They run serially, because its state is global.
@Suite("The curses screen", .serialized)
enum CursesTests {}
