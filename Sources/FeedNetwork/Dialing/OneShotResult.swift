import NIOCore
import OddsFeed
import Platform

/// One attempt to get something over a channel. It ends once, whoever ends it first: the peer, an error, the clock, or its
/// user.
final class OneShotResult<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, ConnectionError>

  private struct State {
    var channel: (any Channel)?
    var outcome: Outcome?
    var waiting: CheckedContinuation<Outcome, Never>?
  }

  private let state = Locked(State())

  /// Takes the channel over, to close it where the attempt fails or has.
  func adopt(_ channel: any Channel) {
    let isOver = state.withLock { state in
      if state.outcome == nil { state.channel = channel }
      return state.outcome != nil
    }
    if isOver { channel.close(promise: nil) }
  }

  /// False where the attempt was over already.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    let (isFirst, channel, waiting) = state.withLock { state in
      let isFirst = state.outcome == nil
      if isFirst { state.outcome = outcome }
      defer { (state.channel, state.waiting) = (nil, nil) }
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
