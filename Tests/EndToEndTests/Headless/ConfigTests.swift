import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("The configuration file and the saved state", .serialized)
  struct ConfigTests {
    private static let name = ".config/toteboard/config.toml"

    private let home = TemporaryDirectory()
    private var path: String { "\(home.path)/\(Self.name)" }
    private var environment: [String: String?] { ["HOME": home.path] }

    private func board(_ arguments: String...) throws -> PtyBoard {
      let board = try PtyBoard(["--rate", "0.1"] + arguments, environment: environment)
      #expect(board.waitForMatches())
      return board
    }

    private func makeDirectories() {
      for directory in [".config", ".config/toteboard"] { mkdir("\(home.path)/\(directory)", 0o700) }
    }

    private func read(_ path: String) -> String {
      guard let file = fopen(path, "r") else { return "" }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 100_000)
      let count = fread(&bytes, 1, bytes.count, file)
      return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func leave(_ board: PtyBoard, by key: String = "q") {
      board.type(key)
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("An open board reloads a saved file; an invalid file is reported with its line and not applied")
    func reload() throws {
      makeDirectories()
      try home.write("[keys]\nhelp = \"h\"\n", to: Self.name)
      let board = try PtyBoard(["--rate", "0.1"], size: Size(rows: 50, columns: 160), environment: environment)
      #expect(board.waitForMatches())
      board.type("?")
      board.type("h")
      #expect(board.wait { $0.contains("MOVING") })
      board.type("h")
      try home.write(
        "[keys]\nhelp = \"Ctrl-E\"\n[[channel]]\ntitle = \"Mine\"\nkind = \"next\"\n", to: "\(Self.name).new")
      rename("\(path).new", path)
      #expect(board.wait { $0.hints.contains("reloaded") && $0.text(0).contains("7 Mine") })
      board.type("h\u{5}")
      #expect(board.wait { $0.contains("MOVING") && $0.contains("  Ctrl-E ") })
      try home.write("fps = 5\n[keys]\nhelp = 3\n", to: Self.name)
      #expect(board.wait { $0.hints.contains("line 3: help has an invalid key") })
      board.type("\u{5}")
      #expect(board.wait { !$0.contains("MOVING") })
      try home.write("fps = 5\n[keys]\nhelp = [\"h\", \"F1\"]\n", to: Self.name)
      #expect(board.wait { $0.hints.contains("at the next start: fps") && !$0.text(0).contains("Mine") })
      board.type("h")
      #expect(board.wait { $0.contains("MOVING") && $0.contains("  h F1 ") })
      leave(board)
    }

    @Test("A file that is created while the board is open is loaded")
    func made() throws {
      let board = try board()
      makeDirectories()
      try home.write("[keys]\nquit = \"x\"\n", to: Self.name)
      #expect(board.wait { $0.hints.contains("reloaded") })
      board.type("q")
      leave(board, by: "x")
    }

    @Test("An invalid file ends with status 2 and a message with its name and the line")
    func wrong() throws {
      makeDirectories()
      try home.write("\nthrottle = \"x\"\n", to: Self.name)
      for arguments in [["list"], [], ["config", "--check"]] {
        let result = try Headless.run(arguments, environment: environment)
        #expect(
          result.status == .exit(2) && result.error.contains("'\(path)', line 2: throttle 'x'"), "\(result.error)")
      }
      let found = try Headless.run(["config"], environment: environment)
      #expect(found.status == .exit(0) && found.output == "\(path)\n")
    }

    @Test("A file that is not a regular file is refused by name and does not block")
    func noFile() throws {
      makeDirectories()
      let fifo = "\(home.path)/fifo"
      mkfifo(fifo, 0o600)
      mkfifo(path, 0o600)
      let commands = [["list"], ["changes"], ["--plain"], ["record", "-"], ["config", "--check"], []]
      for arguments in commands {
        let result = try Headless.run(arguments, environment: environment)
        #expect(result.status == .exit(2) && result.error.contains("'\(path)': not a regular file"), "\(result)")
      }
      for other in [fifo, "/dev/zero", "/dev/tty", home.path] {
        let result = try Headless.run(["list", "--config", other], environment: environment)
        #expect(result.status == .exit(2) && result.error.contains("'\(other)': not a regular file"), "\(result)")
      }
      let found = try Headless.run(["list"], environment: ["XDG_CONFIG_HOME": "\(home.path)/.config"])
      #expect(found.status == .exit(2) && found.error.contains("'\(path)': not a regular file"))
    }

    @Test("A pipe that replaces the file does not block an open board")
    func pipeInstead() throws {
      makeDirectories()
      try home.write("fps = 30\n", to: Self.name)
      let board = try PtyBoard(["--rate", "0.1"], size: Size(rows: 24, columns: 200), environment: environment)
      #expect(board.waitForMatches())
      mkfifo("\(path).new", 0o600)
      rename("\(path).new", path)
      #expect(board.wait { $0.hints.contains("not a regular file") })
      try home.write("[keys]\nquit = \"x\"\n", to: "\(Self.name).new")
      rename("\(path).new", path)
      #expect(board.wait { $0.hints.contains("reloaded") })
      leave(board, by: "x")
    }

    @Test("The output of config --print-default is a valid file, with which the board starts")
    func defaults() throws {
      let printed = try Headless.run(["config", "--print-default", "--language", "fr"], environment: environment)
      makeDirectories()
      try home.write(printed.output, to: Self.name)
      let result = try Headless.run(["config", "--check"], environment: environment)
      #expect(result.status == .exit(0) && result.output == "'\(path)' is valid.\n")
      leave(try board())
    }

    @Test("The file sets what no option sets, and an option takes precedence")
    func options() throws {
      makeDirectories()
      let feed = TemporaryFile(FeedText.dump(FeedText.football(100, "Köln - 浦和")))
      try home.write("language = \"fr\"\nfeed = \"\(feed.path)\"\nmatches = 3\npending_limit = 1\n", to: Self.name)
      let recorded = try Headless.run(["list", "--format", "csv"], environment: environment)
      #expect(recorded.status == .exit(0) && recorded.output.contains("Köln - 浦和"), "\(recorded.error)")
      let few = try Headless.run(["list", "--feed", "simulated", "--format", "csv"], environment: environment)
      let more = try Headless.run(
        ["list", "--feed", "simulated", "--matches", "9", "--format", "csv"], environment: environment)
      func count(_ text: String) -> Int { Set(text.split(separator: "\r\n").map { $0.prefix { $0 != "," } }).count - 1 }
      #expect(count(few.output) < count(more.output))
      #expect(try Headless.run(["--bogus"], environment: environment).error.hasPrefix("Erreur"))
      #expect(try Headless.run(["--bogus", "--language", "en"], environment: environment).error.hasPrefix("Error"))
    }

    @Test("The next board starts on the last channel, unless --channel or --fresh is given")
    func session() throws {
      let first = try board()
      first.type("3")
      #expect(first.wait { $0.tab == "3 Tennis" })
      leave(first)
      for (arguments, tab) in [([], "3 Tennis"), (["--channel", "football"], "2 Football")] {
        let next = try PtyBoard(["--rate", "0.1"] + arguments, environment: environment)
        #expect(next.wait { $0.tab == tab })
        next.type("3")
        #expect(next.wait { $0.tab == "3 Tennis" })
        leave(next)
      }
      let fresh = try board("--fresh")
      #expect(fresh.wait { $0.tab == "1 Live" })
      leave(fresh)
      // A fresh board that is quit without changes does not overwrite the saved state.
      let last = try board()
      #expect(last.wait { $0.tab == "3 Tennis" })
      leave(last)
      #expect(home.names(in: ".local/state/toteboard").count { !$0.hasSuffix(".lock") } == 1)
    }

    @Test(
      "The state of a board is also saved when a signal ends it", arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func signals(signal: Int32) throws {
      let first = try board()
      first.type("4")
      #expect(first.wait { $0.tab == "4 Basketball" })
      first.process.send(signal)
      #expect(first.terminationStatus() == .signal(signal))
      let next = try board()
      #expect(next.wait { $0.tab == "4 Basketball" })
      leave(next)
      #expect(home.names(in: ".local/state/toteboard").allSatisfy { $0.hasSuffix(".toml") })
    }

    @Test("A damaged state file is renamed and reported, and the board starts")
    func damaged() throws {
      let first = try board()
      first.type("4")
      #expect(first.wait { $0.tab == "4 Basketball" })
      leave(first)
      let name = try #require(home.names(in: ".local/state/toteboard").first)
      try home.write("channel = [", to: ".local/state/toteboard/\(name)")
      let board = try PtyBoard(["--rate", "0.1"], size: Size(rows: 24, columns: 200), environment: environment)
      #expect(board.wait { $0.hints.contains("is damaged and was renamed to '") })
      board.type("4")
      #expect(board.wait { $0.tab == "4 Basketball" })
      leave(board)
      #expect(home.names(in: ".local/state/toteboard") == [name, "\(name).damaged", "\(name).lock"])
    }

    @Test("w asks for a file name, and writes the screen as it is without that prompt")
    func screen() throws {
      let board = try PtyBoard(["--rate", "0.1"], size: Size(rows: 24, columns: 120), environment: environment)
      #expect(board.waitForMatches())
      board.type("w")
      #expect(board.wait { $0.hints.hasPrefix(":write ~/toteboard-") })
      board.type("\r")
      #expect(board.wait { $0.hints.contains("Screen written to '\(home.path)/toteboard-") })
      let name = try #require(home.names().first { $0.hasPrefix("toteboard-") && $0.hasSuffix(".txt") })
      let lines = read("\(home.path)/\(name)").split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 25 && lines[1].contains("TIME▲") && lines[23].hasSuffix("q quit"))
      leave(board)
    }

    @Test(
      "--zone sets the time zone of the times",
      .enabled(if: access("/usr/share/zoneinfo/Asia/Kathmandu", R_OK) == 0, "the machine knows no zones"))
    func zone() throws {
      let board = try board("--zone", "Asia/Kathmandu")
      let now = time(nil) / 60
      let times = (-2...2).map { minute -> String in
        let minute = (now + 345 + minute) % 1440
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
      }
      #expect(times.contains { board.screen.text(0).contains($0) }, "\(board.screen.text(0))")
      leave(board)
    }
  }
}
