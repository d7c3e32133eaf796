import AccountModel
import NIOCore
import OddsFeed
import Platform

/// An open event stream, as its reader sees it.
final class EventStream: EventStreamConnection {
  private let channel: any Channel
  private let inbox: ByteInbox

  init(channel: any Channel, inbox: ByteInbox) {
    (self.channel, self.inbox) = (channel, inbox)
  }

  deinit { close() }

  func read() async throws(ConnectionError) -> [UInt8]? {
    try await inbox.take {
      channel.eventLoop.execute { [channel] in
        if channel.isActive { try? channel.syncOptions?.setOption(.autoRead, value: true) }
      }
    }.get()
  }

  func close() {
    // NB: after the end the event loop may be gone.
    if inbox.finish(.success(())) { channel.close(promise: nil) }
  }
}

/// Bytes that have come and have not been read, and how they end.
final class ByteInbox: Sendable {
  /// Bytes, or nil at the end.
  typealias Next = Result<[UInt8]?, ConnectionError>

  private struct State {
    var bytes: [UInt8] = []
    var reader: CheckedContinuation<Next, Never>?
    var isFull = false
    var end: Result<Void, ConnectionError>?
  }

  private let bound: Int
  private let state = Locked(State())

  /// Where more than that waits, the peer has to.
  init(bound: Int) { self.bound = bound }

  var isFull: Bool { state.withLock { $0.isFull } }

  /// False where no more is to be asked of the peer for now.
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

  /// Nothing follows what waits. False where that was so before.
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

  /// Everything that waits, or else what comes next; nil at the end, and where the task is cancelled. Calls `onRoom` where
  /// the peer had been made to wait.
  func take(onRoom: () -> Void) async -> Next {
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
