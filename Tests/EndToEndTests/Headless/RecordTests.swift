import Localization
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("toteboard record and playback", .serialized)
  struct RecordTests {
    private let path: String

    init() {
      // A free name: the program creates the file.
      path = TemporaryFile().path
    }

    @Test("A recording of the simulated feed that a signal or Ctrl-C ends has whole lines and can be listed")
    func simulated() throws {
      defer { unlink(path) }
      for (signal, keys) in [(SIGTERM, nil), (SIGINT, nil), (SIGHUP, nil), (SIGINT, "\u{3}")] {
        unlink(path)
        let recorder = try PtyBoard(["record", path, "--matches", "5", "--rate", "100"])
        #expect(waitForLines(4))
        // Twice, as timeout(1) does: the second signal loses no data.
        if let keys { recorder.type(keys) } else { for _ in 0..<2 { recorder.process.send(signal) } }
        // The recording is finished first.
        #expect(recorder.terminationStatus() == .signal(signal))
        #expect(recorder.pty.text.contains("Recorded ") && recorder.pty.text.contains(" messages, "))
        let text = Headless.text(of: path)
        #expect(text.last == "\n")
        for line in text.split(separator: "\n") {
          #expect(
            line.hasPrefix(#"{"receivedAt":1"#) && line.hasSuffix("}}") && line.contains("live-matches-aggregator"))
        }
        let list = try Headless.run(["list", "--feed", path, "--format", "csv"])
        #expect(list.status == .exit(0) && list.output.contains("bettable") && list.output.contains("true"))
      }
    }

    @Test("A signal that is ignored from the start, as by nohup, does not end a recording")
    func ignored() throws {
      defer { unlink(path) }
      let script = "trap '' HUP; exec \(Program.path) record \(path) --matches 5 --rate 100"
      let recorder = try PtyBoard(["-c", script], program: "/bin/sh")
      #expect(waitForLines(4))
      recorder.process.send(SIGHUP)
      let count = Headless.text(of: path).utf8.count { $0 == 0x0A }
      #expect(waitForLines(count + 100))
      recorder.process.send(SIGTERM)
      #expect(recorder.terminationStatus() == .signal(SIGTERM))
    }

    @Test("A pipe is recorded to its end, and the recording gives the same output as the pipe")
    func piped() throws {
      defer { unlink(path) }
      let result = try Headless.run(["record", path, "--feed", "-"], input: sampleFeed)
      #expect(result.status == .exit(0) && result.output.isEmpty)
      let bytes = Catalog.english.number(Headless.text(of: path).utf8.count)
      #expect(result.error.hasPrefix("Recorded 6 messages, \(bytes) bytes in "))
      for command in [["list", "--format", "json"], ["changes"]] {
        let played = try Headless.run(command + ["--feed", path])
        let piped = try Headless.run(command + ["--feed", "-"], input: sampleFeed)
        // NB: the times are those of the recording, or of reading the pipe.
        let time = #/"(time|since)":"[^"]*"/#
        #expect(played.output.replacing(time, with: "") == piped.output.replacing(time, with: ""))
        #expect(!played.output.isEmpty && played.status == .exit(0))
      }
      let copied = try Headless.run(["record", "-", "--feed", path])
      #expect(copied.output == Headless.text(of: path))
    }

    @Test("Only --append changes an existing file, and an incomplete last line stays a separate line")
    func existing() throws {
      let file = TemporaryFile("torn")
      let refused = try Headless.run(["record", file.path, "--feed", "-"], input: "{}\n")
      #expect(refused.status == .exit(1) && file.text == "torn")
      #expect(refused.error.contains("'\(file.path)' already exists") && refused.error.contains("--append"))
      let added = try Headless.run(["record", file.path, "--append", "--feed", "-"], input: FeedText.dump() + "\n")
      #expect(added.status == .exit(0) && file.text.hasPrefix("torn\n{\"receivedAt\":"))
      let itself = try Headless.run(["record", file.path, "--append", "--feed", file.path])
      #expect(itself.status == .exit(1) && itself.error.contains("to itself"))
      for name in ["/nonexistent/file", "/"] {
        let result = try Headless.run(["record", name, "--feed", "-"])
        #expect(result.status == .exit(1) && result.error.contains("'\(name)'"))
      }
    }

    @Test(
      "At the file size limit, record fails with a message, and the file ends with a whole line",
      .enabled(if: getenv("TOTEBOARD_RACE") == nil, "the thread sanitizer does not start under a limit of file sizes"))
    func noRoom() throws {
      defer { unlink(path) }
      let feed = TemporaryFile(String(repeating: FeedText.update(FeedText.odds(121, "2.5")) + "\n", count: 3000))
      let script = "ulimit -f 100; exec \(Program.path) record \(path) --feed \(feed.path)"
      let result = try Headless.run(["-c", script], program: "/bin/sh")
      #expect(result.status == .exit(1))
      #expect(result.error.contains("'\(path)': File too large") && result.error.contains("--append"))
      let text = Headless.text(of: path)
      let lines = Set(text.split(separator: "\n").map(\.count))
      #expect(text.utf8.count > 10_000 && text.last == "\n" && lines.count == 1, "\(lines)")
    }

    @Test("With standard error closed, record ends with status 0, and the file has the messages alone")
    func closedError() throws {
      let file = TemporaryFile(sampleFeed)
      for feed in ["-", file.path] {
        defer { unlink(path) }
        let script = "exec \(Program.path) record \(path) --feed \(feed) 2>&-"
        let result = try Headless.run(["-c", script], program: "/bin/sh", input: sampleFeed)
        #expect(result.status == .exit(0) && result.output.isEmpty)
        let lines = Headless.text(of: path).split(separator: "\n")
        #expect(lines.count == 6 && lines.allSatisfy { $0.hasPrefix(#"{"receivedAt":1"#) }, "\(lines)")
      }
    }

    @Test("A closed output pipe is not an error")
    func closedPipe() throws {
      let result = try Headless.run(["record", "-", "--feed", "-"], input: "{}\n", hasReader: false)
      #expect(result.status == .exit(0) && result.error.isEmpty)
    }

    @Test("list reads the first topic of a recording, or the one that --channel names")
    func topics() throws {
      defer { unlink(path) }
      let file = TemporaryFile(twoTopics)
      func list(_ arguments: String...) throws -> Headless.Result {
        try Headless.run(["list", "--feed", file.path, "--format", "csv"] + arguments)
      }
      #expect(try list().output.contains("Ajax - Porto") && !list().output.contains("Lens"))
      let tennis = try list("--channel", "TENNIS").output
      #expect(tennis.contains("Lens - Lille") && !tennis.contains("Ajax"))
      let unknown = try list("--channel", "live")
      #expect(
        unknown.status == .exit(2) && unknown.error.contains("'live'") && unknown.error.contains("popular, tennis"))
    }

    @Test("--speed without a recording ends with status 2 and a message with the reason")
    func speedOfOthers() throws {
      for (arguments, why) in [
        (["--speed", "10", "--feed", "-"], "'-' is a pipe"), (["--speed", "max"], "--feed FILE"),
        (["--speed", "2", "--feed", "/dev/null"], "'/dev/null' is a pipe"),
        (["--speed", "2", "--feed", "ws://127.0.0.1/v2"], "is a live feed"), (["--speed", "0"], "'0'"),
        (["--speed", "1001"], "'1001'"), (["list", "--speed", "10"], "--speed"),
      ] {
        let result = try Headless.run(arguments)
        #expect(result.status == .exit(2) && result.error.contains(why), "\(result.error)")
      }
    }

    @Test("--no-history is refused with a pipe, and with --plain and a recording, which have no history")
    func noHistory() throws {
      let file = TemporaryFile(twoTopics)
      for (arguments, feed) in [(["--feed", "-"], "-"), (["--plain", "--feed", file.path], file.path)] {
        let result = try Headless.run(["--no-history"] + arguments)
        #expect(result.status == .exit(2) && result.error.contains("--no-history"), "\(result.error)")
        #expect(result.error.contains("'\(feed)'"), "\(result.error)")
      }
    }

    // MARK: The board

    /// The first topic's price moves every eight seconds, the second's never.
    private var twoTopics: String {
      func line(_ seconds: Int, _ topic: String, _ message: String) -> String {
        #"{"receivedAt":\#(1_750_752_000_000 + seconds * 1000),"topic":"/sports/1/en/popular-matches-aggregator-main/"#
          + #"\#(topic)/all-locations/default-event-info/10/3","message":\#(message)}"# + "\n"
      }
      return line(0, "all-sports", FeedText.dump(FeedText.football()))
        + line(0, "3", FeedText.dump(FeedText.football(200, "Lens - Lille")))
        + (1...10).map { line($0 * 8, "all-sports", FeedText.update(FeedText.odds(121, "\($0).5"))) }.joined()
    }

    @Test("The board plays a recording to its end, jumps back and forward, and has a channel for each topic")
    func jumps() throws {
      let file = TemporaryFile(twoTopics)
      let board = try PtyBoard(["--feed", file.path, "--speed", "max"])
      #expect(board.wait { $0.text(0).contains("■ feed ended max 01:20/01:20") && $0.price("1", in: 2) == "10.50" })
      #expect(board.screen.text(0).hasPrefix(" 1 Popular  2 Tennis "))
      board.type("\u{1B}[D")
      #expect(board.wait { $0.text(0).contains("‖ paused max 01:10/01:20") && $0.price("1", in: 2) == "8.50" })
      board.type("\u{1B}[D\u{1B}[D")
      #expect(board.wait { $0.text(0).contains("00:50/01:20") && $0.price("1", in: 2) == "6.50" })
      board.type("\u{1B}[C")
      #expect(board.wait { $0.text(0).contains("01:00/01:20") && $0.price("1", in: 2) == "7.50" })
      board.type("\t")
      #expect(board.wait { $0.tab == "2 Tennis" && $0.text(2).contains("Lens - Lille") })
      board.type("1")
      #expect(
        board.wait { $0.tab == "1 Popular" && $0.price("1", in: 2) == "7.50" && $0.text(0).contains("01:00/01:20") })
      board.type(" ")
      #expect(board.wait { $0.text(0).contains("■ feed ended") && $0.price("1", in: 2) == "10.50" })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("Slow playback shows the beginning, and paused playback stops and can jump")
    func pause() throws {
      let file = TemporaryFile(twoTopics)
      let board = try PtyBoard(["--feed", file.path, "--speed", "0.01"])
      #expect(board.wait { $0.text(0).contains("▶ 0.01x 00:00/01:20") && $0.price("1", in: 2) == "2.45" })
      #expect(board.screen.hints.hasPrefix("Space pause ←→ 10s "))
      board.type(" ")
      #expect(board.wait { $0.text(0).contains("‖ paused 0.01x 00:00/01:20") && $0.hints.contains("Space play") })
      board.type("\u{1B}[C")
      #expect(board.wait { $0.text(0).contains("‖ paused 0.01x 00:10/01:20") && $0.price("1", in: 2) == "1.50" })
      board.type(" ")
      #expect(board.wait { $0.text(0).contains("▶ 0.01x 00:10/01:20") })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    /// Waits until the file has that many lines. Returns false if it does not in time.
    private func waitForLines(_ count: Int) -> Bool {
      let end = ContinuousClock.now + Program.timeout
      while ContinuousClock.now < end {
        if Headless.text(of: path).utf8.count(where: { $0 == 0x0A }) >= count { return true }
        // The recorder does not report what it writes, so poll the file.
        usleep(5000)
      }
      return false
    }
  }
}

extension Headless {
  /// Returns the text of a file; empty if there is no file.
  static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
