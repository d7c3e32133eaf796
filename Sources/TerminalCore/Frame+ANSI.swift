extension Frame {
  /// The frame as text with SGR colour sequences of the dark theme, which every terminal understands. Every row ends
  /// with a newline; trailing blanks without a visible background are removed.
  package var ansi: String { rows.map { $0.ansi + "\n" }.joined() }
}

extension Row {
  fileprivate var ansi: String {
    let end = (cells.lastIndex { $0.scalar != 0x20 || $0.style.isSeenOnBlank } ?? -1) + 1
    var text = String.UnicodeScalarView()
    var style = Style.plain
    for cell in cells[..<end] where cell.width > 0 {
      if cell.style != style {
        text.append(contentsOf: "\u{1B}[\(cell.style.sgr)m".unicodeScalars)
        style = cell.style
      }
      text.append(Unicode.Scalar(cell.scalar) ?? "\u{FFFD}")
      if cell.mark != 0, let mark = Unicode.Scalar(cell.mark) { text.append(mark) }
    }
    if style != .plain { text.append(contentsOf: "\u{1B}[0m".unicodeScalars) }
    return String(text)
  }
}

extension Style {
  fileprivate var isSeenOnBlank: Bool { ground != .normal || role == .bar }

  /// The SGR parameters that set the style of the dark theme, independent of the style before.
  fileprivate var sgr: String {
    let look = Theme.dark[self]
    let attributes: [(Theme.Attributes, String)] = [
      (.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.underline, ";4"), (.reverse, ";7"),
    ]
    return "0" + look.foreground.sgr(from: 30) + look.background.sgr(from: 40)
      + attributes.filter { look.attributes.contains($0.0) }.map(\.1).joined()
  }
}

extension Color {
  /// Returns the parameter of the nearest of 8 colours, numbered from `first`; empty for `standard`.
  fileprivate func sgr(from first: Int) -> String {
    if case .palette(let place) = in8 { ";\(first + Int(place))" } else { "" }
  }
}
