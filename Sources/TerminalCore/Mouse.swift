/// A press of a mouse button on a cell.
package struct MousePress: Hashable, Sendable {
  package enum Button: Hashable, Sendable {
    case left, middle, right, wheelUp, wheelDown
  }

  package var button: Button
  /// The row and the column, from 0.
  package var row: Int
  package var column: Int

  package init(_ button: Button = .left, row: Int, column: Int) {
    self.button = button
    self.row = row
    self.column = column
  }
}

/// The kinds of input that a terminal reports in addition to keys, while enabled.
package struct InputModes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Mouse presses. While enabled, the mouse does not select text in the terminal.
  package static let mouse = InputModes(rawValue: 1)
  /// The start and end of a paste. Inside a paste only characters are keys, not line ends or commands.
  package static let paste = InputModes(rawValue: 2)
}
