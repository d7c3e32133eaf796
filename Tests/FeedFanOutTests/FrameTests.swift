import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

@Suite struct FrameTests {
  private static let identity = BookIdentity(epoch: 12, book: 34)

  @Test("Each long topic has a distinct, short subject")
  func longTopics() throws {
    let subjects = try Subjects(name: "test")
    let paths = [1000, 1001, 4096].flatMap { length in
      ["a", "/", "é"].map { String(repeating: $0, count: length) }
    }
    let updates = paths.map { subjects.update(of: Topic(path: $0)) }
    #expect(Set(updates).count == paths.count)
    for update in updates { #expect(update.utf8.count <= 1100 && update.utf8.allSatisfy { 0x21...0x7E ~= $0 }) }
  }

  @Test("A token decodes to the path of its topic; the token of a long path and of the empty one decodes to no path")
  func decodesTokens() {
    let lengths = [0, 1, 170, 171, 341, 342, 1024, 1025] + Array(400..<500)
    for (character, encodedLength) in [("a", 1), ("/", 3), (".", 3), ("\u{E9}", 6)] {
      for length in lengths {
        let path = String(repeating: character, count: length)
        let isDecodable = 1...1024 ~= length * encodedLength
        #expect(Subjects.token(of: Topic(path: path)).percentDecoded == (isDecodable ? path : nil))
      }
    }
  }

  @Test("A frame header has 32 bytes, and each message has a prefix of 4 bytes")
  func sizes() {
    let frame = FeedFrame.updates([[1, 2, 3], [4]], Self.identity, offset: 5, limit: 1000)[0]
    #expect(frame.encoded.readableBytes == 32 + 4 + 3 + 4 + 1)
    #expect(FeedFrame(frame.encoded) == frame)
    #expect(LeaseRecord(LeaseRecord(epoch: 1, holder: 2).encoded) == LeaseRecord(epoch: 1, holder: 2))
    #expect(LeaseRecord(epoch: 1, holder: 2).encoded.readableBytes == 18)
  }

  @Test("Messages are decoded in order with their offsets at any size limit of a frame", arguments: 33...120)
  func cuts(limit: Int) {
    var random = SeededRandom(seed: UInt64(limit))
    let messages = (0..<40).map { number in
      Array(repeating: UInt8(number), count: Int.random(in: 0...100, using: &random))
    }
    var assembler = FrameAssembler()
    var joined: [[UInt8]] = []
    for frame in FeedFrame.updates(messages, Self.identity, offset: 1000, limit: limit) {
      #expect(frame.encoded.readableBytes <= limit)
      guard let whole = assembler.add(FeedFrame(frame.encoded)!) else { continue }
      #expect(whole.offset == UInt64(1000 + joined.count))
      joined += whole.messages!.map { Array(buffer: $0) }
    }
    #expect(joined == messages)
  }

  @Test("A frame with a missing part is dropped, and later frames are complete")
  func dropsParts() {
    let body = ByteBuffer(repeating: 7, count: 100)
    let parts = FeedFrame(.update, Self.identity, offset: 1, count: 1, body: body).cut(limit: 62)
    let next = FeedFrame(.update, Self.identity, offset: 2, body: ByteBuffer())
    #expect(parts.count == 4)
    for lost in parts.indices {
      var assembler = FrameAssembler()
      for index in parts.indices where index != lost { #expect(assembler.add(parts[index]) == nil) }
      #expect(assembler.add(next) == next)
      #expect(parts.compactMap { assembler.add($0) }.map(\.body) == [body])
    }
    var small = FrameAssembler(limit: 50)
    #expect(parts.allSatisfy { small.add($0) == nil })
  }

  @Test("Decoding corrupted frames, requests and announcements does not trap", arguments: 0..<300)
  func refusesGarbage(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bytes = FeedFrame.updates([[1, 2], [3]], Self.identity, offset: 5, limit: 1000)[0].encoded
    for _ in 0..<3 {
      bytes.setInteger(UInt8.random(in: .min ... .max, using: &random), at: Int.random(in: 0..<40, using: &random))
    }
    bytes = bytes.getSlice(at: 0, length: Int.random(in: 0...bytes.readableBytes, using: &random))!
    // None of these may trap. A decoded frame is used as by a gateway.
    if let frame = FeedFrame(bytes), let messages = frame.messages {
      var replica = TopicReplica()
      _ = replica.start() + replica.receive(messages, frame.identity, offset: frame.offset)
      _ = replica.receive(dump: bytes, frame.identity, last: frame.offset, attempt: 1)
    }
    _ = DumpRequest(bytes)
    _ = InterestAnnouncement(bytes)
    _ = LeaseRecord(bytes)
    #expect(FeedFrame(ByteBuffer()) == nil)
  }

  @Test("Requests and announcements are decoded unchanged")
  func encodes() {
    let topic = Topic(path: "/sports/é *.>")
    let request = DumpRequest(topic, gateway: 1, serial: 5, dump: 2, part: 3, minimum: 4, isOpening: true)
    let list = DumpRequest(topic, gateway: 1, serial: 5, minimum: 4, isForList: true)
    for sent in [request, list] { #expect(DumpRequest(sent.encoded) == sent) }
    for isWhole in [true, false] {
      let announcement = InterestAnnouncement(
        gateway: 9, serial: 8, isWhole: isWhole, topics: [topic, Topic(path: "")])
      #expect(InterestAnnouncement(announcement.encoded) == announcement)
    }
  }

  @Test("Refusals are decoded unchanged, long reasons are truncated, and any other body is decoded as a refusal")
  func refusals() {
    let refusals: [FeedFrame.Refusal] = [
      .unknown, .refused("not found: 'é'"), .busy, .tooMany(0), .tooMany(4096), .expired, .lost,
    ]
    for refusal in refusals { #expect(FeedFrame.Refusal(refusal.encoded) == refusal) }
    let long = FeedFrame.Refusal.refused(String(repeating: "é", count: 1000))
    #expect(FeedFrame.Refusal(long.encoded) == .refused(String(repeating: "é", count: 300)))
    #expect(FeedFrame.Refusal(ByteBuffer(bytes: [1, 0xFF])) == .refused("\u{FFFD}"))
    for bytes in [[], [0], [5, 1], [2, 1, 2, 3]] as [[UInt8]] {
      #expect(FeedFrame.Refusal(ByteBuffer(bytes: bytes)) == .busy)
    }
  }

  @Test("Each topic is encoded as a distinct, valid token of its subject")
  func namesSubjects() throws {
    let paths = ["", "/", ".", "a.b", "a/b", "a b", "*", ">", "a%2Eb", "%", "é", "\n", "a_b", "A"]
    let subjects = try Subjects(name: "book-1")
    let names = paths.map { subjects.update(of: Topic(path: $0)) }
    #expect(Set(names).count == paths.count)
    for name in names {
      let tokens = name.split(separator: ".", omittingEmptySubsequences: false)
      #expect(tokens.count == 3)
      #expect(tokens.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 33..<127 ~= $0 && $0 != 42 && $0 != 62 } })
    }
    for name in ["", "a b", "a.b", String(repeating: "a", count: 65)] {
      #expect(throws: NATSError.self) { try Subjects(name: name) }
    }
  }
}
