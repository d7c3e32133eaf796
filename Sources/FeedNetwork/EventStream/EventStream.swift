import AccountModel
import NIOCore
import OddsFeed
import OddsModel
import Platform

/// An open event stream.
final class EventStream: EventStreamConnection {
  private let channel: any Channel
  private let inbox: ByteInbox

  init(channel: any Channel, inbox: ByteInbox) {
    (self.channel, self.inbox) = (channel, inbox)
  }

  deinit { close() }

  func read() async throws(ConnectionError) -> [UInt8]? {
    try await inbox.drain {
      channel.eventLoop.execute { [channel] in
        if channel.isActive { try? channel.syncOptions?.setOption(.autoRead, value: true) }
      }
    }.get()
  }

  func close() {
    // NB: Do not use the channel after the end: its event loop may have been shut down.
    if inbox.finish(.success(())) { channel.close(promise: nil) }
  }
}

/// A buffer of received bytes that are not read yet, followed by the end of the stream.
final class ByteInbox: Sendable {
  /// The bytes, or nil at the end.
  typealias Next = Result<[UInt8]?, ConnectionError>

  private struct State {
    var bytes: [UInt8] = []
    var reader: CheckedContinuation<Next, Never>?
    var isFull = false
    var end: Result<Void, ConnectionError>?
  }

  private let bound: Int
  private let state = Locked(State())

  /// Creates an inbox that is full when more than `bound` bytes are unread.
  init(bound: Int) { self.bound = bound }

  var isFull: Bool { state.withLock { $0.isFull } }

  /// Appends received bytes. Returns false if reading from the peer is to pause.
  func add(_ bytes: ByteBufferView) -> Bool {
    let (reader, isFull) = state.withLock { state -> (CheckedContinuation<Next, Never>?, Bool) in
      if state.end != nil || bytes.isEmpty { return (nil, state.isFull) }
      if let reader = state.reader.take() { return (reader, false) }
      state.bytes += bytes
      state.isFull = state.bytes.count > bound
      return (nil, state.isFull)
    }
    reader?.resume(returning: .success(Array(bytes)))
    return !isFull
  }

  /// Sets the end of the stream, after the unread bytes. Returns false if it was already set.
  @discardableResult
  func finish(_ end: Result<Void, ConnectionError>) -> Bool {
    let (isFirst, reader) = state.withLock { state -> (Bool, CheckedContinuation<Next, Never>?) in
      if state.end != nil { return (false, nil) }
      state.end = end
      return (true, state.reader.take())
    }
    reader?.resume(returning: end.map { nil })
    return isFirst
  }

  /// Returns all unread bytes, or waits for the next ones. Returns nil at the end and if the task is cancelled. Calls
  /// `onRoom` if reading from the peer was paused.
  func drain(onRoom: () -> Void) async -> Next {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let (next, wasFull) = state.withLock { state -> (Next?, Bool) in
          if Task.isCancelled { return (.success(nil), false) }
          guard !state.bytes.isEmpty else {
            if let end = state.end { return (end.map { nil }, false) }
            state.reader = reader
            return (nil, false)
          }
          defer { (state.bytes, state.isFull) = ([], false) }
          return (.success(state.bytes), state.isFull && state.end == nil)
        }
        if wasFull { onRoom() }
        if let next { reader.resume(returning: next) }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(returning: .success(nil))
    }
  }
}
