import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("The alert command", .serialized)
  struct AlertCommandTests {
    @Test(
      "A signal that ends the board also ends the command and its child processes",
      arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT])
    func signals(signal: CInt) throws {
      let directory = TemporaryDirectory()
      mkfifo("\(directory.path)/pipe", 0o600)
      let pipe = open("\(directory.path)/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(pipe) }
      let config = TemporaryFile(
        """
        alert_command = ["sh", "-c", "exec 3> \(directory.path)/pipe; sleep 1000 & echo begun >&3; wait"]
        [[alert]]
        rule = "1 >= 2.5"
        """)
      let board = try PtyBoard.withFeed(
        FeedText.dump(FeedText.football()), arguments: ["--config", config.path],
        environment: ["XDG_STATE_HOME": directory.path])
      #expect(board.wait { !$0.matches.isEmpty })
      board.send(FeedText.update(FeedText.odds(121, "2.6")))
      #expect(wait(for: pipe, POLLIN))
      var begun = [UInt8](repeating: 0, count: 16)
      #expect(read(pipe, &begun, begun.count) == 6)
      board.process.send(signal)
      #expect(board.terminationStatus() == .signal(signal))
      // The pipe is closed when its last writer has ended.
      #expect(wait(for: pipe, POLLHUP))
    }

    private func wait(for pipe: CInt, _ event: CInt) -> Bool {
      var status = pollfd(fd: pipe, events: Int16(event), revents: 0)
      return poll(&status, 1, 20_000) == 1 && status.revents & Int16(event) != 0
    }
  }
}
