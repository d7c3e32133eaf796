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
    result.output = hasReader ? readAll(output.read, until: ends) : ""
    result.error = readAll(error.read, until: ends)
    result.status = process.wait(within: ends - ContinuousClock.now)
    return result
  }

  private static func filled(with text: String) -> CInt {
    let pipe = openPipe()
    sendBytes(text, to: pipe.write)
    close(pipe.write)
    return pipe.read
  }

  private static func readAll(_ file: CInt, until end: ContinuousClock.Instant) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while waitUntilReadable(file, within: end - ContinuousClock.now) {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
      // A program may write without end.
      if ContinuousClock.now >= end { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
