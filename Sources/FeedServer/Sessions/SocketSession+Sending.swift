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
      case .join(let topic, let registration):
        do {
          let joined = try dependencies.hub.join(topic)
          subscriptions.append(
            Subscription(topic: topic, registration: registration, log: joined?.log, cursor: joined?.last ?? 0))
        } catch { return refuse(.topics, "\(error)") }
      case .leave(_, let registration):
        guard let place = subscriptions.firstIndex(where: { $0.registration == registration }) else { continue }
        let left = subscriptions.remove(at: place)
        if left.log != nil { dependencies.hub.leave(left.topic) }
      case .dump(let topic, let request): sendDump(of: topic, request)
      case .close(let code):
        if code == CloseCode.protocolError { dependencies.metrics.refused(.request) }
        close(code: code, reason)
      }
    }
  }

  /// Sends the new messages of all topics. While the socket is not writable, they wait until it is again.
  func flush() {
    guard !isClosing, !subscriptions.isEmpty, let context, context.channel.isWritable else { return }
    var batch = Batch(context: context)
    for place in subscriptions.indices where context.channel.isWritable { flush(place, in: &batch) }
    batch.end()
    allowance.sent(batch.frames)
    dependencies.metrics.count {
      $0.frames += batch.frames
      $0.bytes += batch.bytes
      $0.conflated += batch.conflated
      $0.catchUpDumps += batch.dumps
    }
  }

  private func flush(_ place: Int, in batch: inout Batch) {
    let subscription = subscriptions[place]
    guard let log = subscription.log else { return }
    switch log.news(after: subscription.cursor) {
    case .none: break
    case .messages(let messages, let last):
      if messages.count > dependencies.limits.conflatedFrom {
        sendConflated(messages, upTo: last, place, in: &batch)
      } else {
        for message in messages where batch.goesOn {
          batch.add(conversation.nextInvocation(of: subscription.registration), message)
          subscriptions[place].cursor += 1
        }
      }
    case .lost: sendCatchUpDump(place, in: &batch)
    }
  }

  private func sendConflated(_ messages: [ByteBuffer], upTo last: UInt64, _ place: Int, in batch: inout Batch) {
    guard let one = UpdateConflation.message(of: messages.map { Array($0.readableBytesView) }) else {
      return sendCatchUpDump(place, in: &batch)
    }
    batch.add(conversation.nextInvocation(of: subscriptions[place].registration), ByteBuffer(bytes: one))
    batch.conflated += 1
    subscriptions[place].cursor = last
  }

  private func sendCatchUpDump(_ place: Int, in batch: inout Batch) {
    guard let dump = dependencies.hub.dump(of: subscriptions[place].topic) else { return }
    batch.add(conversation.nextInvocation(of: subscriptions[place].registration), dump.payload)
    batch.dumps += 1
    subscriptions[place].cursor = dump.last
  }

  private static let bracket = ByteBuffer(string: "]")

  private func sendDump(of topic: Topic, _ request: UInt64) {
    guard let dump = dependencies.hub.dump(of: topic) else {
      return send(conversation.answer(request, with: nil, of: topic))
    }
    send(WAMPMessage.resultHead(request: request), dump.payload)
    dependencies.metrics.count { $0.dumps += 1 }
    // The subscription continues after the messages that the dump includes.
    guard let place = subscriptions.firstIndex(where: { $0.topic == topic }) else { return }
    subscriptions[place].cursor = max(subscriptions[place].cursor, dump.last)
  }

  /// Sends a text; with a payload, the text is its prefix and `]` its suffix.
  private func send(_ text: [UInt8], _ payload: ByteBuffer? = nil) {
    guard !isClosing, let context else { return }
    var frame = context.channel.allocator.buffer(capacity: text.count + ByteBuffer.longestFrameHead)
    frame.writeFrameHead(.text, count: text.count + (payload.map { $0.readableBytes + 1 } ?? 0))
    frame.writeBytes(text)
    context.write(wrapOutboundOut(frame), promise: nil)
    if let payload {
      context.write(wrapOutboundOut(payload), promise: nil)
      context.write(wrapOutboundOut(Self.bracket), promise: nil)
    }
    if !context.channel.isWritable { context.flush() }
    let count = frame.readableBytes + (payload.map { $0.readableBytes + 1 } ?? 0)
    dependencies.metrics.count {
      $0.frames += 1
      $0.bytes += count
    }
  }
}

/// A batch of frames for one client, written together.
private struct Batch {
  /// The buffer size from which the batch is written, in bytes.
  private static let mostBytes = 1 << 15

  private let context: ChannelHandlerContext
  private var buffer = ByteBuffer()
  private(set) var frames = 0
  private(set) var bytes = 0
  var conflated = 0
  var dumps = 0

  init(context: ChannelHandlerContext) { self.context = context }

  /// False while the channel is not writable.
  var goesOn: Bool { context.channel.isWritable }

  mutating func add(_ head: [UInt8], _ payload: ByteBuffer) {
    let count = ByteBuffer.longestFrameHead + head.count + payload.readableBytes + 1
    if frames == 0 { buffer = context.channel.allocator.buffer(capacity: count) }
    buffer.writeFrameHead(.text, count: head.count + payload.readableBytes + 1)
    buffer.writeBytes(head)
    buffer.writeImmutableBuffer(payload)
    buffer.writeInteger(UInt8(ascii: "]"))
    frames += 1
    if buffer.readableBytes >= Self.mostBytes { write() }
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
