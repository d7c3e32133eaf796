import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite(
    "Whatever number of files may be open", .serialized,
    .enabled(if: getenv("TOTEBOARD_RACE") == nil, "the thread sanitizer needs files of its own"))
  struct OpenFilesTests {
    /// From what the dynamic linker gets by with up to where every command works.
    private static let limits = [4, 8, 13, 20, 30, 40, 44, 48, 56]

    private func script(_ limit: Int, _ arguments: String) -> [String] {
      ["-c", "ulimit -n \(limit); exec \(Program.path) \(arguments)"]
    }

    /// True where the program could not even be loaded: that is no matter of its own.
    private func isUnloaded(_ status: PtyProcess.Ending?) -> Bool { status == .exit(127) }

    @Test(
      "A command works, or says that more are needed: status 1", arguments: ["list", "changes", "record -", "--plain"])
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

    @Test("A networked feed too: it is told that there is no server, or that more are needed")
    func networked() throws {
      for limit in Self.limits {
        let arguments = script(limit, "list --feed ws://127.0.0.1:9/v2")
        let result = try Headless.run(arguments, program: "/bin/sh")
        if isUnloaded(result.status) { continue }
        #expect(result.status == .exit(1) && !result.error.isEmpty, "\(limit): \(result)")
      }
    }

    @Test("The board is shown, or the terminal is untouched")
    func board() throws {
      var works: [Bool] = []
      for limit in Self.limits where limit >= 13 {
        let board = try Board(script(limit, "--rate 0.1 --fresh"), program: "/bin/sh")
        _ = board.wait { screen in
          board.pty.text.contains("ulimit -n") || !screen.matches.isEmpty && !screen.counters.isEmpty
        }
        let isShown = !board.pty.text.contains("ulimit -n")
        if isShown { board.type("q") }
        let ending = board.ending()
        works.append(isShown)
        #expect(ending == .exit(isShown ? 0 : 1), "\(limit): \(board.pty.text)")
        #expect(PtyLeftOver(board.pty.output, rows: 24).settings.isEmpty && board.pty.modes == board.modes)
      }
      #expect(works.first == false && works.last == true)
    }
  }
}
