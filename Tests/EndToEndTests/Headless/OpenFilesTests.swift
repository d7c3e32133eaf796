import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite(
    "Low limits on open files", .serialized,
    .enabled(if: getenv("TOTEBOARD_RACE") == nil, "the thread sanitizer needs files of its own"))
  struct OpenFilesTests {
    /// From a limit that suffices for the dynamic linker up to one with which every command works.
    private static let limits = [4, 8, 13, 20, 30, 40, 44, 48, 56]

    private func script(_ limit: Int, _ arguments: String) -> [String] {
      ["-c", "ulimit -n \(limit); exec \(Program.path) \(arguments)"]
    }

    /// Returns true if the program could not be loaded, which is not an error of the program.
    private func isUnloaded(_ status: PtyProcess.TerminationStatus?) -> Bool { status == .exit(127) }

    @Test(
      "A command works, or ends with status 1 and names ulimit", arguments: ["list", "changes", "record -", "--plain"])
    func headless(command: String) throws {
      let feed = TemporaryFile(sampleFeed)
      var works: [Bool] = []
      for limit in Self.limits {
        for arguments in ["--feed -", "--feed \(feed.path)"] {
          let result = try Headless.run(
            script(limit, "\(command) \(arguments)"), program: "/bin/sh", input: sampleFeed)
          if isUnloaded(result.status) { continue }
          works.append(result.status == .exit(0))
          if result.status == .exit(0) { continue }
          #expect(result.status == .exit(1) && result.output.isEmpty, "\(limit): \(result)")
          #expect(result.error.contains("Too many open files") && result.error.contains("ulimit -n"), "\(limit)")
        }
      }
      #expect(works.first == false && works.last == true)
    }

    @Test("A command with a networked feed and no server ends with status 1 and a message")
    func networked() throws {
      for limit in Self.limits {
        let arguments = script(limit, "list --feed ws://127.0.0.1:9/v2")
        let result = try Headless.run(arguments, program: "/bin/sh")
        if isUnloaded(result.status) { continue }
        #expect(result.status == .exit(1) && !result.error.isEmpty, "\(limit): \(result)")
      }
    }

    @Test("The board starts, or leaves the terminal unchanged")
    func board() throws {
      var works: [Bool] = []
      for limit in Self.limits where limit >= 13 {
        let board = try PtyBoard(script(limit, "--rate 0.1 --fresh"), program: "/bin/sh")
        _ = board.wait { screen in
          board.pty.text.contains("ulimit -n") || !screen.matches.isEmpty && !screen.counters.isEmpty
        }
        let isShown = !board.pty.text.contains("ulimit -n")
        if isShown { board.type("q") }
        let ending = board.terminationStatus()
        works.append(isShown)
        #expect(ending == .exit(isShown ? 0 : 1), "\(limit): \(board.pty.text)")
        #expect(
          UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty && board.pty.modes == board.modes)
      }
      #expect(works.first == false && works.last == true)
    }
  }
}
