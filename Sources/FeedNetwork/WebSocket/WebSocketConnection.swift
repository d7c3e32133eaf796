import AccountModel
import EveryMatrix
import NIOCore
public import OddsFeed
package import OddsModel
import Platform

/// An open WebSocket connection, usable from any thread.
final class WebSocketConnection: FrameConnection {
  private let channel: any Channel
  private let handler: NIOLoopBound<WebSocketHandler>
  /// The events that are not read yet. While it is full, reading from the peer is paused.
  private let inbox: Mailbox<FrameEvent, Never>
  /// The commands that the event loop has not fetched yet. Only the first of them schedules a task.
  private let outbox = Locked<[WebSocketHandler.Command]>([])

  /// Creates a connection. Call on the channel's event loop.
  init(channel: any Channel, handler: WebSocketHandler, inbox: Mailbox<FrameEvent, Never>) {
    self.channel = channel
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    self.inbox = inbox
  }

  deinit {
    // NB: Do not use the channel after the end: its event loop may have been shut down.
    if !inbox.isFinished { channel.close(promise: nil) }
  }

  /// True while reading from the peer is paused.
  var isFull: Bool { inbox.isFull }

  func read() async -> [FrameEvent] {
    await inbox.nextBatch {
      if inbox.isFinished { return }
      channel.eventLoop.execute { [handler, channel] in handler.value.resumeReading(on: channel) }
    }
  }

  func send(_ text: [UInt8]) { perform(.text(text)) }

  func ping(_ number: UInt64) { perform(.ping(number)) }

  func close(code: UInt16) { perform(.close(code)) }

  private func perform(_ command: WebSocketHandler.Command) {
    if inbox.isFinished { return }
    let isFirst = outbox.withLock { outbox in
      outbox.append(command)
      return outbox.count == 1
    }
    guard isFirst else { return }
    channel.eventLoop.execute { [handler, channel, outbox] in
      let commands = outbox.withLock { outbox in
        defer { outbox = [] }
        return outbox
      }
      handler.value.perform(commands, on: channel)
    }
  }
}

/// Opens WebSocket connections to a feed.
public final class WebSocketConnector: FrameConnector {
  private let dialer: FeedDialer
  private let tokens: TokenSource
  private let subprotocol: String?

  /// Creates a connector. `subprotocol` is the name of the sub-protocol to ask for; nil for none.
  init(_ dialer: FeedDialer, tokens: TokenSource? = nil, subprotocol: String? = WAMPMessage.subprotocol) {
    self.dialer = dialer
    self.tokens = tokens ?? TokenSource(dialer.endpoint)
    self.subprotocol = subprotocol
  }

  /// The address that is connected to.
  var address: FeedAddress { dialer.endpoint.address }

  package func connect() async throws(ConnectionError) -> any FrameConnection {
    let token: Secret?
    do { token = try await tokens.token() } catch { throw ConnectionError(.untrusted, error) }
    let words = ErrorMessages(address: dialer.endpoint.address, canLogIn: tokens.canLogIn)
    return try await dialer.dial(within: dialer.limits.connect) { [dialer, subprotocol] in
      WebSocketHandshake(dialer: dialer, subprotocol: subprotocol).begin(on: $0, token: token, $1, words: words)
    }
  }
}
