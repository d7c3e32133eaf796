import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

extension Board {
  /// Compares the screen's text with `Golden/NAME.txt`, and expects whole characters and rows as wide as the screen.
  func expectGolden(_ name: String, _ location: SourceLocation = #_sourceLocation) {
    let frame = view(state, now: now, glyphs: screen.glyphs)
    let columns = state.size.columns
    #expect(frame.text == Golden.text(name, recording: frame.text), sourceLocation: location)
    #expect(frame.rows.allSatisfy { $0.width == columns && $0.isWhole }, sourceLocation: location)
  }
}
