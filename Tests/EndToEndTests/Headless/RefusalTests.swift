import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("Refused terminals, options and feeds", .serialized)
  struct RefusalTests {
    @Test("An unsuitable terminal stays unchanged, with status 1 and a message that names toteboard list")
    func terminals() throws {
      for type in [nil, "", "dumb", "nonsense"] {
        let board = try PtyBoard(["--rate", "0.1"], environment: ["TERM": type])
        #expect(board.terminationStatus() == .exit(1))
        let text = board.pty.text
        #expect(text.contains("TERM is ") && text.contains(type ?? "") && text.contains("toteboard list"), "\(text)")
        #expect(!text.contains("\u{1B}"))
        #expect(board.pty.modes == board.modes)
      }
    }

    @Test("Without a terminal, the board ends with status 1 and a message that names toteboard list")
    func noTerminal() throws {
      let result = try Headless.run()
      #expect(result.status == .exit(1))
      #expect(result.output.isEmpty)
      #expect(result.error.contains("standard output is not a terminal") && result.error.contains("toteboard list"))
    }

    @Test(
      "A wrong option ends with status 2 and a message that names the value",
      arguments: [
        (["--rate", "0"], "'0"), (["--rate", "100001"], "'100001"), (["--matches", "0"], "'0'"),
        (["--matches", "20001"], "'20001'"), (["--matches", "x"], "'x'"), (["--throttle", "x"], "'x'"),
        (["--throttle", "61s"], "'61s'"), (["--fps", "0"], "'0'"), (["--fps", "1001"], "'1001'"),
        (["--channel", "nope"], "'nope'"), (["--bogus"], "'--bogus'"), (["--feed", ""], "--feed has no value"),
        (["list", "--format", "xml"], "'xml'"), (["changes", "--matches", "0"], "'0'"), (["nonsense"], "'nonsense'"),
      ])
    func usage(arguments: [String], value: String) throws {
      let result = try Headless.run(arguments)
      #expect(result.status == .exit(2))
      #expect(result.output.isEmpty)
      #expect(result.error.hasPrefix("Error: ") && result.error.contains(value), "\(result.error)")
    }

    @Test("A missing feed file ends with status 1 and a message that names it", arguments: [[], ["list"], ["changes"]])
    func noFeed(command: [String]) throws {
      let result = try Headless.run(command + ["--feed", "/nonexistent/feed"])
      #expect(result.status == .exit(1))
      #expect(result.output.isEmpty)
      #expect(result.error.contains("'/nonexistent/feed'"))
    }

    @Test(
      "Options and commands that only print end with status 0",
      arguments: [
        (["--version"], "toteboard 0."), (["--help"], "USAGE: toteboard"), (["list", "--help"], "--format"),
        (["man-page"], ".TH TOTEBOARD 1"), (["man-page"], "\n.SH ENVIRONMENT\n"),
        (["man-page", "--page", "config"], ".TH TOTEBOARD\\-CONFIG 5"),
        (["--generate-completion-script", "bash"], "_toteboard"),
      ])
    func prints(arguments: [String], text: String) throws {
      let result = try Headless.run(arguments)
      #expect(result.status == .exit(0))
      #expect(result.output.contains(text))
      #expect(result.error.isEmpty)
    }
  }
}
