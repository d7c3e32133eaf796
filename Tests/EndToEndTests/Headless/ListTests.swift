import TestSupport
import Testing

extension EndToEndTests {
  @Suite("toteboard list", .serialized)
  struct ListTests {
    @Test("JSON output is the state at the end of the feed")
    func json() throws {
      let empty =
        #""score":null,"minute":null,"serving":null,"tournament":"","country":"","part":"","sport":"""#
      let expected = #"""
        [{"id":"200","name":"Köln, 1. FC - \"浦和\"","home":"Köln, 1. FC","away":"\"浦和\"","sportId":"1",\#
        "startTime":"2025-06-24T07:00:00.500Z","status":"inProgress",\#(empty),"markets":[\#
        {"id":"210","name":"Match Result","available":true,"closed":false,"main":false,"head":true,"outcomes":[\#
        {"id":"211","name":"home","key":"home","offerId":"221","odds":1.50,"status":"standard","bettable":true},\#
        {"id":"212","name":"draw","key":"draw","offerId":"222","odds":4.00,"status":"standard","bettable":true},\#
        {"id":"213","name":"away","key":"away","offerId":"223","odds":7.1234567,"status":"standard","bettable":true}]}]},\#
        {"id":"100","name":"Ajax - Porto","home":"Ajax","away":"Porto","sportId":"1",\#
        "startTime":"2025-06-24T08:00:00Z","status":"ended",\#(empty),"markets":[\#
        {"id":"110","name":"Match Result","available":true,"closed":false,"main":false,"head":true,"outcomes":[\#
        {"id":"111","name":"home","key":"home","offerId":"121","odds":2.50,"status":"standard","bettable":false},\#
        {"id":"112","name":"draw","key":"draw","offerId":"122","odds":3.10,"status":"removed","bettable":false},\#
        {"id":"113","name":"away","key":"away","offerId":"123","odds":2.75,"status":"standard","bettable":false}]}]}]

        """#
      #expect(try list("json") == expected)
    }

    @Test("CSV output has a line for each outcome")
    func csv() throws {
      let name = #""Köln, 1. FC - ""浦和""""#
      let lines = [
        "matchId,match,startTime,status,marketId,market,outcomeId,outcome,key,offerId,odds,offerStatus,bettable",
        "200,\(name),2025-06-24T07:00:00.500Z,inProgress,210,Match Result,211,home,home,221,1.50,standard,true",
        "200,\(name),2025-06-24T07:00:00.500Z,inProgress,210,Match Result,212,draw,draw,222,4.00,standard,true",
        "200,\(name),2025-06-24T07:00:00.500Z,inProgress,210,Match Result,213,away,away,223,7.1234567,standard,true",
        "100,Ajax - Porto,2025-06-24T08:00:00Z,ended,110,Match Result,111,home,home,121,2.50,standard,false",
        "100,Ajax - Porto,2025-06-24T08:00:00Z,ended,110,Match Result,112,draw,draw,122,3.10,removed,false",
        "100,Ajax - Porto,2025-06-24T08:00:00Z,ended,110,Match Result,113,away,away,123,2.75,standard,false",
      ]
      #expect(try list("csv") == lines.map { $0 + "\r\n" }.joined())
    }

    @Test("Table output has aligned columns, no withdrawn prices, and a mark at the prices of a match that is over")
    func table() throws {
      let expected = """
        START                     MATCH                 STATUS      1      X     2
        2025-06-24T07:00:00.500Z  Köln, 1. FC - "浦和"  inProgress  1.50   4.00  7.1234567
        2025-06-24T08:00:00Z      Ajax - Porto          ended       2.50?  -     2.75?

        """
      #expect(try list("table") == expected)
    }

    @Test(
      "A feed without any message is an error, for every command",
      arguments: ["", "\n", "no JSON\n", "\u{0}\u{7F}ELF\u{1}"])
    func noMessages(feed: String) throws {
      let file = TemporaryFile(feed)
      for arguments in [
        ["list", "--feed", file.path], ["list", "--feed", "-"], ["changes", "--feed", file.path],
        ["inspect", file.path],
        ["record", "-", "--feed", file.path], ["--plain", "--feed", file.path],
      ] {
        let result = try Headless.run(arguments, input: feed)
        #expect(result.status == .exit(1), "\(arguments)")
        #expect(
          result.error.contains("the feed contains no messages: specify a feed in JSON lines format"), "\(arguments)")
      }
    }

    @Test("--pipe-timeout applies only to pipes, and its value is a duration")
    func pipeTimeout() throws {
      let file = TemporaryFile(FeedText.dump())
      for (arguments, word) in [
        (["--feed", file.path, "--pipe-timeout", "5s"], "only applies to pipes"),
        (["--pipe-timeout", "5s"], "only applies to pipes"),
        (["--feed", "wss://localhost/v2", "--pipe-timeout", "5s"], "only applies to pipes"),
        (["--feed", "-", "--pipe-timeout", "25h"], "25h"), (["--feed", "-", "--pipe-timeout", "x"], "x"),
        (["--feed", "-", "--pipe-timeout", "-5"], "--pipe-timeout '-5' is not a duration"),
      ] {
        let result = try Headless.run(["changes"] + arguments)
        #expect(result.status == .exit(2) && result.error.contains(word), "\(arguments): \(result.error)")
      }
      let result = try Headless.run(["changes", "--feed", "-", "--pipe-timeout", "1h"], input: FeedText.dump())
      #expect(result.status == .exit(0))
      let list = try Headless.run(["list", "--feed", "-", "--pipe-timeout", "1h"], input: FeedText.dump())
      #expect(list.status == .exit(2) && list.error.contains("has no effect with 'toteboard list'"))
    }

    @Test(
      "A feed without a match is an empty list", arguments: [FeedText.dump(), "no JSON\n\(FeedText.dump())"])
    func empty(feed: String) throws {
      let result = try Headless.run(["list", "--feed", "-", "--format", "json"], input: feed)
      #expect(result.status == .exit(0))
      #expect(result.output == "[]\n")
    }

    @Test("A last line without a newline is read")
    func unendedLine() throws {
      let result = try Headless.run(["list", "--feed", "-"], input: FeedText.dump(FeedText.football()))
      #expect(result.output.contains("Ajax - Porto"))
    }

    private func list(_ format: String) throws -> String {
      let result = try Headless.run(["list", "--feed", "-", "--format", format], input: sampleFeed)
      #expect(result.status == .exit(0))
      #expect(result.error.isEmpty)
      return result.output
    }
  }
}
