import CLibrary
import JSONText
package import OddsFeed

/// The format of a feed whose provider is known from its first message only.
package struct DetectedFormat: FeedFormat {
  /// The bytes at the beginning of a file in which the first message is looked for, unless the first line is longer.
  private static let reach = 1 << 20

  let formats: [any FeedFormat]

  /// Creates a format that is one of the given. A feed without any known message counts as the last of them.
  package init(_ formats: [any FeedFormat]) {
    precondition(!formats.isEmpty, "a format to choose from")
    self.formats = formats
  }

  package var name: String { formats[formats.count - 1].name }

  /// Returns the format of a file; the last one if its beginning has no message of a known format.
  package func format(of descriptor: Int32) -> any FeedFormat {
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: Self.reach)
    // The key that shows the provider can be the last one of a line, so the first line is read to its end.
    var isLineCut = true
    while isLineCut, bytes.count <= LongLine.limit {
      let got = pread(descriptor, &portion, Self.reach, off_t(bytes.count))
      if got <= 0 { break }
      isLineCut = !portion.prefix(got).contains(0x0A)
      bytes += portion.prefix(got)
    }
    var found: (any FeedFormat)?
    bytes.withUnsafeBufferPointer { bytes in
      bytes.eachLine(in: 0..<bytes.count) { line in
        if found == nil { found = format(of: UnsafeBufferPointer(rebasing: bytes[line])) }
      }
    }
    return found ?? formats[formats.count - 1]
  }

  /// Returns the format of a line; nil if it is a message of none.
  func format(of line: UnsafeBufferPointer<UInt8>) -> (any FeedFormat)? {
    if let format = format(ofMessage: line) { return format }
    guard let recorded = RecordingLine(line, self), recorded.isEnvelope else { return nil }
    return format(ofMessage: UnsafeBufferPointer(rebasing: line[recorded.message]))
  }

  package func makeDecoder() -> any FeedDecoder { DetectingDecoder(self) }
  package func isMessage(_ line: UnsafeBufferPointer<UInt8>) -> Bool { format(ofMessage: line) != nil }

  // NB: the last format is asked first, because it decides by the first key. Others may have to skip all of a dump.
  package func format(ofMessage line: UnsafeBufferPointer<UInt8>) -> (any FeedFormat)? {
    let last = formats[formats.count - 1]
    return last.isMessage(line) ? last : formats.dropLast().first { $0.isMessage(line) }
  }

  package var emptyDump: [UInt8] { formats[formats.count - 1].emptyDump }

  package func head(of message: UnsafeBufferPointer<UInt8>) -> MessageHead {
    (format(ofMessage: message) ?? formats[formats.count - 1]).head(of: message)
  }

  package func description(of reason: FeedIssue.Reason) -> String {
    switch reason {
    case .wrongType(let field), .unreadableStatus(let field), .timeOutOfRange(let field):
      // The names of fields are those of a provider that has the field.
      (field.isOfExchange ? formats[0] : formats[formats.count - 1]).description(of: reason)
    default: formats[formats.count - 1].description(of: reason)
    }
  }
}

/// A decoder that chooses the format of its feed by the first message.
private struct DetectingDecoder: FeedDecoder {
  private let format: DetectedFormat
  private var chosen: (any FeedDecoder)?
  private var other: any FeedDecoder

  init(_ format: DetectedFormat) {
    self.format = format
    other = format.formats[format.formats.count - 1].makeDecoder()
  }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch) {
    if chosen == nil { chosen = format.format(of: UnsafeBufferPointer(rebasing: bytes[range]))?.makeDecoder() }
    if chosen == nil { other.decode(bytes, range, into: &batch) } else { chosen!.decode(bytes, range, into: &batch) }
  }
}
