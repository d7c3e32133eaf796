package import TerminalCore

/// A screen in memory. Copies only the damaged cells.
package final class MemoryScreen: Screen {
  /// The current content.
  package private(set) var content: Frame
  /// The number of damaged rows of each paint, in order.
  package private(set) var paints: [Int] = []
  /// The input modes of each call of `report(_:)`, in order.
  package private(set) var reports: [InputModes] = []
  /// The requests so far, in order.
  package private(set) var requests: [TerminalRequest] = []
  /// The theme of the last call of `use(_:)`; nil before the first.
  package private(set) var theme: Theme?
  package let glyphs: GlyphSet

  /// Creates a blank screen.
  package init(size: Size, glyphs: GlyphSet = .unicode) {
    content = Frame(size: size)
    self.glyphs = glyphs
  }

  package var size: Size { content.size }

  /// Changes the size and clears the content, as a terminal does.
  package func resize(to size: Size) {
    content = Frame(size: size)
  }

  package func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport {
    content.apply(damage, from: frame)
    paints.append(damage.count)
    return PaintReport(bytes: damage.reduce(0) { $0 + $1.columns.count })
  }

  package func ask(_ request: TerminalRequest) { requests.append(request) }
  package func use(_ theme: Theme) { self.theme = theme }
  package func report(_ reports: InputModes) { self.reports.append(reports) }
}

extension Frame {
  /// Copies the damaged cells from a newer frame. Afterwards the two frames are equal.
  package mutating func apply(_ damage: [RowDamage], from new: Frame) {
    guard size == new.size else {
      self = new
      return
    }
    for part in damage { rows[part.row].replace(part.columns, with: new.rows[part.row].cells[part.columns]) }
  }
}
