import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("toteboard --plain", .serialized)
  struct PlainTests {
    /// Expects lines of whole sentences, each with its time, and no control characters.
    private func check(_ output: String) {
      #expect(output.hasSuffix("\n") && !output.isEmpty)
      #expect(output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
      for line in output.split(separator: "\n") {
        #expect(line.hasSuffix(".") && Array(line)[2] == ":" && Array(line)[5] == " ", "\(line)")
      }
    }

    /// Returns the sentences without their times.
    private func sentences(_ output: String) -> [String] {
      output.split(separator: "\n").map { String($0.dropFirst(6)) }
    }

    @Test("A feed on standard input is printed as sentences to its end")
    func input() throws {
      let result = try Headless.run(["--plain", "--feed", "-"], input: sampleFeed)
      #expect(result.status == .exit(0) && result.error.isEmpty)
      check(result.output)
      // Changes that arrive together are one sentence for each match, with the state at the end of the feed.
      #expect(
        sentences(result.output) == [
          "2 matches in Feed.", "Ajax - Porto: new; ended.",
          #"Köln, 1. FC - "浦和": new; home 1.50; draw 4.00; away 7.12."#, "The feed has ended.",
        ], "\(result.output)")
    }

    @Test("A recording is printed as sentences in the selected language")
    func recording() throws {
      let file = TemporaryFile(sampleFeed)
      let result = try Headless.run(["--plain", "--feed", file.path, "--speed", "max", "--language", "fr"])
      #expect(result.status == .exit(0) && result.error.isEmpty)
      check(result.output)
      #expect(sentences(result.output).last == "Le flux est terminé.")
    }

    @Test(
      "The simulated feed is printed as sentences until a signal ends the program",
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func simulated(signal: CInt) throws {
      let (input, output, error) = (openPipe(), openPipe(), openPipe())
      defer { [input.write, output.read, error.read].forEach { close($0) } }
      let process = try ProgramProcess(
        [Program.path, "--plain", "--rate", "500"], files: [input.read, output.write, error.write],
        environment: Program.environment(with: [:]))
      [input.read, output.write, error.write].forEach { close($0) }
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 4096)
      while text.split(separator: "\n").count < 5, waitUntilReadable(output.read, within: Program.timeout) {
        let count = read(output.read, &buffer, buffer.count)
        if count <= 0 { break }
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      check(text)
      #expect(text.contains(" matches in Live.\n"))
      process.send(signal)
      #expect(process.wait(within: Program.timeout) == .signal(signal))
    }

    @Test("A closed output pipe is not an error")
    func closedPipe() throws {
      for arguments in [["--plain"], ["--plain", "--feed", "-"]] {
        let result = try Headless.run(arguments, input: sampleFeed, hasReader: false)
        #expect(result.status == .exit(0) && result.error.isEmpty)
      }
    }

    @Test("A full output pipe does not prevent the exit")
    func slowReader() throws {
      let (input, output, error) = (openPipe(), openPipe(), openPipe())
      defer { [input.write, output.read, output.write, error.read].forEach { close($0) } }
      let process = try ProgramProcess(
        [Program.path, "--plain", "--rate", "5000"], files: [input.read, output.write, error.write],
        environment: Program.environment(with: [:]))
      [input.read, error.write].forEach { close($0) }
      #expect(waitUntilReadable(output.read, within: Program.timeout))
      // The program writes. Now fill the pipe, so that it can write no more.
      fillPipe(output.write)
      process.send(SIGTERM)
      #expect(process.wait(within: Program.timeout) == .signal(SIGTERM))
    }

    /// Reads a pipe until it has that text. Returns what it has.
    private func text(of pipe: CInt, until expected: String) -> String {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 4096)
      while !text.contains(expected), waitUntilReadable(pipe, within: Program.timeout) {
        let count = read(pipe, &buffer, buffer.count)
        if count <= 0 { break }
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text
    }

    @Test(
      "A full error pipe does not prevent the exit, although the board cannot be saved",
      arguments: [
        (["--plain"], " in Live."), (["alerts", "--follow", "--format", "json"], #""event":"price""#),
      ])
    func fullErrorPipe(command: [String], expected: String) throws {
      let server = try ServerProgram(["--rate", "50"])
      let directory = TemporaryDirectory()
      let config = TemporaryFile("history = false\n[[alert]]\nrule = \"1 >= 1.01\"\n")
      let (input, output, error) = (openPipe(), openPipe(), openPipe())
      defer { [input.write, output.read, error.read, error.write].forEach { close($0) } }
      fillPipe(error.write)
      let process = try ProgramProcess(
        [Program.path] + command + ["--feed", server.url, "--config", config.path],
        files: [input.read, output.write, error.write],
        environment: Program.environment(with: ["XDG_CACHE_HOME": "/dev/null/x", "XDG_STATE_HOME": directory.path]))
      [input.read, output.write].forEach { close($0) }
      let lines = text(of: output.read, until: expected)
      #expect(lines.contains(expected), "\(lines)")
      process.send(SIGTERM)
      #expect(process.wait(within: Program.timeout) == .signal(SIGTERM))
      withExtendedLifetime(server) {}
    }

    @Test("The log is written to a terminal too, before the program ends")
    func terminalLog() throws {
      let server = try ServerProgram(["--rate", "50"])
      let pty = try Pty()
      let (input, output) = (openPipe(), openPipe())
      defer { [input.write, output.read].forEach { close($0) } }
      let process = try ProgramProcess(
        [Program.path, "--plain", "--feed", server.url], files: [input.read, output.write, pty.device],
        environment: Program.environment(with: ["XDG_CACHE_HOME": "/dev/null/x"]))
      [input.read, output.write].forEach { close($0) }
      let lines = text(of: output.read, until: " in Live.")
      #expect(lines.contains(" in Live."), "\(lines)")
      process.send(SIGTERM)
      #expect(process.wait(within: Program.timeout) == .signal(SIGTERM))
      #expect(pty.read(until: " warning toteboard.cache: [OddsFeed] the board cannot be saved"), "\(pty.text)")
      withExtendedLifetime(server) {}
    }

    @Test("--demo-account is refused, because --plain shows no account")
    func account() throws {
      let result = try Headless.run(["--plain", "--demo-account"])
      #expect(
        result.status == .exit(2) && result.error.contains("--demo-account has no effect with 'toteboard --plain'"))
    }

    @Test("A missing feed file ends with status 1")
    func failed() throws {
      let result = try Headless.run(["--plain", "--feed", "/nonexistent/feed"])
      #expect(result.status == .exit(1) && result.output.isEmpty)
    }
  }
}
