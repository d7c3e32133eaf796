import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("toteboard chart")
  struct ChartCommandTests {
    private let directory = TemporaryDirectory()
    private var environment: [String: String?] { ["XDG_DATA_HOME": directory.path] }

    private func run(_ arguments: String...) throws -> Headless.Result {
      try Headless.run(arguments, environment: environment)
    }

    private func importMessages(_ messages: [String]) throws {
      let imported = try Headless.importMessages(messages, environment: environment)
      #expect(imported.status == .exit(0), "\(imported.error)")
    }

    @Test("An SVG chart has prices as text, goals, a dark colour scheme and escaped names")
    func svg() throws {
      let messages = [
        FeedText.dump(
          FeedText.football(100, "A<b> & C - D", odds: ["2.45", "3.1", "2.9"]),
          #"{"_type":"EVENT_INFO","id":"8","typeId":"1","eventId":"100","paramFloat1":0,"paramFloat2":0}"#),
        FeedText.update(FeedText.change("EVENT_INFO", 8, #""paramFloat1":1"#)),
        FeedText.update(FeedText.odds(121, "1.8")),
      ]
      try importMessages(messages)
      let drawn = try run("chart", "100", "--outcome", "home", "--output", "-")
      #expect(drawn.status == .exit(0), "\(drawn.error)")
      let svg = drawn.output
      #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
      for part in [
        "prefers-color-scheme: dark", "A&lt;b&gt; &amp; C - D", "home  opening 2.45", "last 1.80", #"class="goal""#,
        ">1-0<",
      ] { #expect(svg.contains(part), "\(part)\n\(svg)") }
      #expect(!svg.contains("draw") && !svg.contains("<b>"))
      let path = "\(directory.path)/odds.svg"
      #expect(try run("chart", "100", "--outcome", "home", "--output", path).status == .exit(0))
      #expect(try Headless.run(["-c", "cat \(path)"], program: "/bin/sh").output == svg)
    }

    @Test("A chart fits a terminal of 20 columns, with Chinese names too", arguments: [20, 41, 80])
    func narrow(columns: Int) throws {
      let name = "浦和紅鑽足球俱樂部 - 北京國安"
      let messages = [
        FeedText.dump(FeedText.football(100, name, odds: ["2.45", "1234.5", "2.9"])),
        FeedText.update(FeedText.odds(121, "2.6"), FeedText.odds(122, "1000.5")),
        FeedText.update(FeedText.odds(121, "2.3"), FeedText.odds(123, "3.3")),
        FeedText.update(FeedText.odds(123, "3.2")),
      ]
      try importMessages(messages)
      let pty = try Pty(size: Size(rows: 24, columns: columns))
      let process = try PtyProcess(
        [Program.path, "chart", "浦和"], on: pty, environment: Program.environment(with: environment))
      #expect(process.wait(within: .seconds(20)) == .exit(0))
      let output = String(decoding: pty.output, as: UTF8.self).split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      #expect(output.count > 3 * 9)
      for line in output { #expect(String(line).cellWidth <= columns, "\(line)") }
      let text = output.joined(separator: " ")
      for price in ["2.45", "2.60", "2.30", "1234.50", "3.30"] { #expect(text.contains(price), "\(text)") }
      // No character of the name is lost between lines.
      #expect(text.filter { $0 != " " }.contains(name.filter { $0 != " " }))
    }

    @Test("COLUMNS overrides the width of a chart")
    func columns() throws {
      try importMessages([FeedText.dump(FeedText.football()), FeedText.update(FeedText.odds(121, "2.6"))])
      func width(_ columns: String?) throws -> Int {
        let variables: [String: String?] = ["COLUMNS": columns]
        let chart = try Headless.run(["chart", "100"], environment: environment.merging(variables) { $1 })
        return chart.output.split(separator: "\n").map { String($0).cellWidth }.max() ?? 0
      }
      #expect(try [width("41"), width(nil), width("x")] == [41, 80, 80])
      #expect(try width("\(Int.max)") == 10_000)
    }

    @Test("In a locale without Unicode, a chart in the terminal is drawn in ASCII", arguments: ["en", "fr", "zh-Hant"])
    func ascii(language: String) throws {
      let messages = [
        FeedText.dump(FeedText.football(100, "Köln - 浦和")), FeedText.update(FeedText.odds(121, "2.6")),
        FeedText.update(FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)),
        FeedText.update(FeedText.change("BETTING_OFFER", 121, #""statusId":"1""#)),
      ]
      try importMessages(messages)
      let locale: [String: String?] = ["LC_ALL": "C"]
      let chart = try Headless.run(
        ["chart", "100", "--language", language], environment: environment.merging(locale) { $1 })
      #expect(chart.status == .exit(0) && chart.output.utf8.allSatisfy { $0 < 0x80 }, "\(chart)")
      for part in ["Koln - ??\n", "2.60 ", "2.45 ", "****", "----", "===="] {
        #expect(chart.output.contains(part), "\(part)\n\(chart.output)")
      }
      let usual = try run("chart", "100").output
      #expect(usual.contains("Köln - 浦和") && usual.contains("━━━━") && !usual.contains("****"), "\(usual)")
    }
  }
}
