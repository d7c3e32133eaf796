import TestSupport
import Testing

extension EndToEndTests {
  @Suite("toteboard changes", .serialized)
  struct ChangesTests {
    @Test("It prints a line for each change as text")
    func text() throws {
      let expected = """
        Ajax - Porto: new, inProgress
        Ajax - Porto, Match Result, home: 2.45
        Ajax - Porto, Match Result, draw: 3.10
        Ajax - Porto, Match Result, away: 2.90
        Köln, 1. FC - "浦和": new, inProgress
        Köln, 1. FC - "浦和", Match Result, home: 1.50
        Köln, 1. FC - "浦和", Match Result, draw: 4.00
        Köln, 1. FC - "浦和", Match Result, away: 7.1234567
        Ajax - Porto, Match Result, home: 2.45 -> 2.50
        Ajax - Porto, Match Result, away: 2.90 -> 2.75
        Ajax - Porto, Match Result, draw: 3.10 (not bettable)
        Lens - Lille: new, pending
        Ajax - Porto: ended
        Lens - Lille: gone

        """
      #expect(try changes("text") == expected)
    }

    @Test("It prints one as JSON: a match, a price with its old one, a status")
    func json() throws {
      let lines = try changes("json").split(separator: "\n")
      #expect(lines.count == 14)
      let home =
        #""matchId":"100","match":"Ajax - Porto","marketId":"110","market":"Match Result","#
        + #""outcomeId":"111","outcome":"home""#
      let draw = home.replacing("111", with: "112").replacing("home", with: "draw")
      let away = home.replacing("111", with: "113").replacing("home", with: "away")
      let first = #"""
        {"change":"matchAdded","matchId":"100","match":"Ajax - Porto","status":"inProgress","score":null}
        {"change":"price",\#(home),"odds":2.45,"previousOdds":null,"status":"standard","bettable":true}
        """#
      let last = #"""
        {"change":"price",\#(home),"odds":2.50,"previousOdds":2.45,"status":"standard","bettable":true}
        {"change":"price",\#(away),"odds":2.75,"previousOdds":2.90,"status":"standard","bettable":true}
        {"change":"status",\#(draw),"odds":3.10,"previousOdds":null,"status":"removed","bettable":false}
        {"change":"matchAdded","matchId":"300","match":"Lens - Lille","status":"pending","score":null}
        {"change":"matchChanged","matchId":"100","match":"Ajax - Porto","status":"ended","score":null}
        {"change":"matchRemoved","matchId":"300","match":"Lens - Lille","status":"pending","score":null}
        """#
      #expect(lines.prefix(2).joined(separator: "\n") == first)
      #expect(lines.suffix(6).joined(separator: "\n") == last)
    }

    @Test("It prints one as CSV, under a header")
    func csv() throws {
      let lines = try changes("csv").split(separator: "\r\n")
      #expect(lines.count == 15)
      let header = "change,matchId,match,matchStatus,score,marketId,market,outcomeId,outcome,odds,previousOdds,bettable"
      #expect(lines[0] == header)
      #expect(lines[5] == #"matchAdded,200,"Köln, 1. FC - ""浦和""",inProgress,,,,,,,,"#)
      let last = """
        price,100,Ajax - Porto,inProgress,,110,Match Result,111,home,2.50,2.45,true
        price,100,Ajax - Porto,inProgress,,110,Match Result,113,away,2.75,2.90,true
        status,100,Ajax - Porto,inProgress,,110,Match Result,112,draw,3.10,,false
        matchAdded,300,Lens - Lille,pending,,,,,,,,
        matchChanged,100,Ajax - Porto,ended,,,,,,,,
        matchRemoved,300,Lens - Lille,pending,,,,,,,,
        """
      #expect(lines.suffix(6).joined(separator: "\n") == last)
    }

    @Test("Nobody reading is no error", arguments: ["list", "changes"], ["json", "csv"])
    func closedPipe(command: String, format: String) throws {
      let result = try Headless.run(
        [command, "--feed", "-", "--format", format], input: sampleFeed, hasReader: false)
      #expect(result.status == .exit(0))
      #expect(result.error.isEmpty)
    }

    @Test("changes of the simulated feed ends when its reader has gone")
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
