import OddsFeed

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Recording {
  /// Reads a file through once, from its beginning to its present end. The descriptor stays the caller's, who may close
  /// it.
  public init(descriptor: Int32) throws(Failure) {
    file = try RecordingFile(descriptor)
    var index = RecordingIndex()
    var buffer: [UInt8] = []
    var known = 0
    while true {
      let room = max(1 << 18, known)
      if buffer.count < known + room { buffer += [UInt8](repeating: 0, count: known + room - buffer.count) }
      let got = try file.read(into: &buffer, known..<known + room, from: end + Int64(known))
      let used = add(buffer[..<(known + got)], isLast: got == 0, to: &index)
      end += Int64(used)
      if got == 0 { break }
      known += got - used
      if known > LineTransport.longestLine { throw .lineTooLong(end) }
      buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[used..<used + known])) }
    }
    index.finish(&self)
  }

  /// Takes the whole lines of bytes that begin at `end`; returns how many bytes these were.
  private mutating func add(_ bytes: ArraySlice<UInt8>, isLast: Bool, to index: inout RecordingIndex) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var at = 0
      while let newline = memchr(base + at, 0x0A, bytes.count - at) {
        let next = UnsafeRawPointer(base).distance(to: newline) + 1
        index.add(UnsafeBufferPointer(rebasing: bytes[at..<next - 1]), at: end + Int64(at), to: &self)
        at = next
      }
      // Without its newline a last line is one only where it is whole: else the recorder was torn from it.
      let rest = UnsafeBufferPointer(rebasing: bytes[at...])
      guard isLast, JSONShape.isOneValue(rest) else { return at }
      index.add(rest, at: end + Int64(at), to: &self)
      return bytes.count
    }
  }

  /// The bytes of a topic's lines, as they stand in the file. After a reset an empty dump comes before them: it is what
  /// makes a reader forget.
  package func read(_ topic: Int, _ places: Range<Int>, afterReset: Bool) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    if afterReset {
      let time = tracks[topic].begin.map { #""receivedAt":\#($0),"# } ?? ""
      bytes += Array("{\(time)\"message\":{\"messageType\":\"INITIAL_DUMP\",\"records\":[]}}\n".utf8)
    }
    var place = places.lowerBound
    while place < places.upperBound {
      var run = self.bytes(topic, place)
      place += 1
      while place < places.upperBound, case let next = self.bytes(topic, place), next.lowerBound == run.upperBound {
        run = run.lowerBound..<next.upperBound
        place += 1
      }
      try append(run, to: &bytes)
      // The file's last line may have no newline, and need not be the last that is played.
      if bytes.last != 0x0A { bytes.append(0x0A) }
    }
    return bytes
  }

  private func append(_ run: Range<Int64>, to bytes: inout [UInt8]) throws(Failure) {
    var at = bytes.count
    bytes += [UInt8](repeating: 0, count: run.count)
    while at < bytes.count {
      let got = try file.read(into: &bytes, at..<bytes.count, from: run.upperBound - Int64(bytes.count - at))
      if got == 0 { throw .cutShort }
      at += got
    }
  }
}

/// A file that is open for as long as somebody plays it.
final class RecordingFile: Sendable {
  private let descriptor: Int32

  init(_ other: Int32) throws(Recording.Failure) {
    descriptor = fcntl(other, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .cannotRead(String(cString: strerror(errno))) }
  }

  deinit { close(descriptor) }

  /// Reads what there is at a place in the file into a part of the buffer; returns how many bytes, 0 at the end.
  func read(into buffer: inout [UInt8], _ part: Range<Int>, from place: Int64) throws(Recording.Failure) -> Int {
    while true {
      let got = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + part.lowerBound, part.count, off_t(place))
      }
      if got >= 0 { return got }
      if errno != EINTR { throw .cannotRead(String(cString: strerror(errno))) }
    }
  }
}
