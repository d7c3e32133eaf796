import Localization
import NIOCore
import OddsFeed
import OddsModel
import Platform

/// Handles one connection of lines on its event loop: turns bytes into lines, each ended by CRLF or LF.
final class StreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let attempt: OneShotResult<any FrameConnection>
  private let words: ErrorMessages
  private let inbox: Mailbox<FrameEvent, Never>
  private let maxLine: Int
  /// The bytes of the current line so far.
  private var line: [UInt8] = []
  private var arrived: [FrameEvent] = []
  private var isOver = false
  private var hasBegun = false
  /// The time of the last `.progress` event.
  private var lastProgress: NIODeadline?

  init(
    _ attempt: OneShotResult<any FrameConnection>, words: ErrorMessages, inbox: Mailbox<FrameEvent, Never>, maxLine: Int
  ) {
    self.attempt = attempt
    self.words = words
    self.inbox = inbox
    self.maxLine = maxLine
  }

  /// Reads lines from the channel. The attempt ends with the first bytes: the provider speaks first. Call on the
  /// channel's event loop.
  static func begin(
    on channel: any Channel, _ attempt: OneShotResult<any FrameConnection>, words: ErrorMessages, limits: NetworkLimits
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let inbox = Mailbox<FrameEvent, Never>(limits: limits.inbox, cost: { $0.text.count })
      let handler = StreamHandler(attempt, words: words, inbox: inbox, maxLine: limits.lineBytes)
      try channel.pipeline.syncOperations.addHandler(handler)
    }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // The peer may have closed the connection already.
    if !context.channel.isActive { channelInactive(context: context) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isOver { return }
    let buffer = unwrapInboundIn(data)
    if !hasBegun {
      hasBegun = true
      let connection = StreamConnection(channel: context.channel, inbox: inbox)
      guard attempt.end(.success(connection)) else { return context.close(promise: nil) }
    }
    buffer.withUnsafeReadableBytes { bytes in
      var rest = bytes[...]
      while let end = rest.firstIndex(of: 0x0A) {
        append(rest[..<end])
        rest = rest[(end + 1)...]
        finishLine(context)
        if isOver { return }
      }
      append(rest)
    }
    if line.count > maxLine { fail(LocalizedMessage(.lineMessageTooLong, words.name, maxLine), context) }
  }

  private func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
    // NB: Once a line is too long, its further bytes are dropped. The caller fails it at its end, or after this read.
    if line.count <= maxLine { line.append(contentsOf: bytes) }
  }

  private func finishLine(_ context: ChannelHandlerContext) {
    if line.count > maxLine { return fail(LocalizedMessage(.lineMessageTooLong, words.name, maxLine), context) }
    if line.last == 0x0D { line.removeLast() }
    if line.isEmpty { return }
    guard line.isUTF8 else { return fail(LocalizedMessage(.lineNoUTF8, words.name), context) }
    arrived.append(.text(line))
    line = []
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    noteProgress()
    deliver(on: context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(
      ConnectionError(.lost, FeedError(LocalizedMessage(.lineEndedSilently, words.name), remedy: Self.remedy)), context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let fault: ConnectionError
    if hasBegun {
      let message = LocalizedMessage(.lineBrokeOff, words.name, ErrorMessages.reason(error))
      fault = ConnectionError(.lost, FeedError(message, remedy: Self.remedy))
    } else {
      fault = words.fault(error)
    }
    end(fault, context)
    context.close(promise: nil)
  }

  private static let remedy = LocalizedMessage(.remedyTriedAgain)

  /// Ends the connection because of bytes that are no lines of text.
  private func fail(_ message: LocalizedMessage, _ context: ChannelHandlerContext) {
    end(ConnectionError(.protocolViolation, FeedError(message, remedy: LocalizedMessage(.remedyCheckIsFeed))), context)
    context.close(promise: nil)
  }

  private func end(_ fault: ConnectionError, _ context: ChannelHandlerContext) {
    if isOver { return }
    isOver = true
    line = []
    attempt.end(.failure(fault))
    inbox.finish(with: arrived + [.closed(fault)])
    arrived = []
  }

  /// Reports that data arrives, at most once a second, if there is no line to report.
  private func noteProgress() {
    guard arrived.isEmpty, !isOver, hasBegun else { return }
    let now = NIODeadline.now()
    if let lastProgress, now < lastProgress + .seconds(1) { return }
    lastProgress = now
    arrived.append(.progress)
  }

  private func deliver(on context: ChannelHandlerContext) {
    if arrived.isEmpty { return }
    let hasRoom = inbox.send(contentsOf: arrived)
    arrived.removeAll(keepingCapacity: true)
    if !hasRoom { try? context.channel.syncOptions?.setOption(.autoRead, value: false) }
  }
}

/// An open connection of lines, usable from any thread.
final class StreamConnection: FrameConnection {
  private let channel: any Channel
  /// The events that are not read yet. While it is full, reading from the peer is paused.
  private let inbox: Mailbox<FrameEvent, Never>

  init(channel: any Channel, inbox: Mailbox<FrameEvent, Never>) {
    self.channel = channel
    self.inbox = inbox
  }

  deinit {
    // NB: Do not use the channel after the end: its event loop may have been shut down.
    if !inbox.isFinished { channel.close(promise: nil) }
  }

  func read() async -> [FrameEvent] {
    await inbox.nextBatch {
      if inbox.isFinished { return }
      channel.eventLoop.execute { [channel] in
        if channel.isActive { try? channel.syncOptions?.setOption(.autoRead, value: true) }
      }
    }
  }

  /// Sends a line, and its end.
  func send(_ text: [UInt8]) {
    if inbox.isFinished { return }
    var buffer = channel.allocator.buffer(capacity: text.count + 2)
    buffer.writeBytes(text)
    buffer.writeStaticString("\r\n")
    channel.writeAndFlush(buffer, promise: nil)
  }

  /// Does nothing: the provider sends heartbeats by itself.
  func ping(_ number: UInt64) {}

  func close(code: UInt16) { if !inbox.isFinished { channel.close(promise: nil) } }
}

/// Opens connections of lines to a stream.
final class StreamConnector: FrameConnector {
  private let dialer: FeedDialer

  init(_ dialer: FeedDialer) { self.dialer = dialer }

  func connect() async throws(ConnectionError) -> any FrameConnection {
    let address = dialer.endpoint.address
    let name = LocalizedMessage(.namedFeed, "\(address.bracketedHost):\(address.port)")
    return try await dialer.dial(within: dialer.limits.connect, to: name) { [dialer] in
      let words = ErrorMessages(address: address, part: name)
      return StreamHandler.begin(on: $0, $1, words: words, limits: dialer.limits)
    }
  }
}
