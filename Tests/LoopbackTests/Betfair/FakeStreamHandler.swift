import NIOCore
import Platform

/// An event on a connection to the fake stream, other than a request of the client.
enum FakeStreamEvent: Sendable {
  /// A market has changed.
  case changed
  /// Send nothing more, and keep the connection.
  case silence
  /// Replace everything with an image in the middle of the subscription.
  case image
  /// Send what is held back by conflation.
  case release
  /// Send an error that answers no request, and close.
  case fail(code: String)
  /// Send a line.
  case line(String)
}

/// A connection to the fake stream: lines of JSON that end with CRLF.
final class FakeStreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let exchange: FakeBetfair
  private let number: Int
  private var received = ByteBuffer()
  private var isAuthenticated = false
  private var isDelayed = false
  private var isSilent = false
  private var subscription: FakeSubscription?
  /// True if the client has been sent the error that its subscription has more markets than the limit.
  private var isOverLimit = false
  /// The number of the last change that was sent.
  private var sent = 0
  private var lastPush = NIODeadline.now()
  /// True if changes wait for the end of a conflation interval or for a client that reads slowly.
  private var isHeldBack = false
  private var answerTimeout: Scheduled<Void>?
  private var heartbeat: Scheduled<Void>?
  private var release: Scheduled<Void>?

  init(exchange: FakeBetfair, number: Int) {
    self.exchange = exchange
    self.number = number
  }

  // MARK: The connection

  func channelActive(context: ChannelHandlerContext) {
    guard passes(.connected, context) else { return }
    let time = exchange.state.withLock { $0.answerTimeout }
    answerTimeout = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      self.refuse(FakeRefusal("TIMEOUT", "no message in time"), id: nil, context)
    }
    send(["op": "connection", "connectionId": .text("001-\(number)")], context)
    _ = passes(.greeted, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    for task in [answerTimeout, heartbeat, release] { task?.cancel() }
    exchange.closed(number)
    context.fireChannelInactive()
  }

  /// Returns false if the connection ends or falls silent at a step.
  private func passes(_ step: FakeBetfair.Step, _ context: ChannelHandlerContext) -> Bool {
    switch exchange.fault(at: step) {
    case nil: return !isSilent
    case .close:
      context.close(promise: nil)
      isSilent = true
      return false
    case .silence:
      isSilent = true
      return false
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    while let end = received.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
      let line = received.readBytes(length: end - received.readerIndex + 1)!
      guard !isSilent else { continue }
      answerTimeout?.cancel()
      guard line.suffix(2) == Array("\r\n".utf8), let request = JSONTree(line) else {
        refuse(FakeRefusal("INVALID_INPUT", "no line of JSON that ends with CRLF"), id: nil, context)
        continue
      }
      exchange.record(request, on: number)
      answer(request, context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? FakeStreamEvent else { return context.fireUserInboundEventTriggered(event) }
    guard !isSilent else { return }
    switch event {
    case .changed: push(context)
    case .silence: isSilent = true
    case .image: if subscription != nil { sendImage(context) }
    case .release: pushNow(context)
    case .fail(let code): refuse(FakeRefusal(code, "on demand"), id: nil, context)
    case .line(let text): write(Array(text.utf8), context)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, isHeldBack, !isSilent { push(context) }
    context.fireChannelWritabilityChanged()
  }

  // MARK: Requests

  private func answer(_ request: JSONTree, _ context: ChannelHandlerContext) {
    let operation = request["op"].text ?? ""
    let code = exchange.state.withLock { state in
      state.refusals[operation]?.isEmpty == false ? state.refusals[operation]?.removeFirst() : nil
    }
    do throws(FakeRefusal) {
      if let code { throw FakeRefusal(code, "on demand") }
      guard let id = request["id"].integer else { throw FakeRefusal("INVALID_INPUT", "no id") }
      switch operation {
      case "authentication":
        guard passes(.authenticating, context) else { return }
        let account = try exchange.authenticate(request, on: number)
        isAuthenticated = true
        isDelayed = account.isDelayed
        succeed(id, ["connectionsAvailable": .number(Double(account.available))], context)
        _ = passes(.authenticated, context)
      case _ where !isAuthenticated: throw FakeRefusal("NOT_AUTHORIZED", "not authenticated")
      case "heartbeat": succeed(id, [:], context)
      case "marketSubscription": try subscribe(request, id, context)
      default: throw FakeRefusal("INVALID_REQUEST", "unknown op '\(operation)'")
      }
    } catch { refuse(error, id: request["id"].integer, context) }
  }

  private func subscribe(_ request: JSONTree, _ id: Int, _ context: ChannelHandlerContext) throws(FakeRefusal) {
    guard passes(.subscribing, context) else { return }
    let new = try FakeSubscription(request)
    let start = try exchange.start(of: new)
    if exchange.exceedsLimit(new) { throw FakeRefusal.limit }
    let old = subscription
    subscription = new
    isOverLimit = false
    succeed(id, [:], context)
    // NB: Messages of the replaced subscription that are on their way still arrive.
    if let old { sendLate(old, context) }
    guard passes(.subscribed, context) else { return }
    guard let start else { return sendImage(context) }
    let (markets, last) = exchange.changes(after: start, new)
    sent = last
    isHeldBack = false
    send(markets, type: "RESUB_DELTA", context)
  }

  private func succeed(_ id: Int, _ more: [String: JSONTree], _ context: ChannelHandlerContext) {
    var fields: [String: JSONTree] = [
      "op": "status", "id": .number(Double(id)), "statusCode": "SUCCESS", "connectionClosed": false,
    ]
    fields.merge(more) { $1 }
    send(.object(fields), context)
  }

  private func refuse(_ refusal: FakeRefusal, id: Int?, _ context: ChannelHandlerContext) {
    exchange.record(refusal)
    let isClosed = refusal.code != FakeRefusal.limit.code
    var fields: [String: JSONTree] = [
      "op": "status", "statusCode": "FAILURE", "errorCode": .text(refusal.code),
      "errorMessage": .text(refusal.message), "connectionClosed": .flag(isClosed),
      "connectionId": .text("001-\(number)"),
    ]
    if let id { fields["id"] = .number(Double(id)) }
    send(.object(fields), context)
    guard isClosed else { return }
    isSilent = true
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in channel.close(promise: nil) }
  }

  // MARK: Changes

  private func sendImage(_ context: ChannelHandlerContext) {
    guard let subscription else { return }
    let (markets, last) = exchange.changes(after: 0, subscription, isImage: true)
    sent = last
    isHeldBack = false
    send(markets, type: "SUB_IMAGE", context)
  }

  /// Sends what has changed, unless it has to wait.
  private func push(_ context: ChannelHandlerContext) {
    guard let subscription else { return }
    let conflation = TimeAmount.milliseconds(Int64(isDelayed ? 180_000 : subscription.conflation))
    guard context.channel.isWritable else {
      exchange.state.withLock { $0.heldBack += 1 }
      return isHeldBack = true
    }
    let due = lastPush + conflation
    guard conflation > .zero, NIODeadline.now() < due else { return pushNow(context) }
    guard !isHeldBack else { return }
    isHeldBack = true
    release = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) {
      if context.channel.isWritable { self.pushNow(context) }
    }
  }

  private func pushNow(_ context: ChannelHandlerContext) {
    release?.cancel()
    guard let subscription, !isSilent else { return }
    let (markets, last) = exchange.changes(after: sent, subscription, isHeldBack: isHeldBack)
    sent = last
    isHeldBack = false
    lastPush = .now()
    if !markets.isEmpty { send(markets, type: nil, context) }
    if !isOverLimit, exchange.exceedsLimit(subscription) {
      isOverLimit = true
      refuse(.limit, id: subscription.id, context)
    }
  }

  private func sendLate(_ old: FakeSubscription, _ context: ChannelHandlerContext) {
    guard let market = exchange.state.withLock({ $0.markets.first }), let runner = market.runners.first else { return }
    let price: JSONTree = [
      "id": .number(Double(runner.id)), "ltp": 1, "bdatb": [[0, 1, 99]], "bdatl": [[0, 1, 99]],
    ]
    write(message(old, ["mc": [["id": .text(market.id), "rc": [price]]], "clk": "C0"]).bytes, context)
  }

  /// Sends markets, in parts if the subscription allows it. Only the last part has the position.
  private func send(_ markets: [JSONTree], type: String?, _ context: ChannelHandlerContext) {
    guard let subscription else { return }
    let size = exchange.state.withLock { $0.segmentSize }
    let isSegmented = subscription.isSegmented && markets.count > size
    let parts = isSegmented ? stride(from: 0, to: markets.count, by: size).map { $0 } : [0]
    for start in parts {
      let isLast = start == parts.last
      var fields: [String: JSONTree] = [:]
      if let type {
        fields["ct"] = .text(type)
        fields["heartbeatMs"] = .number(Double(subscription.heartbeat))
        fields["conflateMs"] = .number(Double(isDelayed ? 180_000 : subscription.conflation))
      }
      if isSegmented { fields["segmentType"] = .text(start == 0 ? "SEG_START" : isLast ? "SEG_END" : "SEG") }
      // NB: A client that continues at the position of a part is refused.
      fields["clk"] = .text(isLast ? FakeBetfair.clock(sent) : "PART")
      if isLast, type == "SUB_IMAGE" { fields["initialClk"] = .text(exchange.initialClock(subscription)) }
      let part = isSegmented ? Array(markets[start..<min(start + size, markets.count)]) : markets
      if !part.isEmpty { fields["mc"] = .list(part) }
      send(message(subscription, fields), context)
      if start == 0, type == "SUB_IMAGE", !passes(.imageBegun, context) { return }
    }
  }

  private func message(_ subscription: FakeSubscription, _ more: [String: JSONTree]) -> JSONTree {
    var fields: [String: JSONTree] = [
      "op": "mcm", "id": .number(Double(subscription.id)), "pt": .number(Double(ClientClock.wallTime())),
    ]
    if exchange.state.withLock({ $0.isStale }) { fields["status"] = 503 }
    return .object(fields.merging(more) { $1 })
  }

  private func send(_ message: JSONTree, _ context: ChannelHandlerContext) {
    guard !isSilent else { return }
    write(message.bytes, context)
    heartbeat?.cancel()
    guard let subscription else { return }
    heartbeat = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(subscription.heartbeat))) {
      self.send(self.message(subscription, ["ct": "HEARTBEAT", "clk": .text(FakeBetfair.clock(self.sent))]), context)
    }
  }

  private func write(_ line: [UInt8], _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: line + Array("\r\n".utf8))), promise: nil)
  }
}
