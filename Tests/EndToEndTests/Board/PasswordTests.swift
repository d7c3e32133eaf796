import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("The password of --login", .serialized)
  struct PasswordTests {
    /// Nothing listens at the address: the board starts, and shows the error.
    private static let arguments = ["--feed", "ws://127.0.0.1:9/v2", "--login", "ana"]

    private func start(
      _ more: [String] = [], environment: [String: String?] = [:], input: CInt? = nil
    ) throws -> PtyBoard {
      let nowhere = ["XDG_CACHE_HOME": "/dev/null/x", "XDG_STATE_HOME": "/dev/null/x", "HOME": "/dev/null/x"]
      return try PtyBoard(
        Self.arguments + more, environment: environment.merging(nowhere) { first, _ in first }, input: input)
    }

    private func isEchoing(_ board: PtyBoard) -> Bool { board.pty.modes == board.modes }

    /// Expects that the board shows the login form with the error of the failed login, and then ends it.
    private func expectForm(_ board: PtyBoard) {
      #expect(board.wait { $0.isAlternate && $0.contains("▸ Password") && $0.contains("127.0.0.1") })
      #expect(!board.pty.text.contains("topsecret"))
      board.type("\u{1B}")
      #expect(board.wait { !$0.contains("▸ Password") })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty && isEchoing(board))
    }

    @Test("The prompt appears on the terminal without echo, before the board starts")
    func prompt() throws {
      let board = try start()
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      #expect(!isEchoing(board) && !board.pty.text.contains("\u{1B}"))
      board.type("topsecret\n")
      expectForm(board)
    }

    @Test(
      "Every exit from the prompt restores the echo",
      arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT), ("", SIGTERM), ("\u{4}", 0), ("\n", 0)])
    func echo(keys: String, signal: CInt) throws {
      let board = try start()
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      if keys.isEmpty { board.process.send(signal) } else { board.type(keys) }
      #expect(board.terminationStatus() == (signal == 0 ? .exit(1) : .signal(signal)))
      #expect(isEchoing(board))
      if signal == 0 { #expect(board.pty.text.contains("no password given")) }
    }

    @Test("The server's prompt has no echo, and Ctrl-C restores the echo", arguments: [1, 2])
    func hashPassword(prompts: Int) throws {
      let board = try PtyBoard(["hash-password", "ana"], program: ServerProgram.path)
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      if prompts == 2 {
        board.type("topsecret\n")
        #expect(board.pty.read(until: "Repeat password: ", within: Program.timeout))
      }
      #expect(!isEchoing(board))
      board.type("\u{3}")
      #expect(board.terminationStatus() == .signal(SIGINT))
      #expect(isEchoing(board) && !board.pty.text.contains("topsecret"))
    }

    #if os(Linux)
      @Test(
        "A stopped prompt restores the echo, and asks again without echo in the foreground",
        .enabled(if: getenv("TOTEBOARD_RACE") == nil, "the thread sanitizer holds signals back"))
      func background() throws {
        let script =
          """
          \(([Program.path] + Self.arguments).joined(separator: " ")); echo "[stopped $?]"; bg >/dev/null
          read job others < /proc/$$/task/$$/children
          until grep -q '^State:.T' /proc/$job/status; do :; done; echo "[behind]"; read go; fg; echo "[ended $?]"
          """
        let board = try PtyBoard(["-mc", script], program: "/bin/sh")
        #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
        board.type("\u{1A}")
        #expect(board.pty.read(until: "[stopped 148]", within: Program.timeout))
        #expect(board.pty.read(until: "[behind]", within: Program.timeout))
        #expect(isEchoing(board))
        board.discardOutput()
        board.type("\n")
        #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
        #expect(!isEchoing(board))
        board.type("\u{4}")
        #expect(board.pty.read(until: "[ended 1]", within: Program.timeout))
        #expect(isEchoing(board))
      }
    #endif

    @Test("A password that is too long is refused, and none of it is left for the shell")
    func tooLong() throws {
      let board = try start()
      #expect(board.pty.read(until: "Password for ana: ", within: Program.timeout))
      board.type(String(repeating: "x", count: 3000) + "\n")
      #expect(board.terminationStatus() == .exit(1) && isEchoing(board))
      #expect(board.pty.text.contains("longer than 1,023 bytes") && !board.pty.text.contains("xx"))
    }

    @Test("--password-fd takes the password from the file descriptor, and the board starts")
    func descriptor() throws {
      let pipe = openPipe()
      sendBytes("topsecret\nmore", to: pipe.write)
      close(pipe.write)
      defer { close(pipe.read) }
      expectForm(try start(["--password-fd", "0"], input: pipe.read))
    }

    @Test("The password is read from the environment and removed from it")
    func environment() throws {
      let board = try start(environment: ["TOTEBOARD_PASSWORD": "topsecret"])
      #expect(board.wait { $0.isAlternate && $0.contains("▸ Password") })
      #if os(Linux)
        let text = try #require(board.process.procFile("environ"))
        #expect(text.contains("TERM=") && !text.contains("topsecret"))
      #endif
      expectForm(board)
    }

    @Test(
      "A descriptor that is not open or is empty ends with status 1 and a message with the cause",
      arguments: ["77", "3", "4", "5", "0"])
    func noPassword(descriptor: String) throws {
      let result = try Headless.run(Self.arguments + ["--password-fd", descriptor])
      #expect(result.status == .exit(1) && result.output.isEmpty)
      #expect(
        result.error.contains(descriptor == "0" ? "no password given" : "'\(descriptor)' cannot be read: Bad file"),
        "\(result.error)")
    }

    @Test(
      "Wrong usage ends with status 2 and a message that does not show the password",
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
