import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

extension Board {
  /// Compares the screen's text and its monochrome attributes with `Golden/monochrome-NAME`.
  func expectMonochrome(_ name: String, _ location: SourceLocation = #_sourceLocation) {
    let frame = view(state, now: now, glyphs: screen.glyphs)
    let text = frame.text + "\n" + frame.attributes(in: .monochrome)
    #expect(text == Golden.text("monochrome-\(name)", recording: text), sourceLocation: location)
  }
}

extension Frame {
  /// Returns a letter for each cell: b bold, d dim, u underlined, r reverse, a capital for several, a dot for none.
  fileprivate func attributes(in theme: Theme) -> String {
    rows.map { row in
      let letters = row.cells.map { cell -> Character in
        let attributes = theme[cell.style].attributes
        let all: [(Theme.Attributes, Character)] = [(.reverse, "r"), (.bold, "b"), (.underline, "u"), (.dim, "d")]
        let here = all.filter { attributes.contains($0.0) }.map(\.1)
        guard let last = here.last else { return "." }
        return here.count > 1 ? Character(last.uppercased()) : last
      }
      return String(letters)
    }.joined(separator: "\n")
  }
}
