import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The server program. Its initializer returns once the program has printed its addresses.
final class ServerProgram {
  static let path = Program.path + "-server"

  let process: ProgramProcess
  /// The tests' ends of the pipes for input, output and error.
  private let pipes: [CInt]
  let url: String
  /// The address of its administration; empty without `--admin`.
  let admin: String

  init(_ arguments: [String] = []) throws {
    let (input, output, error) = (openPipe(), openPipe(), openPipe())
    pipes = [input.write, output.read, error.read]
    process = try ProgramProcess(
      [Self.path, "--listen", "127.0.0.1:0"] + arguments, files: [input.read, output.write, error.write],
      environment: Program.environment(with: [:]))
    [input.read, output.write, error.write].forEach { close($0) }
    url = Self.lastWord(of: firstLine(of: output.read))
    admin = arguments.contains("--admin") ? Self.lastWord(of: firstLine(of: output.read)) : ""
  }

  deinit { pipes.forEach { close($0) } }

  private static func lastWord(of line: String) -> String { line.split(separator: " ").last.map(String.init) ?? "" }

  /// Sends the signal and waits for the end.
  func end(_ signal: CInt) -> ProgramProcess.TerminationStatus? {
    process.send(signal)
    return process.wait(within: Program.timeout)
  }
}

/// Returns the next line of a pipe without its end; only a part of it if the rest does not come in time.
private func firstLine(of file: CInt) -> String {
  var bytes: [UInt8] = []
  var byte: UInt8 = 0
  while waitUntilReadable(file), read(file, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("The server program", .timeLimit(.minutes(45)))
struct ServerProgramTests {
  @Test("Lists are served, and a signal ends the server although a client is connected", arguments: [SIGTERM, SIGINT])
  func drain(signal: CInt) throws {
    let server = try ServerProgram(["--matches", "3", "--rate", "50"])
    let list = try Headless.run(["list", "--feed", server.url, "--format", "csv", "--channel", "popular"])
    #expect(list.status == .exit(0))
    #expect(list.output.split(whereSeparator: \.isNewline).count > 3)

    let (input, output, error) = (openPipe(), openPipe(), openPipe())
    defer { [input.write, output.read, error.read].forEach { close($0) } }
    let listener = try ProgramProcess(
      [Program.path, "changes", "--feed", server.url, "--format", "text"],
      files: [input.read, output.write, error.write], environment: Program.environment(with: [:]))
    [input.read, output.write, error.write].forEach { close($0) }
    #expect(!firstLine(of: output.read).isEmpty)
    #expect(server.end(signal) == .exit(0))
    #expect(firstLine(of: error.read).hasPrefix("Waiting: "))
    withExtendedLifetime(listener) {}
  }

  @Test(
    "Invalid options are refused with a message that names the option, the value or the remedy",
    arguments: [
      (["--listen", "nowhere"], 2, "'nowhere'"), (["--listen", "127.0.0.1:99999"], 2, "'127.0.0.1:99999'"),
      (["--loop"], 2, "--recording"), (["--tls-key", "k"], 2, "--tls-cert"), (["--matches", "0"], 2, "'0'"),
      (["--recording", "/nowhere"], 1, "'/nowhere'"), (["--recording", "f", "--rate", "5"], 2, "--rate"),
      (["--recording", "f", "--matches", "5"], 2, "--matches"), (["--seed", "2", "--recording", "f"], 2, "--seed"),
      (["--listen", "127.0.0.1:0", "--token-file", "/nowhere"], 1, "'/nowhere'"),
      (["--listen", "192.0.2.1:80"], 1, "192.0.2.1:80"), (["--require-login"], 2, "--demo-user"),
      (["--demo-user", "a"], 2, "NAME:PASSWORD"), (["--demo-user", "a b:c"], 2, "letters, digits"),
      (["--demo-user", "a:b", "--admin", "0.0.0.0:80"], 2, "'0.0.0.0:80'"),
      (["--demo-user", "a:b", "--session-ttl", "1y"], 2, "'1y'"), (["--users", "/nowhere"], 1, "'/nowhere'"),
      (["--demo-user", "a:b", "--token-key-file", "/dev/null"], 1, "'/dev/null'"),
      (["--session-ttl", "12h"], 2, "--session-ttl '12h' requires users"),
      (["--trusted-proxy", "localhost"], 2, "'localhost'"), (["--trusted-proxy", "10.0.0.1/8"], 2, "'10.0.0.1/8'"),
      (["hash-password", "a b"], 2, "'a b'"),
      (["hash-password", "a"], 1, "password is empty"),
    ])
  func refusals(arguments: [String], code: Int, named: String) throws {
    let result = try Headless.run(arguments, program: ServerProgram.path)
    #expect(result.status == .exit(code))
    #expect(result.error.contains(named))
    #expect(result.output.isEmpty)
  }

  @Test("A user's line is made from the password on standard input; an invalid line of a users file is named")
  func users() throws {
    let line = try Headless.run(["hash-password", "anna"], program: ServerProgram.path, input: "hush\nmore\n")
    #expect(line.status == .exit(0) && line.error.isEmpty)
    #expect(line.output.hasPrefix("anna:$scrypt$ln=15,r=8,p=1$") && !line.output.contains("hush"))
    let users = TemporaryFile("# ours\n\(line.output)")
    let server = try ServerProgram(["--users", users.path, "--require-login", "--admin", "127.0.0.1:0"])
    #expect(server.url.hasPrefix("ws://127.0.0.1:"))
    let refused = try Headless.run(["list", "--feed", server.url])
    #expect(refused.status == .exit(1), "\(refused.error)")
    #expect(server.end(SIGTERM) == .exit(0))
    users.append("ben\n")
    let broken = try Headless.run(
      ["--listen", "127.0.0.1:0", "--users", users.path], program: ServerProgram.path)
    #expect(broken.status == .exit(1) && broken.error.contains("'\(users.path)'") && broken.error.contains("line 3"))
  }

  @Test("A users file of more than 1 MiB is read to its end, and one of more than 16 MiB is refused")
  func largeUsersFile() throws {
    let users = TemporaryFile(String(repeating: "#", count: 2 << 20) + "\nben\n")
    let broken = try Headless.run(["--listen", "127.0.0.1:0", "--users", users.path], program: ServerProgram.path)
    #expect(broken.status == .exit(1) && broken.error.contains("line 2"), "\(broken.error)")
    users.append(String(repeating: "#", count: 14 << 20))
    let large = try Headless.run(["--listen", "127.0.0.1:0", "--users", users.path], program: ServerProgram.path)
    #expect(large.status == .exit(1) && large.error.contains("is larger than 16 MiB"), "\(large.error)")
  }

  #if os(Linux)
    @Test("A password on the command line is not in the process list", arguments: [["--demo-user"], []])
    func processList(option: [String]) throws {
      let user = option.isEmpty ? ["--demo-user=anna:hush"] : option + ["anna:hush"]
      let server = try ServerProgram(user)
      #expect(server.url.hasPrefix("ws://"))
      let list = try #require(server.process.procFile("cmdline"))
      #expect(list.contains("--demo-user") && !list.contains("hush"), "\(list)")
      #expect(server.end(SIGTERM) == .exit(0))
    }
  #endif
}
