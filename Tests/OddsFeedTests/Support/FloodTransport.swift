import EveryMatrix
import OddsFeed
import OddsModel
import Platform
import TestSupport

/// A feed with a message for every read: for each subscription in turn first its dump, then updates of all prices of
/// its two matches. All prices in a message are equal.
final class FloodTransport: FeedTransport {
  private struct State {
    var subscriptions: [Subscription] = []
    /// The subscriptions that have received their dump.
    var dumpedSubscriptions: Set<Subscription> = []
    var turn = 0
    var sent = 0
    var isStopped = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// The number of messages sent.
  var sent: Int { state.withLock { $0.sent } }

  func makeDecoder() -> any FeedDecoder { MessageDecoder() }
  func connect() async -> AsyncStream<TransportEvent> {
    let isLive = Locked(false)
    return AsyncStream {
      let wasLive = isLive.withLock { live in
        defer { live = true }
        return live
      }
      return wasLive ? await self.next() : .state(.live)
    }
  }

  func disconnect() async { wake { $0.isStopped = true } }
  func subscribe(_ subscription: Subscription) async { wake { $0.subscriptions.append(subscription) } }

  func unsubscribe(_ subscription: Subscription) async {
    state.withLock { state in
      state.subscriptions.removeAll { $0 == subscription }
      state.dumpedSubscriptions.remove(subscription)
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      return state.waiting.take()
    }
    waiting?.resume()
  }

  private func next() async -> TransportEvent? {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.isStopped || !state.subscriptions.isEmpty { return true }
        state.waiting = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    return state.withLock { state in
      // NB: the subscription may have been cancelled since; a frame for it is harmless.
      if state.isStopped { return nil }
      guard !state.subscriptions.isEmpty else { return .alive() }
      state.turn += 1
      state.sent += 1
      let subscription = state.subscriptions[state.turn % state.subscriptions.count]
      let odds = "\(2 + state.sent % 97)"
      let text =
        state.dumpedSubscriptions.insert(subscription).inserted
        ? FeedText.dump(
          FeedText.football(100, odds: [odds, odds, odds]), FeedText.football(200, odds: [odds, odds, odds]))
        : FeedText.update([121, 122, 123, 221, 222, 223].map { FeedText.odds($0, odds) }.joined(separator: ","))
      return .frame(TransportFrame(subscription: subscription, bytes: Array(text.utf8)))
    }
  }
}
