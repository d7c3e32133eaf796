import Platform
import TestSupport
import Testing

@testable import toteboard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("A file that is watched", .timeLimit(.minutes(60)))
struct ConfigWatchTests {
  private let directory = TemporaryDirectory()

  private func write(_ text: String, to name: String) {
    guard let file = fopen("\(directory.path)/\(name)", "w") else {
      Issue.record("'\(name)' cannot be written")
      return
    }
    fputs(text, file)
    fclose(file)
  }

  /// Watches a file while something is done to it; returns once that was told.
  private func expectNews(of name: String, _ change: () -> Void) async {
    let news = AsyncStream.makeStream(of: Void.self)
    let watch = ConfigWatch("\(directory.path)/\(name)") { news.continuation.yield() }
    change()
    for await _ in news.stream { break }
    watch.cancel()
  }

  @Test("tells that it was written, replaced by another, and made, with its directories or without")
  func changes() async {
    await expectNews(of: "a/b/config") {
      mkdir("\(directory.path)/a", 0o700)
      mkdir("\(directory.path)/a/b", 0o700)
      write("1", to: "a/b/config")
    }
    await expectNews(of: "a/b/config") { write("22", to: "a/b/config") }
    await expectNews(of: "a/b/config") {
      write("333", to: "a/b/config.new")
      rename("\(directory.path)/a/b/config.new", "\(directory.path)/a/b/config")
    }
    // As editors do that keep a copy.
    await expectNews(of: "a/b/config") {
      rename("\(directory.path)/a/b/config", "\(directory.path)/a/b/config~")
      write("4444", to: "a/b/config")
    }
  }

  @Test("is found behind a link, and where a link comes to lead elsewhere")
  func links() async {
    mkdir("\(directory.path)/real", 0o700)
    write("1", to: "real/config")
    symlink("\(directory.path)/real/config", "\(directory.path)/config")
    await expectNews(of: "config") { write("22", to: "real/config") }
    write("333", to: "real/other")
    await expectNews(of: "config") {
      unlink("\(directory.path)/config")
      symlink("\(directory.path)/real/other", "\(directory.path)/config")
    }
  }

  @Test("is not told of where another file of the directory changes, or it goes")
  func others() async {
    write("1", to: "config")
    let count = Locked(0)
    let watch = ConfigWatch("\(directory.path)/config") { count.withLock { $0 += 1 } }
    await expectNews(of: "other") { write("1", to: "other") }
    unlink("\(directory.path)/config")
    await expectNews(of: "third") { write("1", to: "third") }
    #expect(count.withLock { $0 } == 0)
    watch.cancel()
  }
}
