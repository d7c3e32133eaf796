import Dispatch
import Platform
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite(.timeLimit(.minutes(45)))
struct FileReadingTests {
  /// Returns a pipe that a thread of its own fills in parts: the reader blocks one of the pool's few threads. NB: The
  /// pipe cannot hold all bytes at once.
  private func filledPipe(of bytes: [UInt8]) -> CInt {
    var ends: [CInt] = [0, 0]
    precondition(pipe(&ends) == 0)
    let writer = ends[1]
    DispatchQueue(label: "toteboard.test.writer").async {
      var count = 0
      while count < bytes.count {
        let more = bytes.withUnsafeBytes { write(writer, $0.baseAddress! + count, min(50_001, bytes.count - count)) }
        precondition(more > 0)
        count += more
      }
      close(writer)
    }
    return ends[0]
  }

  @Test("A pipe that is written in parts is read to its end")
  func parts() {
    let bytes = (0..<1_300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
    let file = filledPipe(of: bytes)
    #expect(FileReading.bytes(of: file, limit: 16 << 20) == bytes)
    close(file)
  }

  @Test("A file of any size is read up to the limit", arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func limits(size: Int) {
    let file = TemporaryFile(String(repeating: "x", count: size))
    for limit in [0, 1, 65_536, 131_072, 200_000, 1 << 20] {
      lseek(file.descriptor, 0, SEEK_SET)
      #expect(FileReading.bytes(of: file.descriptor, limit: limit)?.count == min(size, limit))
    }
    #expect(FileReading.bytes(of: -1, limit: 10) == nil)
  }
}
