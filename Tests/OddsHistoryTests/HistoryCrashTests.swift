import CLibrary
import Foundation
import Localization
import OddsModel
import Platform
import TestSupport
import Testing

@testable import OddsHistory

/// A writing process is killed, or its disk is full. The file has all its complete batches, and nothing else.
///
/// The process is this program again. It runs one test only, which is configured by its environment.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HistoryCrashTests {
  private static let start: Int64 = 1_750_000_000_000

  /// The changes of a seed in batches, identical in every process.
  private struct Script {
    var book: RandomBook
    var reference = PriceHistoryReference()
    private var detector = ChangeDetector()
    private(set) var time = HistoryCrashTests.start
    private var isBegun = false

    init(seed: UInt64) { book = RandomBook(seed: seed, matches: 4) }

    mutating func batch() -> [HistoryEntry] {
      var entries: [HistoryEntry] = []
      let ids = isBegun ? (0..<20).map { _ in nil } : book.matches.keys.sorted().map { Optional($0) }
      isBegun = true
      for id in ids {
        time += 10
        let id = id ?? book.change()
        reference.record(id, book.matches[id], at: time)
        entries += detector.apply(MatchObservation(channel: 1, time: time, book.matches[id], of: id))
      }
      return entries
    }
  }

  @Test(
    "The child process writes until it is killed or the disk is full",
    .enabled(if: getenv("HISTORY_CRASH_FILE") != nil))
  func child() throws {
    let file = HistoryFile(String(cString: getenv("HISTORY_CRASH_FILE")))
    let seed = UInt64(String(cString: getenv("HISTORY_CRASH_SEED")))!
    if let limit = getenv("HISTORY_CRASH_LIMIT") {
      signal(SIGXFSZ, SIG_IGN)
      let bytes = rlim_t(String(cString: limit))!
      var limits = rlimit(rlim_cur: bytes, rlim_max: bytes)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0)
    }
    var script = Script(seed: seed)
    do throws(HistoryError) {
      let writer = try HistoryWriter(file, feed: "f")
      // To the end of the parent process at the latest.
      let parent = pid_t(String(cString: getenv("HISTORY_CRASH_PARENT")))!
      while getppid() == parent { try writer.write(script.batch(), completeUpTo: script.time) }
    } catch {
      _ = "\(error)".withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(error.kind == .full ? 77 : 1)
    }
  }

  /// Starts a writing process.
  private static func spawn(_ file: HistoryFile, _ seed: UInt64, limit: Int? = nil) throws -> ProgramProcess {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    try #require(count > 0)
    let program = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var variables = [
      "HISTORY_CRASH_FILE": file.path, "HISTORY_CRASH_SEED": "\(seed)", "HISTORY_CRASH_PARENT": "\(getpid())",
    ]
    if let limit { variables["HISTORY_CRASH_LIMIT"] = "\(limit)" }
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    let silence = open("/dev/null", O_RDWR | O_CLOEXEC)
    let log = open(Self.errors(of: file), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { for descriptor in [silence, log] { close(descriptor) } }
    return try ProgramProcess(
      [program, "--testing-library", "swift-testing", "--filter", "HistoryCrashTests.*child"],
      files: [silence, silence, log], environment: variables)
  }

  /// The file with the standard error of the writing processes.
  private static func errors(of file: HistoryFile) -> String { "\(file.path).errors" }

  /// Waits until a query of the file gives at least a value. Fails if a writing process ends before.
  private static func wait(
    _ sql: String, atLeast value: Int64, _ file: HistoryFile, _ writers: [ProgramProcess]
  ) throws {
    while ((try? file.openForReading().integer(sql)) ?? nil ?? 0) < value {
      try Task.checkCancellation()
      for writer in writers {
        let end = writer.wait(within: .zero)
        try #require(end == nil, "\((try? String(contentsOfFile: errors(of: file), encoding: .utf8)) ?? "")")
      }
      usleep(1000)
    }
  }

  /// Compares the file with the reference up to the last batch in the file, and returns the time of that batch.
  private static func check(_ file: HistoryFile, _ seed: UInt64) throws -> Int64 {
    try file.check()
    let database = try file.openForReading()
    let last = try database.integer("SELECT max(last) FROM run") ?? start
    var script = Script(seed: seed)
    while script.time < last { _ = script.batch() }
    #expect(last == script.time || last == start, "the last batch is whole")
    let written = try PriceHistoryReference.read(file)
    let expected = last == start ? [:] : script.reference.entries
    #expect(Set(written.keys) == Set(expected.keys))
    for (key, list) in expected {
      #expect(PriceHistoryReference.steps(written[key] ?? []) == PriceHistoryReference.steps(list), "\(key)")
    }
    // After the crash no price is known.
    let reader = try HistoryReader(file)
    for match in try reader.matches(since: 0) {
      for market in match.markets {
        for place in market.outcomes where try !reader.changes(of: place, in: 0..<last + 1).isEmpty {
          #expect(try reader.series(of: place, in: market, 0..<last + 5000).steps.last?.state ?? .unknown == .unknown)
        }
      }
    }
    return last
  }

  @Test("After the writer is killed at a random time, the file has all earlier batches", arguments: Laws.seeds(8))
  func killed(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let child = try Self.spawn(file, seed)
    // The first batch shows that the process has begun.
    try Self.wait("SELECT max(last) FROM run", atLeast: 1, file, [child])
    var random = SeededRandom(seed: seed)
    usleep(UInt32.random(in: 0...300_000, using: &random))
    child.send(SIGKILL)
    #expect(child.wait() == .signal(SIGKILL))
    #expect(try Self.check(file, seed) > Self.start)
    // The next run continues in the same file.
    let writer = try HistoryWriter(file, feed: "f")
    try writer.write([], completeUpTo: Self.start * 2)
  }

  @Test(
    "Two concurrent writers that are killed one after the other leave all batches of both",
    arguments: Laws.seeds(4))
  func twoProcesses(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let children = [try Self.spawn(file, seed), try Self.spawn(file, seed)]
    try Self.wait("SELECT count(*) FROM run WHERE last > begin", atLeast: 2, file, children)
    var random = SeededRandom(seed: seed)
    for child in children {
      usleep(UInt32.random(in: 0...200_000, using: &random))
      child.send(SIGKILL)
      #expect(child.wait() == .signal(SIGKILL))
    }
    #expect(try Self.check(file, seed) > Self.start)
  }

  @Test("When the disk is full, the file has all earlier batches", arguments: [60_000, 150_000, 400_000, 1_000_000])
  func full(limit: Int) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let child = try Self.spawn(file, 5, limit: limit)
    #expect(child.wait(within: .seconds(300)) == .exit(77), "the writer reports a full disk")
    _ = try Self.check(file, 5)
  }
}
