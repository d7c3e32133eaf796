import Foundation
import Testing

@testable import FeedNetwork

#if os(Linux)
  @Suite("The network watch")
  struct NetworkWatchTests {
    /// True if this process may add addresses.
    private static let canChange = geteuid() == 0 && ip("addr", "add", "127.213.7.1/32", "dev", "lo") && remove()

    private static func remove() -> Bool { ip("addr", "del", "127.213.7.1/32", "dev", "lo") }

    private static func ip(_ arguments: String...) -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["ip"] + arguments
      process.standardError = nil
      do { try process.run() } catch { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    @Test(
      "reports a new address", .enabled(if: canChange, "needs root and ip(8)"), .timeLimit(.minutes(45)))
    func address() async throws {
      let (changes, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let watch = NetworkWatch { bell.yield() }
      #expect(watch != nil)
      #expect(Self.ip("addr", "add", "127.213.7.2/32", "dev", "lo"))
      defer { _ = Self.ip("addr", "del", "127.213.7.2/32", "dev", "lo") }
      var iterator = changes.makeAsyncIterator()
      await #expect(iterator.next() != nil)
      withExtendedLifetime(watch) {}
    }
  }
#endif
