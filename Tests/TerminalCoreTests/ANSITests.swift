import TerminalCore
import Testing

@Suite("A frame as text with colours")
struct ANSITests {
  @Test("The text has a sequence at each change of style, none before plain text, and ends in the plain style")
  func sequences() {
    var frame = Frame(size: Size(rows: 3, columns: 12))
    frame.rows[0].write("a", at: 0)
    frame.rows[0].write("é北", at: 2, style: Style(.falling))
    frame.rows[0].write("c", at: 5, style: Style(.strong))
    frame.rows[2].write("d", at: 1, style: Style(.warning))
    frame.rows[2].lay(.selected, columns: 0..<4)
    #expect(
      frame.ansi
        == "a \u{1B}[0;31mé北\u{1B}[0;1mc\u{1B}[0m\n\n\u{1B}[0;7m \u{1B}[0;33;7md\u{1B}[0;7m  \u{1B}[0m\n")
  }

  @Test("Without its sequences, the text is that of the frame", arguments: Style.Role.allCases)
  func text(role: Style.Role) {
    var frame = Frame(size: Size(rows: 1, columns: 6))
    frame.rows[0].write("e\u{301}-\u{1B}x", at: 0, style: Style(role))
    let text = frame.ansi.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    #expect(text.hasPrefix(frame.text) && text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
  }
}
