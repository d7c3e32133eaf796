import CBZip2
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import Betfair
@testable import FeedRecording

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Recordings of the stream, bare or compressed.
struct RecordingTests {
  private static var match: BetfairStream {
    var options = BetfairStream.Options()
    options.isMatch = true
    options.hasNames = true
    options.steps = 80
    return BetfairStream(seed: 7, options: options)
  }

  private static let topic = Recording.bareTopic

  private static func file(of bytes: [UInt8]) -> TemporaryFile {
    let file = TemporaryFile()
    #expect(write(file.descriptor, bytes, bytes.count) == bytes.count)
    return file
  }

  private static func state(of recording: Recording, until time: UInt32, from first: Int? = nil) throws -> [Match] {
    var (decoder, batch, state) = (recording.format.makeDecoder(), FeedBatch(), ChannelState())
    let start = first ?? 0
    let bytes = try recording.read(0, start..<recording.count(until: time), afterReset: first == nil)
    let subscription = Subscription(topic: topic, generation: 1)
    decoder.decode(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines), into: &batch)
    state.apply(batch)
    return Array(state.matchIDs).sorted().compactMap { state.match($0) }
  }

  @Test("The change of a line that cannot be read has the time of the line before it")
  func unreadableLine() throws {
    let subscription = Subscription(topic: Self.topic, generation: 1)
    var (decoder, times) = (BetfairDecoder(isRecorded: true), [Int64?]())
    for bytes in [Self.match.text, Array(#"{"op":"mcm","#.utf8)] {
      var batch = FeedBatch()
      decoder.decode(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines), into: &batch)
      times.append(try #require(batch.messages.last).receivedAt)
    }
    #expect(times[0] != nil && times[1] == times[0])
  }

  @Test("A recorded stream is recognized and played by its publication times")
  func plain() throws {
    let stream = Self.match
    let file = Self.file(of: stream.text)
    let format = DetectedFormat([BetfairFormat(), ToyFormat()]).format(of: file.descriptor)
    #expect(format is BetfairFormat)
    let recording = try Recording(descriptor: file.descriptor, format: format)
    #expect(recording.topics == [Self.topic] && recording.hasTimes)
    let span = stream.messages.last!.time - stream.messages[0].time
    #expect(recording.duration == .milliseconds(span) && span > 5000)
    #expect(recording.lastDump(0, by: UInt32(span)) == 0)
    let matches = try Self.state(of: recording, until: .max)
    #expect(matches.map(\.name) == ["Ajax v Porto", "Roma v Lyon", "Celtic v Benfica"])
    #expect(matches.map(\.status) == [.ended, .inProgress, .inProgress])
    #expect(matches.map(\.tradingStatus) == [.closed, .live, .live])
    #expect(matches[0].markets[0].outcomes.allSatisfy { !$0.isBettable && $0.offer?.status == .resolved })
    let middle = try Self.state(of: recording, until: UInt32(span / 10))
    #expect(middle.map(\.status) == [.pending, .pending, .pending])
  }

  @Test("A recorded stream is recognized if its first line is longer than 1 MiB and has its kind at the end")
  func longFirstLine() throws {
    let runners = Array(repeating: #"{"id":47972,"atb":[[2.5,1]]}"#, count: 50_000).joined(separator: ",")
    let market = #"{"id":"1.5","img":true,\#(DecoderTests.definition()),"rc":[\#(runners)]}"#
    let file = Self.file(of: Array(#"{"mc":[\#(market)],"ct":"SUB_IMAGE","pt":1000,"op":"mcm"}"#.utf8) + [0x0A])
    let format = DetectedFormat([BetfairFormat(), ToyFormat()]).format(of: file.descriptor)
    #expect(format is BetfairFormat)
    let recording = try Recording(descriptor: file.descriptor, format: format)
    #expect(try Self.state(of: recording, until: .max).map(\.name) == ["Ajax v Porto"])
  }

  @Test("A historical file without an image plays to the same state as the stream with one")
  func historical() throws {
    // Historical files have neither an image nor ids.
    let text = String(decoding: Self.match.text, as: UTF8.self).replacing(#""ct":"SUB_IMAGE","#, with: "")
      .replacing(#""img":true,"#, with: "").replacing(#""id":1,"#, with: "")
    let file = Self.file(of: Array(text.utf8))
    let recording = try Recording(
      descriptor: file.descriptor, format: DetectedFormat([BetfairFormat(), ToyFormat()]).format(of: file.descriptor))
    #expect(recording.lastDump(0, by: .max) == nil)
    #expect(try Self.state(of: recording, until: .max) == Self.state(ofPlain: Self.match.text))
  }

  private static func state(ofPlain bytes: [UInt8]) throws -> [Match] {
    let file = file(of: bytes)
    return try state(of: Recording(descriptor: file.descriptor, format: BetfairFormat()), until: .max)
  }

  @Test("Playback from an image in the middle of a recording gives the same state as from the beginning")
  func seek() throws {
    for seed: UInt64 in 0..<10 {
      let stream = BetfairStream(seed: seed)
      let file = Self.file(of: stream.text)
      let recording = try Recording(descriptor: file.descriptor, format: BetfairFormat())
      let length = UInt32(recording.duration / .milliseconds(1))
      for share: UInt32 in 1...5 {
        let time = length / 5 * share
        let dump = try #require(recording.lastDump(0, by: time))
        let (whole, part) = (
          try Self.state(of: recording, until: time), try Self.state(of: recording, until: time, from: dump)
        )
        #expect(whole.map(\.markets.count) == part.map(\.markets.count), "seed \(seed)")
        #expect(whole.map { $0.markets.map(\.exchange) } == part.map { $0.markets.map(\.exchange) }, "seed \(seed)")
        let prices = { (matches: [Match]) in matches.flatMap { $0.markets.flatMap { $0.outcomes.map(\.exchange) } } }
        #expect(prices(whole) == prices(part), "seed \(seed)")
      }
    }
  }

  @Test("A recording made by Toteboard is played by its times of receipt")
  func wrapped() throws {
    let file = TemporaryFile()
    let writer = RecordingWriter(
      descriptor: file.descriptor, name: file.path, format: BetfairFormat(), clock: DispatchAlarmClock())
    let subscription = Subscription(topic: Topic(path: "/betfair/live"), generation: 1)
    let stream = Self.match
    for (place, line) in stream.lines.enumerated() {
      try writer.add(
        TransportFrame(subscription: subscription, bytes: Array((line + "\r\n").utf8)), receivedAt: Int64(place) * 10)
    }
    #expect(try writer.finish().messages == stream.lines.count)
    let format = DetectedFormat([BetfairFormat(), ToyFormat()]).format(of: file.descriptor)
    #expect(format is BetfairFormat)
    let recording = try Recording(descriptor: file.descriptor, format: format)
    #expect(recording.topics == [subscription.topic])
    #expect(recording.duration == .milliseconds((stream.lines.count - 1) * 10))
    #expect(
      try Self.state(of: recording, until: .max).map(\.name) == ["Ajax v Porto", "Roma v Lyon", "Celtic v Benfica"])
  }

  @Test("A compressed file of one or several streams is decompressed, and a damaged file is an error")
  func compressed() throws {
    let bytes = Self.match.text
    let half = bytes.count / 2
    for parts in [[bytes], [Array(bytes[..<half]), Array(bytes[half...])]] {
      let file = Self.file(of: parts.flatMap(BZip2.compressed))
      let content = try #require(try BZip2File.decompressed(file.descriptor))
      let plain = content.descriptor
      defer { close(plain) }
      #expect(!content.endsEarly)
      // `inspect` and `record` read from the offset.
      #expect(lseek(plain, 0, SEEK_CUR) == 0)
      let recording = try Recording(descriptor: plain, format: BetfairFormat())
      #expect(try Self.state(of: recording, until: .max) == Self.state(ofPlain: bytes))
    }
    let plain = Self.file(of: bytes)
    #expect(try BZip2File.decompressed(plain.descriptor)?.descriptor == nil)
    let whole = BZip2.compressed(bytes)
    for damaged in [Array(whole.dropLast(20)), whole.prefix(40) + [0] + whole.dropFirst(41), whole + [1, 2, 3]] {
      let file = Self.file(of: damaged)
      #expect(throws: RecordingError.damaged) { try BZip2File.decompressed(file.descriptor) }
    }
  }

  @Test("A truncated compressed file is read up to its last whole block", arguments: [1, 20, 5000])
  func truncated(missing: Int) throws {
    var options = BetfairStream.Options()
    options.isMatch = true
    options.hasNames = true
    options.steps = 3000
    let bytes = BetfairStream(seed: 9, options: options).text
    let whole = BZip2.compressed(bytes)
    let file = Self.file(of: Array(whole.dropLast(missing)))
    let content = try #require(try BZip2File.decompressed(file.descriptor))
    defer { close(content.descriptor) }
    #expect(content.endsEarly)
    let size = Int(lseek(content.descriptor, 0, SEEK_END))
    #expect(size > 0 && size <= bytes.count)
    // A line that is cut off is ignored.
    let part = Array(bytes[..<size])
    let end = try #require(part.lastIndex(of: 0x0A))
    let recording = try Recording(descriptor: content.descriptor, format: BetfairFormat())
    #expect(try Self.state(of: recording, until: .max) == Self.state(ofPlain: Array(part[...end])))
    // A second stream that is cut off after its first bytes.
    let two = Self.file(of: BZip2.compressed(Array(bytes[...end])) + whole.prefix(3))
    let first = try #require(try BZip2File.decompressed(two.descriptor))
    #expect(first.endsEarly && Int(lseek(first.descriptor, 0, SEEK_END)) == end + 1)
    close(first.descriptor)
  }

  @Test("A compressed file cut off after its last whole block still yields all of that block")
  func cutAfterBlock() throws {
    var random = SeededRandom(seed: 3)
    // A portion of the output ends within the last block.
    let bytes = (0..<530_000).map { _ in UInt8.random(in: 65...68, using: &random) }
    let whole = BZip2.compressed(bytes)
    // A stream ends with 80 bits after the last block, and up to 7 to fill its last byte.
    for missing in 1...12 {
      let file = Self.file(of: Array(whole.dropLast(missing)))
      guard let content = try? BZip2File.decompressed(file.descriptor) else {
        Issue.record("\(missing) bytes are missing")
        continue
      }
      defer { close(content.descriptor) }
      let size = Int(lseek(content.descriptor, 0, SEEK_END))
      #expect(content.endsEarly && (size == bytes.count || missing > 10), "\(missing) \(size)")
    }
  }

  @Test("A small compressed file that expands excessively is an error with a remedy")
  func excessiveExpansion() throws {
    let stream = BZip2.compressed([UInt8](repeating: 0x20, count: 900_000))
    let file = Self.file(of: Array(repeatElement(stream, count: 80).joined()))
    let error = #expect(throws: RecordingError.self) { try BZip2File.decompressed(file.descriptor) }
    #expect(error?.description.contains("64") == true && error?.description.contains("bunzip2") == true)
    // A file just below the limit is not refused.
    let usual = Self.file(of: Array(repeatElement(stream, count: 70).joined()))
    let plain = try #require(try BZip2File.decompressed(usual.descriptor))
    close(plain.descriptor)
  }

  @Test("An inspection counts images and updates, and reports lines that are not messages")
  func inspection() throws {
    var inspection = Inspection(format: DetectedFormat([BetfairFormat(), ToyFormat()]))
    let text = Self.match.text + Array("nonsense\n{\"op\":\"rcm\"}\n".utf8)
    inspection.add(
      TransportFrame(subscription: Subscription(topic: Self.topic, generation: 1), bytes: text, framing: .lines))
    inspection.finish()
    let topic = try #require(inspection.topics.first)
    #expect(topic.dumps == 1 && topic.updates == Self.match.lines.count - 1 && topic.matchCount == 3)
    #expect(inspection.findingCounts == [.unparsable: 1, .unknownMessage: 1])
    #expect(topic.span?.lowerBound == Self.match.messages[0].time)
  }
}

extension Recording {
  /// Returns the number of lines of the first topic up to a time.
  fileprivate func count(until time: UInt32) -> Int {
    tracks[0].lines.indices.prefix { self.time(0, $0) <= time }.count
  }
}

private enum BZip2 {
  static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var (input, size) = (bytes.map { CChar(bitPattern: $0) }, UInt32(bytes.count + 1000))
    var output = [CChar](repeating: 0, count: Int(size))
    let result = BZ2_bzBuffToBuffCompress(&output, &size, &input, UInt32(input.count), 1, 0, 0)
    precondition(result == BZ_OK, "the bytes cannot be compressed")
    return output.prefix(Int(size)).map { UInt8(bitPattern: $0) }
  }
}
