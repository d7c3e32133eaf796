import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The program without a terminal: pipes for its input, output and error.
enum Headless {
  struct Result {
    /// The exit status or signal; nil if the program did not end in time.
    var status: PtyProcess.TerminationStatus?
    var output = ""
    var error = ""
  }

  /// Runs the program to its end. The input must fit in a pipe. If `hasReader` is false, the output pipe has no reader.
  static func run(
    _ arguments: [String] = [], program: String = Program.path, input: String = "", hasReader: Bool = true,
    environment: [String: String?] = [:]
  ) throws -> Result {
    let (input, output, error) = (filled(with: input), openPipe(), openPipe())
    if !hasReader { close(output.read) }
    defer { ([input, error.read] + (hasReader ? [output.read] : [])).forEach { close($0) } }
    let process = try ProgramProcess(
      [program] + arguments, files: [input, output.write, error.write],
      environment: Program.environment(with: environment))
    close(output.write)
    close(error.write)
    let ends = ContinuousClock.now + Program.timeout
    var result = Result()
    var texts = readAll((hasReader ? [output.read] : []) + [error.read], until: ends)
    result.error = texts.removeLast()
    result.output = texts.first ?? ""
    result.status = process.wait(within: ends - ContinuousClock.now)
    return result
  }

  /// Imports a recording of messages, one a minute from 2025-06-24 08:00:00 UTC on, into the history.
  static func importMessages(_ messages: [String], environment: [String: String?]) throws -> Result {
    let lines = messages.enumerated().map { index, message in
      #"{"receivedAt":\#(1_750_752_000_000 + index * 60_000),"topic":"/t","message":\#(message)}"# + "\n"
    }
    let recording = TemporaryFile(lines.joined())
    return try withExtendedLifetime(recording) { try run(["import", recording.path], environment: environment) }
  }

  private static func filled(with text: String) -> CInt {
    let pipe = openPipe()
    sendBytes(text, to: pipe.write)
    close(pipe.write)
    return pipe.read
  }

  /// Reads several pipes to their ends, all at once, because a program waits while one of them is full.
  private static func readAll(_ files: [CInt], until end: ContinuousClock.Instant) -> [String] {
    var bytes = files.map { _ in [UInt8]() }
    // A negative descriptor, which poll(2) ignores, is that of a pipe at its end.
    var pipes = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65536)
    // A program may write without end.
    while pipes.contains(where: { $0.fd >= 0 }), case let left = end - ContinuousClock.now, left > .zero {
      guard poll(&pipes, nfds_t(pipes.count), CInt((left / .milliseconds(1)).rounded(.up))) > 0 else { break }
      for index in pipes.indices where pipes[index].revents != 0 {
        let count = read(pipes[index].fd, &buffer, buffer.count)
        if count > 0 { bytes[index] += buffer[..<count] } else { pipes[index].fd = -1 }
      }
    }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
