import AccountModel
import NIOCore
import OddsFeed
import OddsModel
import Platform

/// An open event stream.
final class EventStream: EventStreamConnection {
  private let channel: any Channel
  /// The bytes that are not read yet. While it is full, reading from the peer is paused.
  private let inbox: Mailbox<[UInt8], ConnectionError>

  init(channel: any Channel, inbox: Mailbox<[UInt8], ConnectionError>) {
    self.channel = channel
    self.inbox = inbox
  }

  deinit { close() }

  func read() async throws(ConnectionError) -> [UInt8]? {
    let parts = try await inbox.nextBatch {
      if inbox.isFinished { return }
      channel.eventLoop.execute { [channel] in
        if channel.isActive { try? channel.syncOptions?.setOption(.autoRead, value: true) }
      }
    }
    return parts.isEmpty ? nil : Array(parts.joined())
  }

  func close() {
    // NB: Do not use the channel after the end: its event loop may have been shut down.
    if inbox.finish() { channel.close(promise: nil) }
  }
}
