import FoundationCore
import TerminalCore

/// The features of a terminal beyond its terminfo entry, derived from its type and the environment.
struct TerminalTraits: Hashable, Sendable {
  /// The protocol for desktop notifications.
  enum Notification: Hashable, Sendable {
    /// A text, as in iTerm2.
    case osc9
    /// A title and a body, as in kitty.
    case osc99
    /// A title and a body, as in urxvt.
    case osc777
  }

  /// True if the terminal supports titles, the clipboard and queries as in xterm.
  let isXtermLike: Bool
  let hasTrueColor: Bool
  /// The protocol for notifications; nil if none is known. The bell is a separate request and does not replace them.
  let notification: Notification?

  /// Derives the features. `isXtermLike` is the `XT` flag of terminfo, which many entries lack.
  init(type: String, environment: [String: String], isXtermLike: Bool = false) {
    func begins(with names: [String]) -> Bool { names.contains(where: type.hasPrefix) }
    // tmux and screen forward what they support themselves, and hide the features of the terminal around them.
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

  /// The sequences that save the current window title, and restore it.
  static let keepTitle = "\u{1B}[22;2t", giveTitleBack = "\u{1B}[23;2t"

  /// The queries for background colour, synchronized output, and last, as every terminal answers it, device attributes.
  static let questions = "\u{1B}]11;?\u{7}\u{1B}[?\(synchronizedMode)$p\u{1B}[c"

  /// The marks of synchronized output: the terminal shows the bytes between them all at once.
  static let beginFrame = Array("\u{1B}[?\(synchronizedMode)h".utf8),
    endFrame = Array("\u{1B}[?\(synchronizedMode)l".utf8)
  static let synchronizedMode = 2026

  /// Returns the bytes of a request; empty if the terminal does not support it.
  func bytes(for request: TerminalRequest, glyphs: GlyphSet = .unicode) -> [UInt8] {
    func clean(_ text: String, _ most: Int) -> String {
      let text = String(text.cleaned.prefix(most))
      return glyphs == .unicode ? text : String(text.map { $0.isASCII ? $0 : "?" })
    }
    guard isXtermLike || request == .bell else { return [] }
    switch request {
    case .title(""): return Array((Self.giveTitleBack + Self.keepTitle).utf8)
    case .title(let text): return Array("\u{1B}]2;\(clean(text, Self.longestTitle))\u{7}".utf8)
    case .copy(let text): return Array("\u{1B}]52;c;".utf8) + Data(Self.fit(text).utf8).base64EncodedData() + [0x07]
    case .notify(let title, let body): return notify(clean(title, Self.longestTitle), clean(body, Self.longestBody))
    case .bell: return [0x07]
    case .answers: return Array(Self.questions.utf8)
    }
  }

  private func notify(_ title: String, _ body: String) -> [UInt8] {
    // A semicolon separates the parts and must not occur in the title.
    let title = String(title.map { $0 == ";" ? "," : $0 })
    let text =
      switch notification {
      // NB: ConEmu gives a text that starts with a number another meaning.
      case .osc9: "\u{1B}]9;\(title): \(body)\u{1B}\\"
      case .osc99: "\u{1B}]99;i=toteboard:d=0;\(title)\u{1B}\\\u{1B}]99;i=toteboard:d=1:p=body;\(body)\u{1B}\\"
      case .osc777: "\u{1B}]777;notify;\(title);\(body)\u{1B}\\"
      case nil: ""
      }
    return Array(text.utf8)
  }

  private static let longestTitle = 120
  private static let longestBody = 1000
  /// The longest text for the clipboard, in bytes: in Base64 just under 100,000 characters, most terminals' limit.
  private static let longestCopy = 74_994

  /// Returns the cleaned text, cut to the clipboard's limit. Of all control characters, only line feeds stay.
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
