import CLateClose
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if os(Linux)
  struct LateCloseTests {
    @Test("A descriptor that is closed late stays open for its peers until this process ends")
    func staysOpen() {
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      defer { close(ends[0]) }
      close_after_exit(ends[1])
      close(ends[1])
      // A pipe hangs up with its last writer.
      var reader = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      #expect(poll(&reader, 1, 0) == 0)
    }
  }
#endif
