import EveryMatrix
import NIOCore
import OddsModel

/// A minimal client of the feed. It speaks WAMP and answers each invocation. It reads only the version of an update,
/// and counts its changed records on request.
final class LoadClient: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case handshake, welcome, registered, dump, live
  }

  private let topics: [Topic]
  private let gauge: Gauge
  private let countsUpdates: Bool
  /// The index of the topic that is being opened.
  private var index = 0
  /// The size of the dumps so far, in bytes.
  private var dumpBytes = 0
  private var phase = Phase.handshake
  private var buffer = ByteBuffer()
  /// The reason for the end of the connection.
  private var reason = "closed by the server"
  /// The number of bytes of a large frame that are still to be skipped.
  private var skipped = 0

  /// Creates a client of these topics, which counts the changed records if `countsUpdates` is true.
  init(topics: [Topic], gauge: Gauge, countsUpdates: Bool) {
    self.topics = topics
    self.gauge = gauge
    self.countsUpdates = countsUpdates
  }

  func channelActive(context: ChannelHandlerContext) {
    let request =
      "GET /v2 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: \(WAMPMessage.subprotocol)\r\n\r\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { gauge.ended(isLive: phase == .live, reason) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    reason = "\(error)"
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var data = unwrapInboundIn(data)
    if skipped > 0 {
      let count = min(skipped, data.readableBytes)
      data.moveReaderIndex(forwardBy: count)
      skipped -= count
      if skipped > 0 { return }
      receivedDump(context)
    }
    if buffer.readableBytes == 0 { buffer = data } else { buffer.writeBuffer(&data) }
    if phase == .handshake, !readHandshake(context) { return }
    var answers = ByteBuffer()
    let now = Gauge.wallTime()
    while let frame = readFrame(context) { receive(frame, at: now, context, &answers) }
    if answers.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(answers), promise: nil) }
  }

  private func readHandshake(_ context: ChannelHandlerContext) -> Bool {
    guard let end = buffer.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
    guard buffer.readableBytesView.starts(with: "HTTP/1.1 101".utf8) else {
      reason = "refused: \(String(decoding: buffer.readableBytesView.prefix { $0 != 0x0D }, as: UTF8.self))"
      context.close(promise: nil)
      return false
    }
    buffer.moveReaderIndex(to: end.upperBound)
    phase = .welcome
    var hello = ByteBuffer()
    hello.writeClientFrame(WAMPMessage.hello(realm: "load").text)
    context.writeAndFlush(wrapOutboundOut(hello), promise: nil)
    return true
  }

  /// Returns the next complete frame; nil if there is none. While a dump is awaited, skips a RESULT of more than 64
  /// KiB, which is the dump.
  private func readFrame(_ context: ChannelHandlerContext) -> (opcode: UInt8, content: ByteBuffer)? {
    guard let (head, length) = buffer.peekFrameHead() else { return nil }
    var count = length
    let opcode = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self)! & 0x0F
    if count > 1 << 16, phase == .dump, buffer.getString(at: buffer.readerIndex + head, length: 4) == "[50," {
      dumpBytes += count
      count += head
      skipped = max(0, count - buffer.readableBytes)
      buffer.moveReaderIndex(forwardBy: min(count, buffer.readableBytes))
      guard skipped == 0 else { return nil }
      receivedDump(context)
      return readFrame(context)
    }
    guard buffer.readableBytes >= head + count else { return nil }
    buffer.moveReaderIndex(forwardBy: head)
    return (opcode, buffer.readSlice(length: count)!)
  }

  private func receive(
    _ frame: (opcode: UInt8, content: ByteBuffer), at now: Double, _ context: ChannelHandlerContext,
    _ answers: inout ByteBuffer
  ) {
    switch frame.opcode {
    case 0x9: return answers.writeClientFrame(opcode: 0xA, Array(frame.content.readableBytesView))
    case 0x1: break
    case 0x8:
      reason =
        "closed: \(frame.content.getString(at: frame.content.readerIndex + 2, length: frame.content.readableBytes - 2) ?? "")"
      return
    default: return
    }
    if phase == .handshake { return }
    // NB: topics that are open have updates while others are being opened.
    if frame.content.withUnsafeReadableBytes({ receiveUpdate($0, at: now, &answers) }) { return }
    if frame.content.readableBytesView.starts(with: "[8,".utf8) {
      reason = "refused: \(String(buffer: frame.content))"
      return context.close(promise: nil)
    }
    switch phase {
    case .welcome: register(&answers)
    case .registered:
      phase = .dump
      answers.writeClientFrame(
        WAMPMessage.call(
          request: UInt64(2 * index + 2), procedure: WAMPMessage.dumpProcedure, topic: topics[index].path
        ).text)
    case .dump:
      dumpBytes += frame.content.readableBytes
      receivedDump(context)
    case .handshake, .live: break
    }
  }

  /// Counts and answers an INVOCATION. Returns false for another message.
  private func receiveUpdate(_ text: UnsafeRawBufferPointer, at now: Double, _ answers: inout ByteBuffer) -> Bool {
    guard let invocation = Invocation(text) else { return false }
    answers.writeYield(invocation.request)
    let head = if text.count < 126 { 2 } else if text.count < 1 << 16 { 4 } else { 10 }
    gauge.received(
      invocation, bytes: head + text.count, updates: countsUpdates ? Invocation.updates(in: text) : nil, at: now)
    return true
  }

  private func register(_ answers: inout ByteBuffer) {
    phase = .registered
    answers.writeClientFrame(WAMPMessage.register(request: UInt64(2 * index + 1), procedure: topics[index].path).text)
  }

  /// Opens the next topic after a dump. After the last one, the client is live.
  private func receivedDump(_ context: ChannelHandlerContext) {
    guard phase == .dump else { return }
    index += 1
    if index == topics.count {
      phase = .live
      gauge.received(dumps: dumpBytes)
      return gauge.isLive()
    }
    var request = ByteBuffer()
    register(&request)
    context.writeAndFlush(wrapOutboundOut(request), promise: nil)
  }
}

/// The parts of an INVOCATION that the tool reads, without copying. Valid only as long as the text's memory.
struct Invocation {
  /// The digits of the request id.
  let request: UnsafeRawBufferPointer
  /// The version of the update, which is its time in milliseconds since 1970.
  let version: Int64

  init?(_ text: UnsafeRawBufferPointer) {
    guard text.count > 4, text.starts(with: "[68,".utf8) else { return nil }
    request = UnsafeRawBufferPointer(rebasing: text[4...].prefix(Self.digits(in: text, from: 4)))
    let limit = max(0, min(160, text.count - Self.key.count))
    guard let key = (0..<limit).first(where: { Self.isKey(text, $0) }) else { return nil }
    let start = key + Self.key.count
    version = text[start..<start + Self.digits(in: text, from: start)].reduce(0) { $0 &* 10 &+ Int64($1 - 0x30) }
  }

  /// Returns the number of changed records in a message.
  static func updates(in text: UnsafeRawBufferPointer) -> Int {
    text.indices.count { text[$0] == record[0] && text[$0...].starts(with: record) }
  }

  private static let record = Array(#""changeType""#.utf8)

  private static func digits(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    while end < text.count, 0x30...0x39 ~= text[end] { end += 1 }
    return end - start
  }

  private static let key = Array(#""version":""#.utf8)

  private static func isKey(_ text: UnsafeRawBufferPointer, _ at: Int) -> Bool {
    text[at] == key[0] && text[at + 1] == key[1] && text[at...].starts(with: key)
  }
}

extension ByteBuffer {
  /// Returns the length of the next frame's header and of its payload; nil if the header is incomplete.
  fileprivate func peekFrameHead() -> (head: Int, count: Int)? {
    guard let short = getInteger(at: readerIndex + 1, as: UInt8.self) else { return nil }
    switch short & 0x7F {
    case 126: return getInteger(at: readerIndex + 2, as: UInt16.self).map { (4, Int($0)) }
    case 127: return getInteger(at: readerIndex + 2, as: UInt64.self).map { (10, Int($0)) }
    default: return (2, Int(short))
    }
  }

  /// Writes the YIELD of a request in a client's frame.
  fileprivate mutating func writeYield(_ request: UnsafeRawBufferPointer) {
    writeInteger(0x8100_0000 as UInt32 | UInt32(0x80 | request.count + 8) << 16)
    writeInteger(0 as UInt16)
    writeStaticString("[70,")
    writeBytes(request)
    writeStaticString(",{}]")
  }

  /// Writes a client's frame. Its mask is zero, which is sufficient because no proxy is involved.
  fileprivate mutating func writeClientFrame(opcode: UInt8 = 0x1, _ content: [UInt8]) {
    writeInteger(0x80 | opcode)
    if content.count < 126 {
      writeInteger(0x80 | UInt8(content.count))
    } else {
      writeInteger(0x80 | 126 as UInt8)
      writeInteger(UInt16(content.count))
    }
    writeInteger(0 as UInt32)
    writeBytes(content)
  }
}
