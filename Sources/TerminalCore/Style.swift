/// The semantic style of a cell. The theme of the screen maps it to colours and attributes.
package struct Style: Hashable, Sendable {
  /// The meaning of a cell's text.
  package enum Role: UInt8, Sendable, CaseIterable {
    /// Ordinary text, in the terminal's own colours.
    case plain
    /// Less important text: closed prices, units, hints.
    case muted
    /// More important text: keys, the name in the selected row.
    case strong
    /// A bar across the screen: the header, column titles.
    case bar
    /// The selected tab in the header bar.
    case tab
    /// A price that has just risen.
    case rising
    /// A price that has just fallen.
    case falling
    /// A state that needs attention: suspended, disconnected, frozen.
    case warning
    /// A match of a search.
    case found
    /// The line of a chart.
    case chart
  }

  /// The background of a cell.
  package enum Background: UInt8, Sendable, CaseIterable {
    /// The terminal's own background.
    case normal
    /// The row under the cursor.
    case selected
    /// A row that was painted in this frame, in the damage view.
    case damaged
  }

  package var role: Role
  package var ground: Background

  package init(_ role: Role = .plain, on ground: Background = .normal) {
    self.role = role
    self.ground = ground
  }

  /// Ordinary text on the terminal's own background.
  package static let plain = Style()
}
