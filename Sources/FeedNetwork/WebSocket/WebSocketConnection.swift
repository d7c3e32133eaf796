import NIOCore
import OddsFeed
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

  func ping() { perform(.ping) }

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
