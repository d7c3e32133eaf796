import CNCurses
import TerminalCore

/// What is sent when the board takes the terminal's screen and when it gives it back: what ncurses sends for this type
/// of terminal, mended.
enum ScreenSequences {
  // A frame cut short by a crash may have left a scroll region and colours; some modes are not ours, but their damage
  // would be blamed on us: synchronized output, bracketed paste, mouse reports. ncurses' part sets the cursor anew.
  private static let cleaning =
    [TerminalTraits.synchronizedMode, 2004, 1006, 1003, 1002, 1000].map { "\u{1B}[?\($0)l" }.joined()
    + "\u{1B}[r\u{1B}[m"

  /// Has the terminal report that, and no more: presses of the mouse by cell, however wide the screen, and pastes.
  static func asking(for reports: InputModes) -> [UInt8] {
    func mode(_ number: Int, _ report: InputModes) -> String {
      "\u{1B}[?\(number)\(reports.contains(report) ? "h" : "l")"
    }
    return Array("\(mode(1000, .mouse))\(mode(1006, .mouse))\(mode(2004, .paste))".utf8)
  }

  static func enter(_ bytes: [UInt8], _ traits: TerminalTraits) -> [UInt8] {
    Array((traits.isXtermLike ? TerminalTraits.keepTitle : "").utf8) + withoutPaletteReset(bytes)
  }

  static func leave(_ bytes: [UInt8], _ traits: TerminalTraits) -> [UInt8] {
    Array((cleaning + (traits.isXtermLike ? TerminalTraits.giveTitleBack : "")).utf8) + withoutPaletteReset(bytes)
  }

  /// ncurses resets the palette, which the board never changes but the user may have.
  private static func withoutPaletteReset(_ bytes: [UInt8]) -> [UInt8] {
    guard let reset = curses_capability("oc").map({ Array(String(cString: $0).utf8) }), !reset.isEmpty else {
      return bytes
    }
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: reset) }) else { return bytes }
    return Array(bytes[..<start] + bytes[(start + reset.count)...])
  }
}
