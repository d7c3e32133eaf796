import Locking
import TerminalCore
import TestSupport

/// A screen in memory that can be read while a board paints it.
final class SharedScreen: Screen, Sendable {
  private let frame: Locked<Frame>
  let glyphs = GlyphSet.unicode

  init(size: Size) { frame = Locked(Frame(size: size)) }

  var size: Size { frame.withLock { $0.size } }

  func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport {
    self.frame.withLock { $0.apply(damage, from: frame) }
    return PaintReport(bytes: 0)
  }

  /// What is on the screen, row by row.
  var lines: [String] {
    frame.withLock { $0.text }.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
