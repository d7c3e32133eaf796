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

  /// The parameters of the sequence that sets the style, whatever was set before; of 16 colours.
  fileprivate var sgr: String {
    let ground: String =
      switch ground {
      case .normal: ""
      case .selected: ";7"
      case .damaged: ";37;44"
      }
    return "0\(role.sgr)\(ground)"
  }
}

extension Style.Role {
  fileprivate var sgr: String {
    switch self {
    case .plain, .chart: ""
    case .muted: ";2"
    case .strong, .tab: ";1"
    case .bar: ";7"
    case .rising: ";32"
    case .falling: ";31"
    case .warning: ";33"
    case .found: ";1;4"
    }
  }
}
