internal import NIOCore

extension FeedFrame {
  /// Returns frames with the messages of one tick of a topic, in order.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first message.
  ///   - limit: The maximum size of a payload in bytes. A message that exceeds it is cut into parts.
  package static func updates(
    _ messages: [[UInt8]], _ identity: BookIdentity, offset: UInt64, limit: Int
  ) -> [FeedFrame] {
    var frames: [FeedFrame] = []
    var body = ByteBuffer()
    var count: UInt16 = 0
    var first = offset
    func finish() {
      if count == 0 { return }
      frames += FeedFrame(.update, identity, offset: first, count: count, body: body).cut(limit: limit)
      first += UInt64(count)
      body = ByteBuffer()
      count = 0
    }
    for message in messages {
      let size = 4 + message.count
      if count == .max || count > 0 && headerSize + body.readableBytes + size > limit { finish() }
      body.writeInteger(UInt32(message.count))
      body.writeBytes(message)
      count += 1
    }
    finish()
    return frames
  }

  /// Returns the frame in parts whose payloads have at most `limit` bytes.
  func cut(limit: Int) -> [FeedFrame] {
    let room = max(limit - Self.headerSize, 1)
    let parts = max(1, (body.readableBytes + room - 1) / room)
    if parts == 1 { return [self] }
    precondition(parts <= Int(UInt16.max), "a frame of \(body.readableBytes) bytes has too many parts")
    return (0..<parts).map { part in
      let start = body.readerIndex + part * room
      let size = min(room, body.writerIndex - start)
      return FeedFrame(
        kind, identity, offset: offset, count: count, part: UInt16(part), parts: UInt16(parts),
        body: body.getSlice(at: start, length: size)!)
    }
  }
}

/// Joins the parts of frames. Parts of one frame come in order, if at all: a part that does not continue the frame
/// begun drops that frame, and the reader notices the gap by its offset.
package struct FrameAssembler: Sendable {
  private var begun: FeedFrame?
  private var body = ByteBuffer()
  private let limit: Int

  /// - Parameter limit: The maximum size of a joined body in bytes.
  package init(limit: Int = 256 << 20) { self.limit = limit }

  /// Adds a frame. Returns the whole frame that it completes, or nil.
  package mutating func add(_ frame: FeedFrame) -> FeedFrame? {
    if frame.parts == 1 {
      begun = nil
      return frame
    }
    if frame.part == 0 {
      body = ByteBuffer()
    } else {
      guard let begun, begun.part + 1 == frame.part, begun.parts == frame.parts, begun.identity == frame.identity,
        begun.offset == frame.offset, begun.kind == frame.kind, body.readableBytes + frame.body.readableBytes <= limit
      else {
        begun = nil
        return nil
      }
    }
    body.writeImmutableBuffer(frame.body)
    guard frame.part + 1 == frame.parts else {
      begun = frame
      return nil
    }
    begun = nil
    defer { body = ByteBuffer() }
    return FeedFrame(frame.kind, frame.identity, offset: frame.offset, count: frame.count, body: body)
  }
}
