/// A screen that shows frames.
package protocol Screen: AnyObject {
  /// The extent in cells, as of the last resize that was applied.
  var size: Size { get }
  var glyphs: GlyphSet { get }
  /// Shows the damaged cells of a frame, in one write. `whole` repaints every cell, damaged or not.
  func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport
  /// Makes the terminal report exactly these kinds of input in addition to keys. The setting is lost when the terminal
  /// is restored, at the end or while the program is stopped.
  func report(_ reports: InputModes)
  /// Sends a request to the terminal. Does nothing if the terminal does not support it.
  func ask(_ request: TerminalRequest)
  /// Draws in the colours of the theme from the next frame on, which must be painted whole.
  func use(_ theme: Theme)
  /// Adapts the drawing to an answer of the terminal.
  func apply(_ answer: TerminalAnswer)
}

extension Screen {
  package func apply(_ answer: TerminalAnswer) {}
}

package struct PaintReport: Hashable, Sendable {
  /// The number of bytes sent to the terminal.
  package var bytes: Int
  /// The time until the terminal accepted the bytes.
  package var writing: Duration

  package init(bytes: Int, writing: Duration = .zero) {
    self.bytes = bytes
    self.writing = writing
  }
}

/// The set of characters that a terminal can show.
package enum GlyphSet: Sendable {
  /// The characters of a UTF-8 locale.
  case unicode
  /// ASCII, for any other locale.
  case ascii
}

package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  /// A mouse button was pressed. Only while the screen reports `InputModes.mouse`.
  case mouse(MousePress)
  /// The terminal answered `TerminalRequest.answers`.
  case answer(TerminalAnswer)
  /// The terminal has a new size, which the screen applies.
  case resized(Size)
  /// The program is in the foreground again; the content of the screen is unknown.
  case resumed
  /// The program is about to stop. The receiver must soon call `suspend()` of the input.
  case suspending
  /// The terminal is gone. No further input follows.
  case hangUp
}

/// The input of a terminal: keys and resizes, with a way to end a wait from other threads.
package protocol TerminalInput: Sendable {
  /// Suspends until the terminal sends something, `wake()` was called since the last wait, or the deadline passes.
  ///
  /// - Parameter deadline: The time on the clock of `now()`; nil for no deadline.
  /// - Returns: The events from the terminal, possibly none.
  func wait(until deadline: Duration?) async -> [TerminalEvent]
  /// Ends the current wait, or the next one immediately. Callable from any thread.
  func wake()
  /// Returns the monotonic time since the input was created.
  func now() -> Duration
  /// Stops the program if the terminal asked for that, and returns when it continues. A `resumed` event follows.
  func suspend()
}
