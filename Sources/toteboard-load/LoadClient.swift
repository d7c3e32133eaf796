import NIOCore
import OddsFeed

/// A client of the feed as cheap as can be: it speaks real WAMP, answers each invocation, and looks at no more of an
/// update than its version.
final class LoadClient: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case handshake, welcome, registered, dump, live
  }

  private let topic: Topic
  private let gauge: Gauge
  private var phase = Phase.handshake
  private var buffer = ByteBuffer()
  /// Why the connection ends.
  private var reason = "closed by the server"
  /// Bytes of a large frame that are yet to come, and are not looked at.
  private var skipped = 0

  init(topic: Topic, gauge: Gauge) {
    self.topic = topic
    self.gauge = gauge
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
      dumpHasCome()
    }
    if buffer.readableBytes == 0 { buffer = data } else { buffer.writeBuffer(&data) }
    if phase == .handshake, !readHandshake(context) { return }
    var answers = ByteBuffer()
    let now = Gauge.wallTime()
    while let frame = readFrame() { take(frame, at: now, &answers) }
    if answers.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(answers), promise: nil) }
  }

  private func readHandshake(_ context: ChannelHandlerContext) -> Bool {
    guard let end = buffer.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
    guard buffer.readableBytesView.starts(with: "HTTP/1.1 101".utf8) else {
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

  /// The next whole frame; of a large one nothing.
  private func readFrame() -> (opcode: UInt8, content: ByteBuffer)? {
    guard let (head, length) = buffer.peekFrameHead() else { return nil }
    var count = length
    let opcode = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self)! & 0x0F
    if count > 1 << 16, phase == .dump {
      count += head
      skipped = max(0, count - buffer.readableBytes)
      buffer.moveReaderIndex(forwardBy: min(count, buffer.readableBytes))
      if skipped == 0 { dumpHasCome() }
      return skipped == 0 ? readFrame() : nil
    }
    guard buffer.readableBytes >= head + count else { return nil }
    buffer.moveReaderIndex(forwardBy: head)
    return (opcode, buffer.readSlice(length: count)!)
  }

  private func take(_ frame: (opcode: UInt8, content: ByteBuffer), at now: Double, _ answers: inout ByteBuffer) {
    switch frame.opcode {
    case 0x9: return answers.writeClientFrame(opcode: 0xA, Array(frame.content.readableBytesView))
    case 0x1: break
    case 0x8:
      reason =
        "closed: \(frame.content.getString(at: frame.content.readerIndex + 2, length: frame.content.readableBytes - 2) ?? "")"
      return
    default: return
    }
    switch phase {
    case .welcome:
      phase = .registered
      answers.writeClientFrame(WAMPMessage.register(request: 1, procedure: topic.path).text)
    case .registered:
      phase = .dump
      answers.writeClientFrame(
        WAMPMessage.call(request: 2, procedure: WAMPMessage.dumpProcedure, topic: topic.path).text)
    case .dump, .live:
      guard let invocation = Invocation(frame.content.readableBytesView) else { return dumpHasCome() }
      answers.writeClientFrame(WAMPMessage.yield(request: invocation.request).text)
      gauge.received(invocation, bytes: frame.content.readableBytes, at: now)
    case .handshake: break
    }
  }

  private func dumpHasCome() {
    guard phase == .dump else { return }
    phase = .live
    gauge.isLive()
  }
}

/// What the tool reads of an INVOCATION.
struct Invocation {
  let request: UInt64
  /// In milliseconds since 1970.
  let version: Int64

  init?(_ text: ByteBufferView) {
    guard text.starts(with: "[68,".utf8) else { return nil }
    request = text.dropFirst(4).number
    guard let place = text.prefix(160).firstRange(of: Self.key) else { return nil }
    version = Int64(text[place.upperBound...].number)
  }

  private static let key = Array(#""version":""#.utf8)
}

extension Collection<UInt8> {
  /// The digits that it begins with, as a number.
  fileprivate var number: UInt64 {
    prefix { $0 >= 0x30 && $0 <= 0x39 }.reduce(0) { $0 &* 10 &+ UInt64($1 - 0x30) }
  }
}

extension ByteBuffer {
  /// How long the next frame's head is, and how long what follows.
  fileprivate func peekFrameHead() -> (head: Int, count: Int)? {
    guard let short = getInteger(at: readerIndex + 1, as: UInt8.self) else { return nil }
    switch short & 0x7F {
    case 126: return getInteger(at: readerIndex + 2, as: UInt16.self).map { (4, Int($0)) }
    case 127: return getInteger(at: readerIndex + 2, as: UInt64.self).map { (10, Int($0)) }
    default: return (2, Int(short))
    }
  }

  /// Writes a frame of a client. The mask is zero, which is as good as any other on a line to oneself.
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
