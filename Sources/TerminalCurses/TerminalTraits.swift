import TerminalCore

/// What a terminal understands besides what its terminfo says, as far as its type and the environment tell.
struct TerminalTraits: Hashable, Sendable {
  /// How a terminal is told to notify its user.
  enum Notification: Hashable, Sendable {
    /// A text: iTerm2's.
    case osc9
    /// A title and a body: kitty's.
    case osc99
    /// A title and a body: urxvt's.
    case osc777
  }

  /// Titles, the clipboard and questions, as xterm has them.
  let isXtermLike: Bool
  /// Colours by red, green and blue.
  let hasTrueColor: Bool
  /// Nil where it is not known to have any. The bell is a request of its own, and stands in for none.
  let notification: Notification?

  /// `isXtermLike` is what terminfo says (`XT`); many an entry does not.
  init(type: String, environment: [String: String], isXtermLike: Bool = false) {
    func begins(with names: [String]) -> Bool { names.contains(where: type.hasPrefix) }
    // Both pass on what they know themselves, and keep the rest from the terminal around them.
    let isMultiplexed = begins(with: ["tmux", "screen"]) || environment["TMUX", default: ""] != ""
    self.isXtermLike =
      isXtermLike || isMultiplexed
      || begins(with: [
        "xterm", "rxvt", "foot", "alacritty", "kitty", "wezterm", "vte", "gnome", "konsole", "iterm", "mintty", "st-",
        "contour", "ghostty", "putty", "mlterm",
      ])
    hasTrueColor = ["truecolor", "24bit"].contains(environment["COLORTERM", default: ""])
    notification = isMultiplexed ? nil : Self.notification(type: type, environment: environment)
  }

  private static func notification(type: String, environment: [String: String]) -> Notification? {
    if type.contains("kitty") || environment["KITTY_WINDOW_ID"] != nil { return .osc99 }
    if type.hasPrefix("foot") || type.contains("ghostty") || type.hasPrefix("rxvt") { return .osc777 }
    if environment["LC_TERMINAL"] == "iTerm2" { return .osc9 }
    switch environment["TERM_PROGRAM"] {
    case "iTerm.app": return .osc9
    case "WezTerm", "ghostty": return .osc777
    default: return nil
    }
  }

  /// Keeps the title that stands there, and the one that gives it back.
  static let keepTitle = "\u{1B}[22;2t", giveTitleBack = "\u{1B}[23;2t"

  /// What lies behind the text, whether frames can be bracketed, and last what every terminal answers.
  static let questions = "\u{1B}]11;?\u{7}\u{1B}[?\(synchronizedMode)$p\u{1B}[c"

  /// Between these a terminal shows nothing of what it is sent, and then all of it.
  static let beginFrame = Array("\u{1B}[?\(synchronizedMode)h".utf8),
    endFrame = Array("\u{1B}[?\(synchronizedMode)l".utf8)
  static let synchronizedMode = 2026

  /// How the terminal is asked for that; nothing where it would not know.
  func bytes(for request: TerminalRequest, glyphs: GlyphSet = .unicode) -> [UInt8] {
    func clean(_ text: String, _ most: Int) -> String {
      let text = String(text.cleaned.prefix(most))
      return glyphs == .unicode ? text : String(text.map { $0.isASCII ? $0 : "?" })
    }
    guard isXtermLike || request == .bell else { return [] }
    switch request {
    case .title(""): return Array((Self.giveTitleBack + Self.keepTitle).utf8)
    case .title(let text): return Array("\u{1B}]2;\(clean(text, Self.longestTitle))\u{7}".utf8)
    case .copy(let text): return Array("\u{1B}]52;c;".utf8) + Base64.encoded(Self.fit(text).utf8) + [0x07]
    case .notify(let title, let body): return notify(clean(title, Self.longestTitle), clean(body, Self.longestBody))
    case .bell: return [0x07]
    case .answers: return Array(Self.questions.utf8)
    }
  }

  private func notify(_ title: String, _ body: String) -> [UInt8] {
    // What divides the parts is no part of them.
    let title = String(title.map { $0 == ";" ? "," : $0 })
    let text =
      switch notification {
      // NB: a text that begins with a number is ConEmu's for something else.
      case .osc9: "\u{1B}]9;\(title): \(body)\u{1B}\\"
      case .osc99: "\u{1B}]99;i=toteboard:d=0;\(title)\u{1B}\\\u{1B}]99;i=toteboard:d=1:p=body;\(body)\u{1B}\\"
      case .osc777: "\u{1B}]777;notify;\(title);\(body)\u{1B}\\"
      case nil: ""
      }
    return Array(text.utf8)
  }

  private static let longestTitle = 120
  private static let longestBody = 1000
  /// In bytes. Becomes just under 100,000 characters, which is what most terminals take at most.
  private static let longestCopy = 74_994

  /// A text as far as the clipboard takes it: of all that can do something, only lines' ends are left in it.
  private static func fit(_ text: String) -> Substring {
    let text = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).cleaned }
      .joined(separator: "\n")
    guard text.utf8.count > longestCopy else { return text[...] }
    var bytes = 0
    let end = text.unicodeScalars.indices.first { place in
      bytes += UTF8.width(text.unicodeScalars[place])
      return bytes > longestCopy
    }
    return text[..<(end ?? text.endIndex)]
  }
}
