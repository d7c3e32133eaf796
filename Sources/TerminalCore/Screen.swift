/// Where frames are shown.
package protocol Screen: AnyObject {
  /// The extent in cells, as of the last resize that was taken.
  var size: Size { get }
  /// What the terminal's character set can show.
  var glyphs: GlyphSet { get }
  /// Shows the damaged cells of a frame, in one write. `whole` repaints every cell, damaged or not.
  func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport
  /// Has the terminal tell that besides keys, and nothing else. It forgets so when it is given back, for good or while the
  /// program is stopped.
  func report(_ reports: InputModes)
  /// Asks the terminal for something besides frames.
  func ask(_ request: TerminalRequest)
  /// Draws in those colours from the next frame on, which is to be a whole one.
  func use(_ theme: Theme)
  /// Draws from now on as a terminal that answers so is best drawn on.
  func take(_ answer: TerminalAnswer)
}

extension Screen {
  package func take(_ answer: TerminalAnswer) {}
}

/// What painting one frame took.
package struct PaintReport: Hashable, Sendable {
  /// Bytes that went to the terminal.
  package var bytes: Int
  /// How long the terminal took to accept them.
  package var writing: Duration

  /// A report of one frame.
  package init(bytes: Int, writing: Duration = .zero) {
    self.bytes = bytes
    self.writing = writing
  }
}

/// Which characters a terminal can show.
package enum GlyphSet: Sendable {
  /// A UTF-8 locale.
  case unicode
  /// Any other locale.
  case ascii
}

/// What comes from the terminal to the program.
package enum TerminalEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// A button of the mouse was pressed; only where the screen was asked to report that.
  case mouse(MousePress)
  /// The terminal answers what it is like; only where the screen was asked for that.
  case answer(TerminalAnswer)
  /// The terminal has another size now; the screen has taken it.
  case resized(Size)
  /// The program is back in the foreground; what is on the screen is unknown.
  case resumed
  /// The program is about to be stopped: the input's `suspend()` does it, and is to be called soon.
  case suspending
  /// The terminal is gone.
  case hangUp
}

/// Keys and resizes, and a bell that others ring when they have something for the board.
package protocol TerminalInput: Sendable {
  /// Suspends until the terminal sends something, `wake()` was called since the last wait, or the deadline
  /// (uptime, `now()` of the same input) has passed. Returns what the terminal sent, possibly nothing.
  func wait(until deadline: Duration?) async -> [TerminalEvent]
  /// Ends the current wait, or the next one at once. Callable from anywhere.
  func wake()
  /// Monotonic time since the program began.
  func now() -> Duration
  /// Stops the program where the terminal has asked for that; returns when it goes on, which `resumed` tells.
  func suspend()
}
