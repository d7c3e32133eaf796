import CLibrary
import JSONText
package import OddsFeed

extension Recording {
  /// Indexes a file from its beginning to its current end. The descriptor is duplicated, so the caller may close it.
  /// Throws if the file cannot be read, contains no message or has too many topics.
  ///
  /// - Parameter lineLimit: The greatest length of a message, in bytes.
  package init(descriptor: Int32, format: any FeedFormat, lineLimit: Int = LongLine.limit) throws(RecordingError) {
    file = try RecordingFile(descriptor)
    self.format = format
    self.lineLimit = lineLimit
    var index = RecordingIndex(format)
    var search = MessageSearch(format)
    var buffer: [UInt8] = []
    var known = 0
    // True while the rest of a line that is too long, which begins at or before `end`, is skipped.
    var isSkipping = false
    while true {
      let room = max(1 << 18, min(known, 1 << 20))
      if buffer.count < known + room {
        if known >= 1 << 20 { buffer.reserveCapacity(lineLimit + room) }
        buffer += [UInt8](repeating: 0, count: known + room - buffer.count)
      }
      let got = try file.read(into: &buffer, known..<known + room, from: end + Int64(known))
      known += got
      var used = 0
      if isSkipping {
        let newline = buffer.firstNewline(in: 0..<known)
        isSkipping = newline == nil
        used = newline.map { $0 + 1 } ?? known
        end += Int64(used)
      }
      let lines = add(buffer[used..<known], isLast: got == 0, to: &index, &search)
      end += Int64(lines)
      used += lines
      if got == 0 { break }
      if known - used > lineLimit {
        buffer[used..<known].withUnsafeBufferPointer { index.add($0, at: end, to: &self) }
        end += Int64(known - used)
        used = known
        isSkipping = true
      }
      known -= used
      buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[used..<used + known])) }
    }
    guard search.hasFound else { throw .noMessages }
    try index.finish(&self)
  }

  /// Indexes the whole lines in bytes that begin at offset `end`. Returns the number of bytes consumed.
  private mutating func add(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to index: inout RecordingIndex, _ search: inout MessageSearch
  ) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var at = 0
      while let newline = memchr(base + at, 0x0A, bytes.count - at) {
        let next = UnsafeRawPointer(base).distance(to: newline) + 1
        let line = UnsafeBufferPointer(rebasing: bytes[at..<next - 1])
        if line.count <= lineLimit { search.add(line) }
        index.add(line, at: end + Int64(at), to: &self)
        at = next
      }
      // A last line without newline counts only if it is complete JSON. Otherwise the recorder was interrupted.
      let rest = UnsafeBufferPointer(rebasing: bytes[at...])
      guard isLast, JSONCursor.isOneValue(rest) else { return at }
      search.add(rest)
      index.add(rest, at: end + Int64(at), to: &self)
      return bytes.count
    }
  }

  /// Returns the bytes of a topic's lines as stored in the file; of a line that is too long, its `LongLine.excerpt`. If
  /// `afterReset` is true, an empty dump precedes them, which clears the reader's state. Throws if the file has changed
  /// since it was opened, or cannot be read.
  package func read(_ topic: Int, _ places: Range<Int>, afterReset: Bool) throws(RecordingError) -> [UInt8] {
    var bytes: [UInt8] = []
    if afterReset {
      let line = RecordingLineFormat(topics[topic], tracks[topic].begin, format)
      format.emptyDump.withUnsafeBufferPointer { _ = line.append($0, to: &bytes) }
    }
    var place = places.lowerBound
    while place < places.upperBound {
      let first = place
      var run = self.bytes(topic, place)
      place += 1
      if run.count > lineLimit + 1 {
        try appendExcerpt(of: tracks[topic].lines[first], to: &bytes)
        continue
      }
      while place < places.upperBound, case let next = self.bytes(topic, place), next.lowerBound == run.upperBound,
        next.count <= lineLimit + 1
      {
        run = run.lowerBound..<next.upperBound
        place += 1
      }
      let start = Int64(bytes.count)
      try append(run, to: &bytes)
      try bytes.withUnsafeBufferPointer { bytes throws(RecordingError) in
        for place in first..<place {
          let line = self.bytes(topic, place)
          let part = Int(start + line.lowerBound - run.lowerBound)..<Int(start + line.upperBound - run.lowerBound)
          try check(tracks[topic].lines[place], UnsafeBufferPointer(rebasing: bytes[part]))
        }
      }
      // The file's last line may lack a newline, and is not necessarily the last that is played.
      if bytes.last != 0x0A { bytes.append(0x0A) }
    }
    return bytes
  }

  /// Throws if a line no longer has the beginning or the end that it had when the file was opened.
  private func check(_ line: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) throws(RecordingError) {
    let line = lines[Int(line)]
    let isEnd = line.offset + Int64(bytes.count) == end
    // NB: blank lines may follow.
    let newline = bytes.prefix(Line.markLength + 1).firstIndex(of: 0x0A)
    let first = newline.map { UnsafeBufferPointer(rebasing: bytes[...$0]) } ?? bytes
    guard bytes.last == 0x0A || isEnd, Line.mark(of: first) == line.mark else { throw .overwritten }
  }

  private func appendExcerpt(of line: UInt32, to bytes: inout [UInt8]) throws(RecordingError) {
    var beginning: [UInt8] = []
    let offset = lines[Int(line)].offset
    try append(offset..<offset + Int64(min(LongLine.excerptLength, lineLimit)), to: &beginning)
    guard beginning.withUnsafeBufferPointer({ Line.mark(of: $0) }) == lines[Int(line)].mark else { throw .overwritten }
    bytes += LongLine.excerpt(beginning)
  }

  private func append(_ run: Range<Int64>, to bytes: inout [UInt8]) throws(RecordingError) {
    var at = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: run.count))
    while at < bytes.count {
      let got = try file.read(into: &bytes, at..<bytes.count, from: run.upperBound - Int64(bytes.count - at))
      if got == 0 { throw .cutShort }
      at += got
    }
  }
}

extension Recording.Line {
  /// The number of bytes that the mark of a line depends on.
  static let markLength = 96

  /// Returns a hash of a line's first bytes, which usually contain a time, to detect that the line was overwritten.
  /// The line may end with its newline or lack it.
  static func mark(of line: UnsafeBufferPointer<UInt8>) -> UInt16 {
    let bytes = UnsafeRawBufferPointer(line)
    let count = min(markLength, bytes.last == 0x0A ? bytes.count - 1 : bytes.count)
    // Two sums, which the processor computes at the same time.
    var sums = (UInt64(0xCBF2_9CE4_8422_2325), UInt64(count))
    func add(_ word: UInt64, to sum: inout UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 32
    }
    func word(_ at: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) }
    var at = 0
    while at + 16 <= count {
      add(word(at), to: &sums.0)
      add(word(at + 8), to: &sums.1)
      at += 16
    }
    while at < count {
      add(UInt64(bytes[at]), to: &sums.0)
      at += 1
    }
    let hash = sums.0 ^ sums.1
    return UInt16(truncatingIfNeeded: hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48)
  }
}

/// An open file, closed when the last recording that uses it is released.
final class RecordingFile: Sendable {
  private let descriptor: Int32

  init(_ other: Int32) throws(RecordingError) {
    descriptor = fcntl(other, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .cannotRead(String(cString: strerror(errno))) }
  }

  deinit { close(descriptor) }

  /// Reads from an offset in the file into a part of the buffer. Returns the number of bytes, 0 at the end.
  func read(into buffer: inout [UInt8], _ part: Range<Int>, from place: Int64) throws(RecordingError) -> Int {
    while true {
      let got = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + part.lowerBound, part.count, off_t(place))
      }
      if got >= 0 { return got }
      if errno != EINTR { throw .cannotRead(String(cString: strerror(errno))) }
    }
  }
}
