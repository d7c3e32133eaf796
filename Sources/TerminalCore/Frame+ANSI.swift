extension Frame {
  /// The frame as text with its colours, as SGR sequences that every terminal knows: a line each, without the trailing
  /// blanks that nothing lies behind, the last with its end too.
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

  /// The parameters of the sequence that sets the style, whatever was set before; as the dark theme has it.
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
  /// One of the first eight, which are numbered from there.
  fileprivate func sgr(from first: Int) -> String {
    if case .palette(let place) = in8 { ";\(first + Int(place))" } else { "" }
  }
}
