/// A screen in memory, for tests and headless use. Copies only the damaged cells.
package final class MemoryScreen: Screen {
  /// The current content.
  package private(set) var shown: Frame
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
    shown = Frame(size: size)
    self.glyphs = glyphs
  }

  package var size: Size { shown.size }

  /// Changes the size and clears the content, as a terminal does.
  package func resize(to size: Size) {
    shown = Frame(size: size)
  }

  package func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport {
    shown.apply(damage, from: frame)
    paints.append(damage.count)
    return PaintReport(bytes: damage.reduce(0) { $0 + $1.columns.count })
  }

  package func ask(_ request: TerminalRequest) { requests.append(request) }
  package func use(_ theme: Theme) { self.theme = theme }
  package func report(_ reports: InputModes) { self.reports.append(reports) }
}
