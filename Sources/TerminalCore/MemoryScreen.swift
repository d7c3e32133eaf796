/// A screen in memory, for tests and headless use: it knows only what it was told is damaged.
package final class MemoryScreen: Screen {
  /// What is shown.
  package private(set) var shown: Frame
  /// How many frames were painted, and how many rows in each.
  package private(set) var paints: [Int] = []
  /// What was asked to be reported, each time.
  package private(set) var reports: [InputModes] = []
  /// What the terminal was asked for.
  package private(set) var requests: [TerminalRequest] = []
  /// What it was last drawn in.
  package private(set) var theme: Theme?
  package let glyphs: GlyphSet

  /// A blank screen.
  package init(size: Size, glyphs: GlyphSet = .unicode) {
    shown = Frame(size: size)
    self.glyphs = glyphs
  }

  package var size: Size { shown.size }

  /// Takes another size; the content is lost, as a terminal's is.
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
