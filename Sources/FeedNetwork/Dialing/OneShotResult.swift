import NIOCore
import OddsFeed
import OddsModel
import Platform

/// The result of one attempt to get a value over a channel. The first call of `end(_:)` sets it, be it from the peer,
/// an error, a timeout or a cancellation; later calls have no effect.
final class OneShotResult<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, ConnectionError>

  private struct State {
    var channel: (any Channel)?
    var outcome: Outcome?
    var waiting: CheckedContinuation<Outcome, Never>?
  }

  private let state = Locked(State())

  /// Takes ownership of the channel. Closes it if the attempt fails or has already ended.
  func adopt(_ channel: any Channel) {
    let isOver = state.withLock { state in
      if state.outcome == nil { state.channel = channel }
      return state.outcome != nil
    }
    if isOver { channel.close(promise: nil) }
  }

  /// Sets the result and, on failure, closes the channel. Returns false if the attempt had already ended.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    let (isFirst, channel, waiting) = state.withLock { state in
      let isFirst = state.outcome == nil
      if isFirst { state.outcome = outcome }
      defer {
        state.channel = nil
        state.waiting = nil
      }
      return (isFirst, state.channel, state.waiting)
    }
    if case .failure = outcome { channel?.close(promise: nil) }
    waiting?.resume(returning: outcome)
    return isFirst
  }

  func result() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiting = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
