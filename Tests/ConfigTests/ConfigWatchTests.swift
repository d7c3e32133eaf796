import Platform
import TestSupport
import Testing

@testable import toteboard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("A watched file", .timeLimit(.minutes(45)))
struct ConfigWatchTests {
  private let directory = TemporaryDirectory()

  /// Watches a file during a change. Returns once the change is reported.
  private func expectNews(of name: String, _ change: () throws -> Void) async rethrows {
    let news = AsyncStream.makeStream(of: Void.self)
    let watch = ConfigWatch("\(directory.path)/\(name)") { news.continuation.yield() }
    defer { watch.cancel() }
    try change()
    for await _ in news.stream { break }
  }

  @Test("A file is reported when it is written, replaced or created, with its directories or without")
  func changes() async throws {
    try await expectNews(of: "a/b/config") {
      mkdir("\(directory.path)/a", 0o700)
      mkdir("\(directory.path)/a/b", 0o700)
      try directory.write("1", to: "a/b/config")
    }
    try await expectNews(of: "a/b/config") { try directory.write("22", to: "a/b/config") }
    try await expectNews(of: "a/b/config") {
      try directory.write("333", to: "a/b/config.new")
      rename("\(directory.path)/a/b/config.new", "\(directory.path)/a/b/config")
    }
    // Some editors keep a backup copy.
    try await expectNews(of: "a/b/config") {
      rename("\(directory.path)/a/b/config", "\(directory.path)/a/b/config~")
      try directory.write("4444", to: "a/b/config")
    }
  }

  @Test("A file is followed through a symbolic link, even when the link changes its target")
  func links() async throws {
    mkdir("\(directory.path)/real", 0o700)
    try directory.write("1", to: "real/config")
    symlink("\(directory.path)/real/config", "\(directory.path)/config")
    try await expectNews(of: "config") { try directory.write("22", to: "real/config") }
    try directory.write("333", to: "real/other")
    await expectNews(of: "config") {
      unlink("\(directory.path)/config")
      symlink("\(directory.path)/real/other", "\(directory.path)/config")
    }
  }

  @Test("A change between the reading of a file and the first watch is reported", arguments: [nil, "1"] as [String?])
  func changeBeforeWatch(old: String?) async throws {
    if let old { try directory.write(old, to: "config") }
    let path = "\(directory.path)/config"
    let state = FileState(path)
    try directory.write("22", to: "config")
    let news = AsyncStream.makeStream(of: Void.self)
    let watch = ConfigWatch(path, since: state) { news.continuation.yield() }
    defer { watch.cancel() }
    for await _ in news.stream { break }
  }

  @Test("A file is not watched again if watching ends while a change is handled")
  func endDuringChange() {
    let watch = ConfigWatch("\(directory.path)/config") {}
    #expect(watch.isWatching)
    watch.cancel()
    watch.rearm()
    #expect(!watch.isWatching)
  }

  @Test("A file is not reported when another file in its directory changes, or when it is deleted")
  func others() async throws {
    try directory.write("1", to: "config")
    let count = Locked(0)
    let watch = ConfigWatch("\(directory.path)/config") { count.withLock { $0 += 1 } }
    try await expectNews(of: "other") { try directory.write("1", to: "other") }
    unlink("\(directory.path)/config")
    try await expectNews(of: "third") { try directory.write("1", to: "third") }
    #expect(count.withLock { $0 } == 0)
    watch.cancel()
  }
}
