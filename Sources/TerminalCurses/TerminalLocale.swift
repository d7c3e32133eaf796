import CLibrary
import CNCurses
package import TerminalCore

/// The locale of the environment, which decides which characters are written to a terminal.
package enum TerminalLocale {
  /// Sets the locale and returns its characters. If the system lacks the locale, its name still determines whether to
  /// use UTF-8.
  package static func activate() -> GlyphSet {
    setLocale()
    return curses_speaks_utf8() ? .unicode : .ascii
  }

  private static func setLocale() {
    guard setlocale(LC_CTYPE, "") == nil else { return }
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let name = variables.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    guard let name = name?.lowercased(), name.contains("utf-8") || name.contains("utf8") else { return }
    for known: String in ["C.UTF-8", "en_US.UTF-8"] where setlocale(LC_CTYPE, known) != nil { return }
  }
}
