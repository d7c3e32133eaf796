import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import FeedServer

/// Random streams of a client's frames, split into reads at random positions.
@Suite("Decoding of client frames")
struct FrameLawTests {
  private static let limit = 4096

  @Test("valid frames give the same messages, however they are split into reads", arguments: 0..<40 as Range<UInt64>)
  func valid(seed: UInt64) throws {
    var stream = FrameStream(seed: seed, limit: Self.limit)
    stream.addMessages(6)
    stream.addClose()
    let whole = FrameReference(of: stream.bytes, limit: Self.limit)
    #expect(whole == FrameReference(frames: stream.frames))
    for longest in [1, 40, 5000] {
      #expect(try decode(stream.bytes, readsUpTo: longest, &stream.random) == whole)
    }
  }

  @Test(
    "an invalid frame is reported once, after all frames before it",
    arguments: BadClientTests.badFrames + BadClientTests.badCodes)
  func bad(frame: BadClientTests.BadFrame) throws {
    for seed in 0..<5 as Range<UInt64> {
      var stream = FrameStream(seed: seed, limit: Self.limit)
      stream.addMessages(Int.random(in: 0...4, using: &stream.random))
      let expected = FrameReference(frames: stream.frames, fault: frame.fault)
      stream.add(frame.bytes)
      stream.addMessages(4)
      #expect(FrameReference(of: stream.bytes, limit: Self.limit) == expected)
      #expect(try decode(stream.bytes, readsUpTo: 50, &stream.random) == expected)
    }
  }

  @Test("a damaged stream gives the frames before the damage and at most one error, for any split into reads")
  func damaged() throws {
    var faults: Set<SocketError> = []
    for seed in 0..<1000 as Range<UInt64> {
      var stream = FrameStream(seed: seed, limit: Self.limit)
      stream.addMessages(4)
      stream.addClose()
      stream.damage()
      let whole = FrameReference(of: stream.bytes, limit: Self.limit)
      for longest in [40, 5000] {
        let decoded = try decode(stream.bytes, readsUpTo: longest, &stream.random)
        #expect(decoded == whole, "seed \(seed)")
      }
      if let fault = whole.fault { faults.insert(fault) }
    }
    // The damage causes several kinds of errors.
    #expect(faults.isSuperset(of: [.unmasked, .reserved, .fragments, .notUTF8]))
  }

  /// Decodes the bytes in reads of at most `longest` bytes. A second fault is recorded as an issue.
  private func decode(
    _ bytes: [UInt8], readsUpTo longest: Int, _ random: inout SeededRandom
  ) throws -> FrameReference {
    let channel = EmbeddedChannel(handler: ByteToMessageHandler(ClientFrameDecoder(limit: Self.limit)))
    var result = FrameReference(frames: [])
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...longest, using: &random))
      do { try channel.writeInbound(ByteBuffer(bytes: bytes[start..<end])) } catch let fault as SocketError {
        if result.fault != nil { Issue.record("a second fault: \(fault)") }
        result.fault = fault
      } catch ByteToMessageDecoderError.dataReceivedInErrorState {
        #expect(result.fault != nil)
      }
      while let frame = try channel.readInbound(as: ClientFrame.self) { result.frames.append(frame) }
      start = end
    }
    _ = try channel.finish()
    #expect(try channel.readInbound(as: ClientFrame.self) == nil)
    return result
  }
}
