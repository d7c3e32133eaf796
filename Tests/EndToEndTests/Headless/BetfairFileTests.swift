import TestSupport
import Testing

extension EndToEndTests {
  /// A recording of the Betfair stream through the real program.
  @Suite("A Betfair recording", .serialized)
  struct BetfairFileTests {
    private static let text: String = {
      var options = BetfairStream.Options()
      options.isMatch = true
      options.hasNames = true
      options.markets = 2
      return String(decoding: BetfairStream(seed: 3, options: options).text, as: UTF8.self)
    }()

    @Test("A recording is recognized in a file and in a pipe, and listed with status, sides, sizes and amounts")
    func list() throws {
      let file = TemporaryFile(Self.text)
      let listed = try Headless.run(["list", "--format", "json", "--feed", file.path])
      #expect(listed.status == .exit(0) && listed.error == "")
      let parts = [
        #""name":"Ajax v Porto","home":"Ajax","away":"Porto","sportId":"1""#, #""status":"ended""#,
        #""exchange":{"status":"closed","inPlay":true,"betDelay":5,"winners":1,"totalMatched":"#, #""currency":"GBP""#,
        #""backs":[{"odds":"#, #""lays":[{"odds":"#, #""name":"The Draw","key":"draw""#, #""status":"resolved""#,
      ]
      for part in parts { #expect(listed.output.contains(part), "\(part)") }
      let piped = try Headless.run(["list", "--format", "json", "--feed", "-"], input: Self.text)
      #expect(piped.output == listed.output)
    }

    @Test("changes prints its changes, and a copy made by record lists the same matches")
    func changes() throws {
      let file = TemporaryFile(Self.text)
      let changes = try Headless.run(["changes", "--format", "text", "--feed", file.path])
      #expect(changes.status == .exit(0))
      for part in ["Ajax v Porto: new, pending", "suspended since", "Ajax v Porto: ended"] {
        #expect(changes.output.contains(part), "\(part)")
      }
      let folder = TemporaryDirectory()
      let copy = folder.path + "/copy"
      #expect(try Headless.run(["record", copy, "--feed", file.path]).status == .exit(0))
      let lists = try [file.path, copy].map { try Headless.run(["list", "--format", "csv", "--feed", $0]).output }
      #expect(lists[0] == lists[1] && lists[0].contains("Ajax v Porto"))
    }

    @Test("A historical file, which has no image of all markets, is imported into the history")
    func historical() throws {
      let text = Self.text.replacing(#""ct":"SUB_IMAGE","#, with: "").replacing(#""img":true,"#, with: "")
      let folder = TemporaryDirectory()
      let file = TemporaryFile(text)
      let imported = try Headless.run(["import", file.path], environment: ["XDG_DATA_HOME": folder.path])
      #expect(imported.status == .exit(0))
      let history = try Headless.run(["history", "--format", "csv"], environment: ["XDG_DATA_HOME": folder.path])
      #expect(history.output.split(whereSeparator: \.isNewline).count > 10)
    }

    @Test("In a file with messages of several providers, inspect counts each and names the line of the second one")
    func mixture() throws {
      let betfair = Self.text.split(separator: "\r\n").map(String.init)
      let other = [FeedText.dump(FeedText.football()), FeedText.update(FeedText.odds(121, "3"))]
      let polymarket = #"[{"event_type":"book","asset_id":"11","bids":[],"asks":[]}]"#
      func recorded(_ message: String) -> String { #"{"receivedAt":1,"topic":"/event/1","message":\#(message)}"# }
      for isRecorded in [false, true] {
        let lines = other[...0] + ["no message"] + betfair + other[1...] + [polymarket]
        let file = TemporaryFile(lines.map { (isRecorded ? recorded($0) : $0) + "\n" }.joined())
        let report = try Headless.run(["inspect", file.path])
        #expect(report.status == .exit(0))
        let topic = isRecorded ? "/event/1" : "/feed"
        for part in [
          "EveryMatrix, from line 3 on also Betfair", "TOPIC \(topic) (EveryMatrix)", "TOPIC \(topic) (Betfair)",
          "TOPIC \(topic) (Polymarket)",
        ] { #expect(report.output.contains(part), "\(part)") }
        let json = try Headless.run(["inspect", "--format", "json", file.path]).output
        #expect(json.contains(#""mixture":{"line":3,"provider":"Betfair","before":"EveryMatrix"}"#))
        #expect(json.contains(#""provider":"EveryMatrix","bytes""#) && json.contains(#""dumps":1,"updates":1,"#))
      }
      let single = TemporaryFile(Self.text)
      let one = try Headless.run(["inspect", single.path]).output
      #expect(!one.contains("providers") && one.contains("TOPIC /feed\n"))
    }

    @Test("A historical file without offers has last traded prices, which are marked as such")
    func lastTraded() throws {
      func line(_ time: Int, _ change: String) -> String {
        #"{"op":"mcm","clk":"A","pt":\#(time),"mc":[{"id":"1.200000001",\#(change)}]}"# + "\n"
      }
      func definition(_ status: String, _ first: String, _ second: String) -> String {
        #""marketDefinition":{"status":"\#(status)","bettingType":"ODDS","marketType":"MATCH_ODDS","eventId":"29","#
          + #""eventTypeId":"1","eventName":"Ajax v Porto","name":"Match Odds","runners":["#
          + #"{"id":1,"status":"\#(first)","sortPriority":1,"name":"Ajax"},"#
          + #"{"id":2,"status":"\#(second)","sortPriority":2,"name":"Porto"}]}"#
      }
      let begin = 1_750_000_000_000
      let first = line(begin, definition("OPEN", "ACTIVE", "ACTIVE"))
      let rest =
        line(begin + 1000, #""rc":[{"id":1,"ltp":2.5}]"#)
        + line(begin + 2000, #""rc":[{"id":1,"ltp":2.6},{"id":2,"ltp":1.6}]"#)
      let text = first + rest
      let end = line(begin + 3000, definition("CLOSED", "WINNER", "LOSER"))
      let stream = first.replacing(#""mc":[{"id""#, with: #""ct":"SUB_IMAGE","mc":[{"img":true,"id""#) + rest
      for (text, isOpen) in [(text, true), (text + end, false), (stream, false)] {
        let file = TemporaryFile(text)
        let table = try Headless.run(["list", "--feed", file.path]).output
        #expect(table.contains("(2.60)") == isOpen && table.contains("(1.60)") == isOpen, "\(table)")
        #expect(table.contains("Ajax v Porto") && (isOpen || !table.contains("(")), "\(table)")
      }
      let open = TemporaryFile(text)
      let json = try Headless.run(["list", "--format", "json", "--feed", open.path]).output
      #expect(json.contains(#""odds":2.60,"status":"lastTraded","bettable":false"#), "\(json)")
      #expect(json.contains(#""backs":[],"lays":[],"lastTraded":2.60"#))
      let folder = TemporaryDirectory()
      let environment = ["XDG_DATA_HOME": folder.path]
      let file = TemporaryFile(text + end)
      #expect(try Headless.run(["import", file.path], environment: environment).status == .exit(0))
      let history = try Headless.run(["history", "--format", "csv"], environment: environment).output
      for price in ["2.5", "2.6", "1.6"] { #expect(history.contains(price), "\(history)") }
      #expect(!history.contains("true"))
      let table = try Headless.run(["history"], environment: environment).output
      #expect(table.contains("(2.60)") && table.contains(#/Ajax +-\n/#) && !table.contains("()"), "\(table)")
      // Last traded prices are never shown as prices to bet on.
      let summary = try Headless.run(["history", "--summary"], environment: environment)
      #expect(summary.status == .exit(0) && !summary.output.contains("Ajax"), "\(summary.output)")
      #expect(summary.error.contains("2 outcomes have last traded prices only"), "\(summary.error)")
      let chart = try Headless.run(["chart", "ajax"], environment: environment)
      #expect(chart.status == .exit(1) && chart.error.contains("has last traded prices only"), "\(chart.error)")
      #expect(chart.error.contains("toteboard list"))
    }

    @Test("inspect reads a recording, and a damaged compressed file is an error that names the file")
    func inspect() throws {
      let file = TemporaryFile(Self.text)
      let report = try Headless.run(["inspect", "--format", "json", file.path])
      #expect(report.status == .exit(0) && report.output.contains(#""dumps":1"#))
      let damaged = TemporaryFile("BZh9 is not a compressed file")
      let failed = try Headless.run(["list", "--feed", damaged.path])
      #expect(failed.status == .exit(1))
      #expect(failed.error.contains("'\(damaged.path)': the feed's file is damaged: it cannot be decompressed"))
    }
  }
}
