import CoreMetrics
import EveryMatrix
import FeedSimulator
import NIOCore
import NIOWebSocket
import OddsFeed
import OddsModel

extension SocketSession {
  /// Performs the outputs of the conversation. `reason` goes into the close frame, if one is sent.
  func perform(_ outputs: [WAMPConversation.Output], reason: String = "") {
    for output in outputs {
      switch output {
      case .send(let text): send(text)
      case .join(let topic, let request): join(topic, request)
      case .leave(_, let registration):
        guard let index = subscriptions.firstIndex(where: { $0.registration == registration }) else { continue }
        leave(index)
      case .dump(let topic, let request): answerDump(of: topic, request)
      case .close(let code):
        if code == CloseCode.protocolError { dependencies.metrics.refused(.request) }
        close(code: code, reason)
      }
    }
  }

  /// Sends the new messages of all topics. Called by `flush()`.
  func flushTopics() {
    guard !isClosing, !subscriptions.isEmpty, let context else { return }
    guard context.channel.isWritable else {
      if subscriptions.contains(where: \.log.isEnded) { endWithTopic() } else { dropMessages() }
      return
    }
    var batch = Batch(context: context)
    // NB: A write can end the session, and so remove its subscriptions.
    let registrations = registrationsInTurn
    nextInTurn = nil
    for registration in registrations {
      guard context.channel.isWritable else {
        nextInTurn = registration
        break
      }
      flush(registration, in: &batch)
    }
    batch.end()
    if !context.channel.isWritable { dropMessages() }
    let sent = batch.frames + batch.dumps
    if sent > 0 { allowance.sent(sent, now: context.eventLoop.now) }
    let metrics = dependencies.metrics
    if batch.frames > 0 {
      metrics.framesSent.increment(by: batch.frames)
      metrics.bytesSent.increment(by: batch.bytes)
    }
    if batch.conflated > 0 { metrics.conflated.increment(by: batch.conflated) }
    if batch.dumps > 0 { metrics.catchUpDumps.increment(by: batch.dumps) }
    if batch.hasEndedTopic { endWithTopic() }
  }

  /// The registrations of all topics, from the one at which the last flush ended because the socket took no more: no
  /// topic waits for the others again and again.
  private var registrationsInTurn: [UInt64] {
    let all = subscriptions.map(\.registration)
    guard let nextInTurn, let first = all.firstIndex(of: nextInTurn) else { return all }
    return Array(all[first...] + all[..<first])
  }

  /// Drops the conflated messages that cannot be sent now, except the first in turn: they would take memory that no
  /// limit counts, and are out of date when they can be sent.
  private func dropMessages() {
    var isFirst = true
    for registration in registrationsInTurn {
      let index = subscriptions.firstIndex { $0.registration == registration }!
      guard case .message = subscriptions[index].catchUp else { continue }
      if isFirst { nextInTurn = registration } else { subscriptions[index].catchUp = .none }
      isFirst = false
    }
  }

  private func flush(_ registration: UInt64, in batch: inout Batch) {
    guard let index = subscriptions.firstIndex(where: { $0.registration == registration }) else { return }
    switch subscriptions[index].catchUp {
    case .making:
      if subscriptions[index].log.isEnded { batch.hasEndedTopic = true }
      return
    case .message(let message, let last):
      subscriptions[index].caughtUp(to: last)
      batch.conflated += 1
      batch.add(conversation.nextInvocation(of: registration), message)
    case .dump(let dump):
      // It waited for the socket until messages after it were dropped: it is old, and the client would need another
      // one.
      if case .lost = subscriptions[index].log.news(after: dump.last) {
        dropCatchUp(index)
        return catchUpByDump(index)
      }
      // From here on, `send` owns the reservation of the dump.
      subscriptions[index].caughtUp(to: dump.last)
      batch.dumps += 1
      batch.end()
      send(conversation.nextInvocation(of: registration), dump.payload, countedAs: address)
    case .none: break
    }
    flushNews(registration, in: &batch)
  }

  private func flushNews(_ registration: UInt64, in batch: inout Batch) {
    guard let index = subscriptions.firstIndex(where: { $0.registration == registration }) else { return }
    switch subscriptions[index].log.news(after: subscriptions[index].cursor) {
    case .none: break
    case .messages(let messages, _):
      var sent: UInt64 = 0
      for message in messages where batch.canWrite {
        sent += 1
        batch.add(conversation.nextInvocation(of: registration), message)
      }
      guard let index = subscriptions.firstIndex(where: { $0.registration == registration }) else { return }
      subscriptions[index].cursor += sent
    case .conflated(let range): catchUp(index, range)
    case .lost: catchUpByDump(index)
    case .ended: batch.hasEndedTopic = true
    }
  }

  private static let bracket = ByteBuffer(string: "]")

  /// Sends a text; with a payload, the text is its prefix and `]` its suffix. With `address`, the payload was reserved
  /// in `UnsentDumps` and is released when it is written or the connection ends.
  func send(_ text: [UInt8], _ payload: ByteBuffer? = nil, countedAs address: String? = nil) {
    let bytes = payload?.readableBytes ?? 0
    guard !isClosing, let context else {
      if let address { dependencies.hub.unsent.release(bytes, of: address) }
      return
    }
    var frame = context.channel.allocator.buffer(capacity: text.count + ByteBuffer.longestFrameHead)
    frame.writeFrameHead(.text, count: text.count + (payload.map { $0.readableBytes + 1 } ?? 0))
    frame.writeBytes(text)
    context.write(wrapOutboundOut(frame), promise: nil)
    if let payload {
      context.write(wrapOutboundOut(payload), promise: nil)
      var written: EventLoopPromise<Void>?
      if let address {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { [hub = dependencies.hub] _ in hub.unsent.release(bytes, of: address) }
        written = promise
        dependencies.hub.work.charge(address, TopicWork(), bytes: bytes, now: context.eventLoop.now)
      }
      context.write(wrapOutboundOut(Self.bracket), promise: written)
    }
    if payload != nil || !context.channel.isWritable { context.flush() }
    let count = frame.readableBytes + (payload.map { $0.readableBytes + 1 } ?? 0)
    dependencies.metrics.framesSent.increment()
    dependencies.metrics.bytesSent.increment(by: count)
  }
}

/// A batch of frames for one client, written together.
private struct Batch {
  /// The buffer size from which the batch is written, in bytes.
  private static let maxBytes = 1 << 15

  private let context: ChannelHandlerContext
  private var buffer = ByteBuffer()
  private(set) var frames = 0
  private(set) var bytes = 0
  var conflated = 0
  var dumps = 0
  /// True if the log of a topic has ended.
  var hasEndedTopic = false

  init(context: ChannelHandlerContext) { self.context = context }

  /// False while the channel is not writable.
  var canWrite: Bool { context.channel.isWritable }

  mutating func add(_ head: [UInt8], _ payload: ByteBuffer) {
    let count = ByteBuffer.longestFrameHead + head.count + payload.readableBytes + 1
    if frames == 0 { buffer = context.channel.allocator.buffer(capacity: count) }
    buffer.writeFrameHead(.text, count: head.count + payload.readableBytes + 1)
    buffer.writeBytes(head)
    buffer.writeImmutableBuffer(payload)
    buffer.writeInteger(UInt8(ascii: "]"))
    frames += 1
    if buffer.readableBytes >= Self.maxBytes { write() }
  }

  mutating func end() {
    if buffer.readableBytes > 0 { write() }
    if frames > 0 { context.flush() }
  }

  private mutating func write() {
    bytes += buffer.readableBytes
    context.write(NIOAny(buffer), promise: nil)
    // NB: Start a new buffer: writing to one that the channel still holds would copy it.
    buffer = ByteBuffer()
  }
}
