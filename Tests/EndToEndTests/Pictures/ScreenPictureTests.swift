import TerminalCore
import Testing

@Suite("A screen as a picture")
struct ScreenPictureTests {
  private func screen(_ output: String, columns: Int = 12) -> VTermScreen {
    let screen = VTermScreen(size: Size(rows: 2, columns: columns))
    screen.feed(Array(output.utf8)[...])
    return screen
  }

  private func svg(_ output: String, _ palette: PicturePalette = .dark, title: String = "T") -> String {
    ScreenPicture(title: title, rows: screen(output).pictureRows, palette: palette).svg
  }

  private func runs(_ output: String) -> [PictureRun] {
    PictureRun.runs(of: screen(output).pictureRows[0], .dark)
  }

  @Test("An empty screen is a frame with a title, in the colours of the palette")
  func empty() {
    #expect(
      svg("", .light, title: "A & B") == """
        <svg xmlns="http://www.w3.org/2000/svg" width="128.8" height="64" viewBox="0 0 128.8 64" role="img" \
        font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#1f2328">
        <title>A &amp; B</title>
        <rect x=".5" y=".5" width="127.8" height="63" rx="8" fill="#ffffff" stroke="#d1d9e0"/>
        <g transform="translate(14 14)">
        </g>
        </svg>

        """)
  }

  @Test("A text has its position and its width, and special characters of XML are escaped")
  func text() {
    #expect(
      svg(" a<b>&\"c\"").contains("\n<text x=\"8.4\" y=\"13.2\" textLength=\"67.2\">a&lt;b&gt;&amp;\"c\"</text>\n"))
    #expect(svg("\r\nx").contains("<text x=\"0\" y=\"31.2\" textLength=\"8.4\">x</text>"))
  }

  @Test("Two blanks, other colours, other attributes and symbols separate texts; a single blank does not")
  func separation() {
    #expect(runs("a b  c d").map(\.text) == ["a b", "c d"])
    #expect(runs("a b  c d").map(\.column) == [0, 5])
    #expect(runs("a b  c d").map(\.width) == [3, 3])
    #expect(runs("a\u{1B}[31mb\u{1B}[1mc\u{1B}[md").map(\.text) == ["a", "b", "c", "d"])
    #expect(runs("2.45▲ ░░").map(\.text) == ["2.45", "▲", "░░"])
    #expect(runs("2.45▲ ░░").map(\.kind) == [.letters, .symbols, .symbols])
    #expect(svg("░░").contains("textLength=\"16.8\" lengthAdjust=\"spacingAndGlyphs\">░░<"))
  }

  @Test("A wide character takes two cells, a combining mark none")
  func widths() {
    #expect(runs("a浦和b").map(\.text) == ["a", "浦和", "b"])
    #expect(runs("a浦和b").map(\.column) == [0, 1, 5])
    #expect(runs("a浦和b").map(\.width) == [1, 4, 1])
    #expect(runs("e\u{301}x").map(\.width) == [2])
    #expect(svg("\u{1B}[7m浦").contains("<rect x=\"0\" y=\"0\" width=\"16.8\" height=\"18\" fill=\"#e6edf3\"/>"))
  }

  @Test("Palette, cube and true colours are drawn, also reversed and faint")
  func colors() {
    #expect(svg("\u{1B}[32mx").contains("fill=\"#3fb950\">x<"))
    #expect(svg("\u{1B}[32mx", .light).contains("fill=\"#116329\">x<"))
    #expect(svg("\u{1B}[38;5;22mx").contains("fill=\"#005f00\">x<"))
    #expect(svg("\u{1B}[38;2;1;2;255mx").contains("fill=\"#0102ff\">x<"))
    #expect(svg("\u{1B}[48;5;22mx").contains("height=\"18\" fill=\"#005f00\"/>"))
    let reversed = svg("\u{1B}[32;7mx y")
    #expect(reversed.contains("<rect x=\"0\" y=\"0\" width=\"25.2\" height=\"18\" fill=\"#3fb950\"/>"))
    #expect(reversed.contains("fill=\"#0d1117\">x y<"))
    let faint = PicturePalette.dark.foreground.mixed(with: PicturePalette.dark.background, 40)
    #expect(svg("\u{1B}[2mx").contains("fill=\"\(faint.text)\">x<"))
    #expect(svg("\u{1B}[2;7mx").contains("height=\"18\" fill=\"\(faint.text)\"/>"))
  }

  @Test("Bold and italic change the font, and underlined cells have a line below them, also blank ones")
  func attributes() {
    #expect(svg("\u{1B}[1mx").contains("font-weight=\"bold\">x<"))
    #expect(svg("\u{1B}[3mx").contains("font-style=\"italic\">x<"))
    #expect(svg("\u{1B}[4mx  y").contains("<rect x=\"0\" y=\"15\" width=\"33.6\" height=\"1\" fill=\"#e6edf3\"/>"))
  }

  @Test("The dots of braille patterns are drawn, one path for each colour")
  func dots() {
    #expect(
      svg("⠁\u{1B}[36m⢀\u{1B}[m⡀").contains(
        """
        <path stroke="#e6edf3" stroke-width="2.4" stroke-linecap="round" d="M2.1 2.2h.1M18.9 15.7h.1"/>
        <path stroke="#39c5cf" stroke-width="2.4" stroke-linecap="round" d="M14.7 15.7h.1"/>
        """))
    #expect(!svg("⠁").contains("<text") && !svg("⠀").contains("<path"))
  }

  @Test("Thin lines are drawn as paths that are as long as possible and meet in the middle of a cell")
  func lines() {
    #expect(
      svg("┌──┐\r\n│x ┘").contains(
        "<path stroke=\"#e6edf3\" shape-rendering=\"crispEdges\" "
          + "d=\"M4.2 9V18M4.2 9H29.4M29.4 9V18M4.2 18V36M25.2 27H29.4M29.4 18V27\"/>"))
    #expect(!svg("┌──┐").contains("<text"))
  }

  @Test(
    "Faint becomes an alternative font wherever the input is split; other sequences do not change",
    arguments: [
      ("\u{1B}[2m", "\u{1B}[12m"), ("\u{1B}[0;2;4m", "\u{1B}[0;12;4m"), ("\u{1B}[22m", "\u{1B}[22;10m"),
      ("\u{1B}[38;5;2m", "\u{1B}[38;5;2m"), ("\u{1B}[48;2;2;2;2;2m", "\u{1B}[48;2;2;2;2;12m"),
      ("\u{1B}[m", "\u{1B}[m"), ("\u{1B}[2J", "\u{1B}[2J"), ("\u{1B}[?2m", "\u{1B}[?2m"), ("\u{1B}(B", "\u{1B}(B"),
      ("\u{1B}\u{1B}[2mx", "\u{1B}\u{1B}[12mx"), ("\u{1B}]2;mx\u{7}", "\u{1B}]2;mx\u{7}"),
    ])
  func faint(output: String, expected: String) {
    let bytes = Array("a\(output)b".utf8)
    for cut in 0...bytes.count {
      var filter = FaintAsFont()
      let result = filter.rewrite(bytes[..<cut]) + filter.rewrite(bytes[cut...])
      #expect(String(decoding: result, as: UTF8.self) == "a\(expected)b")
    }
  }
}
