import CLibrary
import Dispatch
import Localization
import Platform
import TestSupport
import Testing

@testable import toteboard

@Suite("The processes of alert commands", .serialized, .timeLimit(.minutes(45)))
struct CommandRunnerTests {
  private let directory = TemporaryDirectory()
  private let errors = Locked<[String]>([])

  private func runner(
    _ command: [String], timeout: DispatchTimeInterval = .seconds(30), environment: [String: String] = [:]
  ) throws -> CommandRunner {
    let path = ["PATH": "/usr/bin:/bin", "D": directory.path]
    return CommandRunner(
      try CommandTemplate(command), timeout: timeout, environment: path.merging(environment) { $1 }
    ) { [errors] note, _ in
      errors.withLock { $0.append(Catalog.english.text(note)) }
    }
  }

  private func text(_ name: String) -> String {
    let file = open("\(directory.path)/\(name)", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    return String(decoding: FileReading.bytes(of: file, limit: 1 << 20) ?? [], as: UTF8.self)
  }

  /// Returns true if a process exists. One that has ended counts until it is waited for, but only if this process has
  /// to do that: in a container, the first process may not wait for others.
  private func isAlive(_ process: String) -> Bool {
    guard let id = pid_t(process.filter { $0.isNumber }), kill(id, 0) == 0 else { return false }
    let file = open("/proc/\(id)/stat", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let status = String(decoding: FileReading.bytes(of: file, limit: 4096) ?? [], as: UTF8.self)
    // The state and the parent follow the name, which is in parentheses.
    let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.first != "Z" || fields.dropFirst().first == "\(getpid())"
  }

  @Test("Arguments and variables reach the program unchanged; secrets of the board do not")
  func values() async throws {
    let script = #"printf '%s|' "$@" "$TOTEBOARD_MATCH" "$TOTEBOARD_PASSWORD" "$HOME" > "$D/t"; mv "$D/t" "$D/out""#
    let runner = try runner(
      ["sh", "-c", script, "x", "{match}", "{text}"], environment: ["TOTEBOARD_PASSWORD": "secret", "HOME": "/h"])
    runner.run(.sample("-rf", "$(touch \(directory.path)/hacked) {match}"))
    try await waitUntil { !text("out").isEmpty }
    #expect(text("out") == " -rf|$(touch \(directory.path)/hacked) {match}|-rf||/h|")
    runner.stop()
    #expect(directory.names() == ["out"])
    #expect(errors.withLock { $0 } == [])
  }

  @Test("A process has no terminal, no input, and no descriptor of the board")
  func isolation() async throws {
    // Opened without close-on-exec, as by some libraries.
    let inherited = open("/dev/null", O_RDONLY)
    let high = fcntl(inherited, F_DUPFD, 500)
    #expect(inherited >= 0 && high >= 500)
    defer { for file in [inherited, high] { close(file) } }
    let script =
      "cat; (: < /dev/tty) 2> /dev/null && echo terminal; for f in /proc/self/fd/*; do echo ${f##*/}; done | sort -n | tr '\\n' ' '"
    let runner = try runner(["sh", "-c", script])
    runner.run(.sample())
    try await waitUntil { errors.withLock { !$0.isEmpty } }
    // 3 is the directory that the shell reads.
    let note = errors.withLock { $0[0] }
    #expect(note == "'sh' wrote: 0 1 2 3" || note == "'sh' wrote: 0 1 2", "\(note)")
    runner.stop()
  }

  @Test("Each rule runs one process at a time; only the newest alert of a match waits, and dropped ones are counted")
  func oneAtATime() async throws {
    mkfifo("\(directory.path)/gate", 0o600)
    let gate = open("\(directory.path)/gate", O_RDWR | O_CLOEXEC)
    defer { close(gate) }
    let script =
      #"mkdir "$D/lock$2" || echo overlap >> "$D/log"; echo "$1" >> "$D/log"; read x < "$D/gate"; rmdir "$D/lock$2""#
    let runner = try runner(["sh", "-c", script, "x", "{text}", "{feed}"])
    func alert(_ text: String, _ id: Int, rule: String = "1") -> AlertLogEntry {
      var entry = AlertLogEntry.sample("m", text, rule: rule, id: "\(id)")
      entry.feed = rule
      return entry
    }
    runner.run(alert("first", 1))
    runner.run(alert("other", 1, rule: "2"))
    try await waitUntil { text("log").split(separator: "\n").count >= 2 }
    #expect(Set(text("log").split(separator: "\n")) == ["first", "other"])
    for number in 1...30 { runner.run(alert("a\(number)", number)) }
    runner.run(alert("newest", 2))
    // Each newline lets one process continue.
    _ = write(gate, Array(repeating: UInt8(ascii: "\n"), count: 22), 22)
    try await waitUntil { text("log").split(separator: "\n").count >= 22 }
    let lines = text("log").split(separator: "\n").map(String.init)
    #expect(lines.suffix(20) == ["a1", "newest"] + (3...20).map { "a\($0)" })
    #expect(errors.withLock { $0 } == ["10 alerts were dropped, because the command takes too long"])
    runner.stop()
  }

  @Test("A process that exceeds its time limit is killed with its group, even if it ignores signals")
  func timeLimit() async throws {
    let script =
      #"trap '' TERM HUP INT; sleep 100 & echo $! > "$D/child"; echo $$ > "$D/t"; mv "$D/t" "$D/parent"; echo begun; wait"#
    // The shell must have begun by then, also on a busy machine.
    let runner = try runner(["sh", "-c", script], timeout: .seconds(2))
    runner.run(.sample())
    try await waitUntil { errors.withLock { !$0.isEmpty } }
    #expect(errors.withLock { $0 } == ["'sh' was ended, because it took too long: begun"])
    try await waitUntil { !isAlive(text("child")) }
    #expect(!isAlive(text("parent")))
    runner.stop()
  }

  @Test("Stopping kills the running processes, leaves no zombie and starts no more")
  func end() async throws {
    let runner = try runner([
      "sh", "-c", #"echo $$ > "$D/$1.new"; mv "$D/$1.new" "$D/$1"; exec sleep 100"#, "x", "{rule}",
    ])
    for rule in 1...3 { runner.run(.sample(rule: "\(rule)")) }
    try await waitUntil { directory.names() == ["1", "2", "3"] }
    let start = ContinuousClock.now
    runner.stop()
    #expect(ContinuousClock.now - start < .milliseconds(500))
    for rule in 1...3 { #expect(!isAlive(text("\(rule)"))) }
    runner.run(.sample(rule: "4"))
    runner.stop()
    #expect(directory.names() == ["1", "2", "3"] && errors.withLock { $0 } == [])
  }

  @Test("Child processes end with the process, and so does the wait for output")
  func leftOver() async throws {
    let runner = try runner(["sh", "-c", #"sleep 100 & echo $! > "$D/child"; echo done"#])
    runner.run(.sample())
    try await waitUntil { errors.withLock { !$0.isEmpty } }
    #expect(errors.withLock { $0 } == ["'sh' wrote: done"])
    try await waitUntil { !isAlive(text("child")) }
    runner.stop()
  }

  @Test("The log has the beginning of the output, the status and the reason why a program does not start")
  func output() async throws {
    for (command, note) in [
      (["sh", "-c", "yes é | head -c 500000; exit 3"], "'sh' ended with status 3: é é é"),
      (["sh", "-c", "kill -9 $$"], "'sh' was ended by signal 9"),
      (["no-such-program"], "'no-such-program' cannot be started: No such file or directory"),
      (["sh", "-c", #"printf 'a\033[31m\nb\n' >&2"#], "'sh' wrote: a"),
    ] {
      let runner = try runner(command)
      runner.run(.sample())
      try await waitUntil { errors.withLock { !$0.isEmpty } }
      let found = errors.withLock { errors in
        defer { errors = [] }
        return errors[0]
      }
      #expect(found.hasPrefix(note) && found.utf8.count < 2100, "\(found.prefix(100))")
      #expect(!found.unicodeScalars.contains { $0.value < 0x20 })
      runner.stop()
    }
  }
}
