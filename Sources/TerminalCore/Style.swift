/// How a cell looks, by what it means; the screen decides on colours and attributes.
package struct Style: Hashable, Sendable {
  /// What a cell's text stands for.
  package enum Role: UInt8, Sendable, CaseIterable {
    /// Ordinary text, in the terminal's own colours.
    case plain
    /// Text of less weight: closed prices, units, hints.
    case muted
    /// Text of more weight: keys, the chosen row's name.
    case strong
    /// A bar across the screen: header, column titles.
    case bar
    /// The chosen tab in the header bar.
    case tab
    /// A price that has just gone up.
    case rising
    /// A price that has just gone down.
    case falling
    /// Something to look at: suspended, disconnected, frozen.
    case warning
    /// What a search has found.
    case found
    /// The line of a chart.
    case chart
  }

  /// What lies behind a cell.
  package enum Background: UInt8, Sendable, CaseIterable {
    /// The terminal's own background.
    case normal
    /// The row under the cursor.
    case selected
    /// The row was painted in this very frame (the damage view).
    case damaged
  }

  /// What the text stands for.
  package var role: Role
  /// What lies behind it.
  package var ground: Background

  /// A style of a role on a ground.
  package init(_ role: Role = .plain, on ground: Background = .normal) {
    self.role = role
    self.ground = ground
  }

  /// Ordinary text on the terminal's own background.
  package static let plain = Style()
}
