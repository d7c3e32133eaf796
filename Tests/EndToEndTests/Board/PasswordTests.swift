import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("Where the password of --login comes from", .serialized)
  struct PasswordTests {
    /// Nobody is there: the board comes up, and says so.
    private static let arguments = ["--feed", "ws://127.0.0.1:9/v2", "--login", "ana"]

    private func start(
      _ more: [String] = [], environment: [String: String?] = [:], input: CInt? = nil
    ) throws -> Board {
      let nowhere = ["XDG_CACHE_HOME": "/dev/null/x", "XDG_STATE_HOME": "/dev/null/x", "HOME": "/dev/null/x"]
      return try Board(
        Self.arguments + more, environment: environment.merging(nowhere) { first, _ in first }, input: input)
    }

    private func isEchoing(_ board: Board) -> Bool { board.pty.modes == board.modes }

    /// The board is up, and shows in its form that nobody could be logged in.
    private func expectForm(_ board: Board) {
      #expect(board.wait { $0.isAlternate && $0.contains("▸ Password") && $0.contains("127.0.0.1") })
      #expect(!board.pty.text.contains("topsecret"))
      board.type("\u{1B}")
      #expect(board.wait { !$0.contains("▸ Password") })
      board.type("q")
      #expect(board.ending() == .exit(0))
      #expect(PtyLeftOver(board.pty.output, rows: 24).settings.isEmpty && isEchoing(board))
    }

    @Test("It is asked for on the terminal, without echo, before the screen is taken")
    func prompt() throws {
      let board = try start()
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      #expect(!isEchoing(board) && !board.pty.text.contains("\u{1B}"))
      board.type("topsecret\n")
      expectForm(board)
    }

    @Test(
      "The echo is back after every way out of the prompt",
      arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT), ("", SIGTERM), ("\u{4}", 0), ("\n", 0)])
    func echo(keys: String, signal: CInt) throws {
      let board = try start()
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      if keys.isEmpty { board.process.send(signal) } else { board.type(keys) }
      #expect(board.ending() == (signal == 0 ? .exit(1) : .signal(signal)))
      #expect(isEchoing(board))
      if signal == 0 { #expect(board.pty.text.contains("no password given")) }
    }

    @Test("The server's prompt has no echo either, and Ctrl-C restores it", arguments: [1, 2])
    func hashPassword(prompts: Int) throws {
      let board = try Board(["hash-password", "ana"], program: ServerProgram.path)
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      if prompts == 2 {
        board.type("topsecret\n")
        #expect(board.pty.read(until: "Repeat password: ", within: Program.timeout))
      }
      #expect(!isEchoing(board))
      board.type("\u{3}")
      #expect(board.ending() == .signal(SIGINT))
      #expect(isEchoing(board) && !board.pty.text.contains("topsecret"))
    }

    #if os(Linux)
      @Test(
        "Stopped, and put into the background, it leaves the shell its echo; in front it asks again, without one",
        .enabled(if: getenv("TOTEBOARD_RACE") == nil, "the thread sanitizer holds signals back"))
      func background() throws {
        let script =
          """
          \(([Program.path] + Self.arguments).joined(separator: " ")); echo "[stopped $?]"; bg >/dev/null
          read job others < /proc/$$/task/$$/children
          until grep -q '^State:.T' /proc/$job/status; do :; done; echo "[behind]"; read go; fg; echo "[ended $?]"
          """
        let board = try Board(["-mc", script], program: "/bin/sh")
        #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
        board.type("\u{1A}")
        #expect(board.pty.read(until: "[stopped 148]", within: Program.timeout))
        #expect(board.pty.read(until: "[behind]", within: Program.timeout))
        #expect(isEchoing(board))
        board.forget()
        board.type("\n")
        #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
        #expect(!isEchoing(board))
        board.type("\u{4}")
        #expect(board.pty.read(until: "[ended 1]", within: Program.timeout))
        #expect(isEchoing(board))
      }
    #endif

    @Test("More than a line's length is refused, and none of it is left to the shell")
    func tooLong() throws {
      let board = try start()
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      board.type(String(repeating: "x", count: 3000) + "\n")
      #expect(board.ending() == .exit(1) && isEchoing(board))
      #expect(board.pty.text.contains("longer than 1,023 bytes") && !board.pty.text.contains("xx"))
    }

    @Test("From a file descriptor, of which it is the first line")
    func descriptor() throws {
      let pipe = openPipe()
      sendBytes("topsecret\nmore", to: pipe.write)
      close(pipe.write)
      defer { close(pipe.read) }
      expectForm(try start(["--password-fd", "0"], input: pipe.read))
    }

    @Test("From the environment, which then has it no longer")
    func environment() throws {
      let board = try start(environment: ["TOTEBOARD_PASSWORD": "topsecret"])
      #expect(board.wait { $0.isAlternate && $0.contains("▸ Password") })
      #if os(Linux)
        let file = open("/proc/\(board.process.id)/environ", O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(file, &bytes, bytes.count)
        let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        #expect(text.contains("TERM=") && !text.contains("topsecret"))
      #endif
      expectForm(board)
    }

    @Test(
      "A descriptor that is not open, or has nothing: status 1, and the message says what to do",
      arguments: ["77", "3", "4", "5", "0"])
    func noPassword(descriptor: String) throws {
      let result = try Headless.run(Self.arguments + ["--password-fd", descriptor])
      #expect(result.status == .exit(1) && result.output.isEmpty)
      #expect(
        result.error.contains(descriptor == "0" ? "no password given" : "'\(descriptor)' cannot be read: Bad file"),
        "\(result.error)")
    }

    @Test(
      "Wrong usage: status 2, what to do instead, and no password in the message",
      arguments: [
        (["--login", "ana", "--password", "topsecret"], "--password-fd"), (["--password=topsecret"], "--password-fd"),
        (["--feed", "wss://x/v2", "--login", "ana:topsecret"], "'ana:…'"),
        (["--feed", "wss://x/v2", "--login=ana:topsecret"], "'ana:…'"), (["--login", "ana"], "--demo-account"),
        (["--feed", "wss://x/v2", "--login", "a\u{7}b"], "control characters"),
        (["--feed", "wss://x/v2", "--login", ""], "--login has no value"),
        (["--feed", "-", "--login", "ana"], "'-' has no accounts"),
        (["--feed", "-", "--demo-account"], "simulated feed"),
        (["--feed", "wss://x/v2", "--demo-account"], "simulated feed"),
        (["--password-fd", "3"], "--login"), (["--stay-logged-in"], "--login"),
        (["--feed", "wss://x/v2", "--login", String(repeating: "x", count: 300)], "too long"),
      ])
    func usage(arguments: [String], words: String) throws {
      let result = try Headless.run(arguments)
      #expect(result.status == .exit(2) && result.output.isEmpty)
      #expect(result.error.hasPrefix("Error: ") && result.error.contains(words), "\(result.error)")
      #expect(!result.error.contains("topsecret") && !result.error.contains("\u{7}"), "\(result.error)")
    }
  }
}
