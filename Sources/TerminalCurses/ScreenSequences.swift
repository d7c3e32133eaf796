import CNCurses
import TerminalCore

/// The bytes that take over and restore the screen: those of ncurses for the terminal type, with corrections.
enum ScreenSequences {
  // Resets what an interrupted frame may leave behind: synchronized output, bracketed paste, mouse reports, the scroll
  // region and colours. Includes mouse modes that this program never sets, to restore a usable terminal. The bytes of
  // ncurses that follow set the cursor.
  private static let cleaning =
    [TerminalTraits.synchronizedMode, 2004, 1006, 1003, 1002, 1000].map { "\u{1B}[?\($0)l" }.joined()
    + "\u{1B}[r\u{1B}[m"

  /// Returns the bytes that enable exactly these reports: mouse presses in SGR form, for any width, and pastes.
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

  /// Removes the reset of the palette that ncurses sends: the program never changes the palette, but the user may have.
  private static func withoutPaletteReset(_ bytes: [UInt8]) -> [UInt8] {
    guard let reset = curses_capability("oc").map({ Array(String(cString: $0).utf8) }), !reset.isEmpty else {
      return bytes
    }
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: reset) }) else { return bytes }
    return Array(bytes[..<start] + bytes[(start + reset.count)...])
  }
}
