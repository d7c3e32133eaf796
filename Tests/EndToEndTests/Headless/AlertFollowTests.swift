import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("toteboard alerts --follow and --plain", .serialized)
  struct AlertFollowTests {
    @Test(
      "A full output pipe prevents neither the log nor the command nor the exit",
      arguments: [["alerts", "--follow"], ["--plain"]])
    func fullPipe(command: [String]) throws {
      let directory = TemporaryDirectory()
      let environment: [String: String?] = ["XDG_STATE_HOME": directory.path]
      mkfifo("\(directory.path)/pipe", 0o600)
      // The pipe is also open for writing, so that it does not end when a command has ended.
      let events = open("\(directory.path)/pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC)
      let config = TemporaryFile(
        """
        history = false
        alert_command = ["sh", "-c", "echo $TOTEBOARD_MATCH_ID > \(directory.path)/pipe"]
        [[alert]]
        rule = "1 >= 2.5"
        """)
      let (input, output, error) = (openPipe(), openPipe(), openPipe())
      defer { [events, input.write, output.read, output.write, error.read].forEach { close($0) } }
      fillPipe(output.write)
      let process = try ProgramProcess(
        [Program.path] + command + ["--feed", "-", "--config", config.path],
        files: [input.read, output.write, error.write], environment: Program.environment(with: environment))
      [input.read, error.write].forEach { close($0) }
      sendBytes(
        FeedText.dump(FeedText.football(), FeedText.football(200, "Lens - Lille")) + "\n", to: input.write)
      sendBytes(FeedText.update(FeedText.odds(121, "2.6")) + "\n", to: input.write)
      #expect(nextLine(of: events) == "100\n")
      sendBytes(FeedText.update(FeedText.odds(221, "2.6")) + "\n", to: input.write)
      #expect(nextLine(of: events) == "200\n")
      process.send(SIGTERM)
      #expect(process.wait(within: Program.timeout) == .signal(SIGTERM))
      let log = try Headless.run(["alerts", "--format", "json"], environment: environment)
      #expect(log.output.split(separator: "\n").count { $0.contains(#""event":"price""#) } == 2, "\(log.output)")
    }

    /// Returns the next output of a command; nil if it writes nothing in time.
    private func nextLine(of pipe: CInt) -> String? {
      guard waitUntilReadable(pipe, within: Program.timeout) else { return nil }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(pipe, &bytes, bytes.count)
      return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
  }
}
