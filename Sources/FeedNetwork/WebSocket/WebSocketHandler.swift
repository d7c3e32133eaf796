import Localization
import NIOCore
import NIOWebSocket
import OddsFeed
import OddsModel
import Platform

/// Handles one WebSocket on its event loop after the handshake: turns frames into events and commands into frames.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// A command of the connection's owner.
  enum Command: Sendable {
    case text([UInt8])
    case ping(UInt64)
    case close(UInt16)
  }

  /// The state of a connection that is closing.
  private enum Ending {
    /// A close frame was sent, and `timer` closes the channel. `fault` is the error to report at the end, if any.
    case begun(timer: Scheduled<Void>, fault: ConnectionError?)
    case over
  }

  private let name: LocalizedMessage
  private let inbox: Mailbox<FrameEvent, Never>
  private let limits: NetworkLimits
  private var ending: Ending?
  /// The fragments of the current message so far; nil between messages.
  private var message: [UInt8]?
  private var arrived: [FrameEvent] = []
  /// The time of the last `.progress` event.
  private var lastProgress: NIODeadline?
  /// The payload of the latest unanswered ping. Earlier ones need no answer (RFC 6455, 5.5.3).
  private var pong: ByteBuffer?

  init(name: LocalizedMessage, inbox: Mailbox<FrameEvent, Never>, limits: NetworkLimits) {
    self.name = name
    self.inbox = inbox
    self.limits = limits
  }

  func perform(_ commands: [Command], on channel: any Channel) {
    guard ending == nil, channel.isActive else { return }
    for command in commands {
      switch command {
      case .text(let bytes): write(.text, ByteBuffer(bytes: bytes), on: channel)
      case .ping(let number): write(.ping, ByteBuffer(integer: number), on: channel)
      case .close(let code):
        let closed = FeedError(.lineClosedFromHere, name, remedy: .remedyConnectAgain)
        return end(channel, code, reporting: ConnectionError(.closed(code: code), closed))
      }
    }
    channel.flush()
    if !channel.isWritable { checkUnsent(on: channel) }
  }

  func resumeReading(on channel: any Channel) {
    if channel.isActive { try? channel.syncOptions?.setOption(.autoRead, value: true) }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // The peer may have closed the connection during the upgrade.
    if !context.channel.isActive { channelInactive(context: context) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    if ending != nil {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    guard frame.maskKey == nil, frame.reservedBits.isEmpty else { return refuse(frame, .protocolError, on: context) }
    switch frame.opcode {
    case .text where message == nil:
      if frame.fin { receive([UInt8](buffer: frame.data), on: context) } else { message = [UInt8](buffer: frame.data) }
    case .continuation where message != nil:
      guard message!.count + frame.length <= limits.messageBytes else {
        return fail(LocalizedMessage(.lineMessageTooLong, name, limits.messageBytes), .messageTooLarge, on: context)
      }
      message!.append(contentsOf: frame.data.readableBytesView)
      if frame.fin {
        let whole = message!
        message = nil
        receive(whole, on: context)
      }
    case .binary: refuse(frame, .unacceptableData, on: context)
    case .ping: pong = frame.data
    case .pong: arrived.append(.pong(Self.number(in: frame.data)))
    case .connectionClose: closed(by: frame, on: context)
    default: refuse(frame, .protocolError, on: context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    noteProgress()
    deliver(on: context)
    answerPing(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    answerPing(context)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    switch ending {
    case nil: report(.lost, LocalizedMessage(.lineEndedSilently, name))
    case .begun(let timer, let fault):
      timer.cancel()
      if let fault { arrived.append(.closed(fault)) }
    case .over: break
    }
    ending = .over
    deliver(on: context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard ending == nil else { return context.close(promise: nil) }
    switch error {
    case NIOWebSocketError.invalidFrameLength:
      fail(LocalizedMessage(.lineFrameTooLong, name, limits.messageBytes), .messageTooLarge, on: context)
    case is NIOWebSocketError: fail(LocalizedMessage(.lineNoFrame, name), .protocolError, on: context)
    default:
      report(.lost, LocalizedMessage(.lineBrokeOff, name, ErrorMessages.reason(error)))
      ending = .over
      deliver(on: context)
      context.close(promise: nil)
    }
  }

  // MARK: Input

  /// Reports that data arrives, at most once a second, if there is no other event to report.
  private func noteProgress() {
    guard arrived.isEmpty, ending == nil else { return }
    let now = NIODeadline.now()
    if let lastProgress, now < lastProgress + .seconds(1) { return }
    lastProgress = now
    arrived.append(.progress)
  }

  /// Returns the number that a pong repeats; nil if its payload is not one.
  private static func number(in payload: ByteBuffer) -> UInt64? {
    if payload.readableBytes != MemoryLayout<UInt64>.size { return nil }
    return payload.getInteger(at: payload.readerIndex, as: UInt64.self)
  }

  private func receive(_ text: [UInt8], on context: ChannelHandlerContext) {
    guard text.isUTF8 else {
      return fail(LocalizedMessage(.lineNoUTF8, name), .dataInconsistentWithMessage, on: context)
    }
    arrived.append(.text(text))
  }

  private func closed(by frame: WebSocketFrame, on context: ChannelHandlerContext) {
    var data = frame.data
    let code = data.readInteger(as: UInt16.self)
    let reason = [UInt8](buffer: data)
    guard code.map(CloseCode.isValid) ?? reason.isEmpty, reason.isUTF8 else {
      return refuse(frame, .protocolError, on: context)
    }
    let what = code.map { LocalizedMessage(.lineClosedWithCode, name, "\($0)") } ?? LocalizedMessage(.lineClosed, name)
    report(.closed(code: code), what.quoting(String(decoding: reason, as: UTF8.self).printable()))
    end(context.channel, code, reporting: nil)
    deliver(on: context)
  }

  private func refuse(_ frame: WebSocketFrame, _ code: WebSocketErrorCode, on context: ChannelHandlerContext) {
    fail(LocalizedMessage(WebSocketRules.violation(by: frame), name), code, on: context)
  }

  private func fail(_ what: LocalizedMessage, _ code: WebSocketErrorCode, on context: ChannelHandlerContext) {
    report(.protocolViolation, what)
    end(context.channel, UInt16(webSocketErrorCode: code), reporting: nil)
    deliver(on: context)
  }

  private func report(_ kind: ConnectionError.Kind, _ what: LocalizedMessage) {
    let remedy = LocalizedMessage(kind == .protocolViolation ? .remedyCheckIsFeed : .remedyTriedAgain)
    arrived.append(.closed(ConnectionError(kind, FeedError(what, remedy: remedy))))
  }

  private func deliver(on context: ChannelHandlerContext) {
    if arrived.isEmpty { return }
    let hasRoom = putArrived()
    // While closing, keep reading: the peer's close frame must be seen even if no task reads the inbox.
    if !hasRoom, ending == nil { try? context.channel.syncOptions?.setOption(.autoRead, value: false) }
  }

  /// Moves the events that have arrived to the inbox. Returns false if it is full now.
  private func putArrived() -> Bool {
    defer { arrived.removeAll(keepingCapacity: true) }
    // NB: After the end, `send` adds nothing.
    if case .closed? = arrived.last { inbox.finish(with: arrived) }
    return inbox.send(contentsOf: arrived)
  }

  // MARK: Output

  private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, on channel: any Channel) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    channel.pipeline.syncOperations.write(wrapOutboundOut(frame), promise: nil)
  }

  private func answerPing(_ context: ChannelHandlerContext) {
    guard let data = pong, context.channel.isWritable, ending == nil else { return }
    pong = nil
    write(.pong, data, on: context.channel)
    context.flush()
  }

  /// Ends the connection if the peer reads too slowly, which bounds the memory for unsent data.
  private func checkUnsent(on channel: any Channel) {
    guard let unsent = try? channel.syncOptions?.getOption(.bufferedWritableBytes), unsent > limits.unsentBytes else {
      return
    }
    report(.lost, LocalizedMessage(.connectionNotWritable, name))
    ending = .over
    _ = putArrived()
    channel.close(promise: nil)
  }

  /// Sends a close frame and closes the channel when the peer answers or `limits.close` has passed.
  private func end(_ channel: any Channel, _ code: UInt16?, reporting fault: ConnectionError?) {
    var data = ByteBuffer()
    if let code { data.writeInteger(code) }
    write(.connectionClose, data, on: channel)
    channel.flush()
    message = nil
    let timer = channel.eventLoop.scheduleTask(in: limits.close) { channel.close(promise: nil) }
    ending = .begun(timer: timer, fault: fault)
    try? channel.syncOptions?.setOption(.autoRead, value: true)
  }
}
