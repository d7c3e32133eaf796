/// A button of the mouse that was pressed over a cell.
package struct MousePress: Hashable, Sendable {
  package enum Button: Hashable, Sendable {
    case left, middle, right, wheelUp, wheelDown
  }

  package var button: Button
  /// Lines from the top, from 0.
  package var row: Int
  /// Cells from the left, from 0.
  package var column: Int

  package init(_ button: Button = .left, row: Int, column: Int) {
    (self.button, self.row, self.column) = (button, row, column)
  }
}

/// What a terminal tells besides keys, while it is asked to.
package struct InputModes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Presses of the mouse, which then selects no text any more.
  package static let mouse = InputModes(rawValue: 1)
  /// Where what is pasted begins and ends: of that, only characters are keys, no line's end and no command.
  package static let paste = InputModes(rawValue: 2)
}
