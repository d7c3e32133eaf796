import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("toteboard changes", .serialized)
  struct ChangesTests {
    @Test("Text output has a line for each change, with its time and ids")
    func text() throws {
      let expected = """
        [] channel: locked since TIME
        [100] Ajax - Porto: new, inProgress, starts 2025-06-24T08:00:00Z
        [100 110] Ajax - Porto, Match Result: new, open, heads the row
        [100 110 111] Ajax - Porto, Match Result, home: 2.45
        [100 110 112] Ajax - Porto, Match Result, draw: 3.10
        [100 110 113] Ajax - Porto, Match Result, away: 2.90
        [200] Köln, 1. FC - "浦和": new, inProgress, starts 2025-06-24T07:00:00.500Z
        [200 210] Köln, 1. FC - "浦和", Match Result: new, open, heads the row
        [200 210 211] Köln, 1. FC - "浦和", Match Result, home: 1.50
        [200 210 212] Köln, 1. FC - "浦和", Match Result, draw: 4.00
        [200 210 213] Köln, 1. FC - "浦和", Match Result, away: 7.1234567
        [] channel: live since TIME
        [100 110 111] Ajax - Porto, Match Result, home: 2.45 -> 2.50
        [100 110 113] Ajax - Porto, Match Result, away: 2.90 -> 2.75
        [100 110 112] Ajax - Porto, Match Result, draw: 3.10 (removed, not bettable)
        [300] Lens - Lille: new, pending
        [100] Ajax - Porto: closed since TIME
        [100] Ajax - Porto: ended, starts 2025-06-24T08:00:00Z
        [100 110 111] Ajax - Porto, Match Result, home: 2.50 (not bettable)
        [100 110 113] Ajax - Porto, Match Result, away: 2.75 (not bettable)
        [300] Lens - Lille: gone
        [] channel: closed since TIME
        [200] Köln, 1. FC - "浦和": closed since TIME

        """
      let lines = try changes("text").split(separator: "\n", omittingEmptySubsequences: false)
      let times = lines.dropLast().map { $0.prefix { $0 != " " } }
      #expect(
        times.allSatisfy { $0.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/) != nil }
          && times == times.sorted())
      let untimed = lines.map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: "\n")
      #expect(untimed.replacing(/since 20\S+/, with: "since TIME") == expected)
    }

    @Test("JSON output has the fields of list for each change, and the previous odds of a price")
    func json() throws {
      let lines = try changes("json").split(separator: "\n")
        .map { String($0).replacing(/"(time|since)":"[^"]*",?/, with: "").replacing(",}", with: "}") }
      #expect(lines.count == 23)
      let home =
        #""matchId":"100","match":"Ajax - Porto","marketId":"110","market":"Match Result","#
        + #""outcomeId":"111","outcome":"home","key":"home","offerId":"121""#
      let draw = home.replacing("111", with: "112").replacing("home", with: "draw").replacing("121", with: "122")
      let first = #"""
        {"change":"staleness","staleness":"locked"}
        {"change":"matchAdded","matchId":"100","match":"Ajax - Porto","home":"Ajax","away":"Porto","sportId":"1",\#
        "startTime":"2025-06-24T08:00:00Z","status":"inProgress","score":null,"minute":null,"serving":null,\#
        "tournament":"","country":"","part":"","sport":"","staleness":"live"}
        {"change":"marketAdded","matchId":"100","match":"Ajax - Porto","marketId":"110","market":"Match Result",\#
        "available":true,"closed":false,"main":false,"head":true}
        {"change":"price",\#(home),"odds":2.45,"previousOdds":null,"status":"standard","bettable":true}
        """#
      #expect(lines.prefix(4).joined(separator: "\n") == first)
      let others = [
        #"{"change":"price",\#(home),"odds":2.50,"previousOdds":2.45,"status":"standard","bettable":true}"#,
        #"{"change":"status",\#(draw),"odds":3.10,"previousOdds":null,"status":"removed","bettable":false}"#,
        #"{"change":"staleness","matchId":"100","match":"Ajax - Porto","staleness":"closed"}"#,
        #"{"change":"matchRemoved","matchId":"300","match":"Lens - Lille"}"#,
      ]
      for line in others { #expect(lines.contains(line), "\(line)") }
    }

    @Test("CSV output has a header and a line for each change")
    func csv() throws {
      let lines = try changes("csv").split(separator: "\r\n")
      #expect(lines.count == 24)
      #expect(lines[0].hasPrefix("time,change,matchId,match,home,away,"))
      #expect(lines.allSatisfy { $0.filter { $0 == "," }.count == 32 || $0.contains("\"") })
      let last = """
        price,100,Ajax - Porto,,,,,,,,,,,,,110,Match Result,,,,,111,home,home,121,2.50,2.45,standard,true,,,
        price,100,Ajax - Porto,,,,,,,,,,,,,110,Match Result,,,,,113,away,away,123,2.75,2.90,standard,true,,,
        status,100,Ajax - Porto,,,,,,,,,,,,,110,Match Result,,,,,112,draw,draw,122,3.10,,removed,false,,,
        """
      let untimed = lines.map { $0.drop { $0 != "," }.dropFirst() }
      #expect(untimed[13..<16].joined(separator: "\n") == last)
      #expect(lines.contains { $0.contains(#"matchAdded,200,"Köln, 1. FC - ""浦和""","Köln, 1. FC","""浦和""",1,"#) })
    }

    @Test(
      "The documented program computes the current matches and prices from the JSON lines",
      .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs python3"))
    func documentedProgram() throws {
      let file = TemporaryFile(try #require(Self.documentedProgram))
      let folded = try Headless.run([file.path], program: "/usr/bin/python3", input: changes("json"))
      #expect(folded.error.isEmpty)
      #expect(folded.output == "100 ended 2.5 3.1 2.75\n200 inProgress 1.5 4.0 7.1234567\n")
    }

    /// The documented program: the indented lines of the page on scripts, from its first line to its last.
    private static var documentedProgram: String? {
      guard let text = try? RepositoryFile.text("Sources/FeedRecording/FeedRecording.docc/Scripting.md") else {
        return nil
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard let first = lines.firstIndex(of: "    import json, sys") else { return nil }
      return lines[first...].prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) + "\n" }.joined()
    }

    @Test("A closed output pipe is not an error", arguments: ["list", "changes"], ["json", "csv"])
    func closedPipe(command: String, format: String) throws {
      let result = try Headless.run(
        [command, "--feed", "-", "--format", format], input: sampleFeed, hasReader: false)
      #expect(result.status == .exit(0))
      #expect(result.error.isEmpty)
    }

    @Test("With the simulated feed, a closed output pipe ends the program")
    func closedPipeOfEndlessFeed() throws {
      let result = try Headless.run(["changes", "--rate", "1000"], hasReader: false)
      #expect(result.status == .exit(0))
      #expect(result.error.isEmpty)
    }

    private func changes(_ format: String) throws -> String {
      let result = try Headless.run(["changes", "--feed", "-", "--format", format], input: sampleFeed)
      #expect(result.status == .exit(0))
      #expect(result.error.isEmpty)
      return result.output
    }
  }
}
