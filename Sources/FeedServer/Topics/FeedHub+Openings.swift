import NIOCore
import OddsModel
import Platform

/// The openings of topics of an upstream feed.
///
/// An address pays for openings that nobody uses: of a topic that is refused, or that was opened for a list or a dump
/// alone. The opening of a topic with a subscriber is free, so that an address with many viewers, or another relay, can
/// have many topics. The opening of a topic that is not requested upstream costs only if the topic is refused.
extension FeedHub {
  /// Calls `body`, which opens a topic that no client has. If that may request it upstream, waits for the turn of the
  /// address.
  ///
  /// - Parameters:
  ///   - isJoined: True if the topic has a subscriber once it is open. Otherwise the address pays for it.
  ///   - body: Completes with the result of the opening, which `done` gets too.
  func open<Value>(
    _ topic: Topic, for address: String, isJoined: Bool, done: @escaping Completion<Value>,
    _ body: @escaping @Sendable (@escaping Completion<Value>) -> Void
  ) {
    guard source.opensUpstream(topic) else {
      work.reserve(address, .refusedOpening)
      return body { result in
        let isCharged = if case .failure(let error) = result { error.isPermanent } else { false }
        self.work.release(address, .refusedOpening, isCharged: isCharged, now: .now())
        done(result)
      }
    }
    work.reserve(address, .upstreamOpening)
    let opening = WaitingOpening(address) {
      body { result in
        let isCharged =
          switch result {
          case .success: !isJoined
          case .failure(let error): error.isPermanent
          }
        self.work.release(address, .upstreamOpening, isCharged: isCharged, now: .now())
        done(result)
        self.turns.end()
      }
    }
    state.withLock { $0.openings[topic] = opening }
    turns.begin(address) { self.begin(opening, of: topic) }
  }

  /// If a topic waits for the turn of another address, makes it wait for the turn of this one too.
  func hasten(_ topic: Topic, for address: String) {
    guard let opening = state.withLock({ $0.openings[topic] }), opening.add(address) else { return }
    turns.begin(address) { self.begin(opening, of: topic) }
  }

  private func begin(_ opening: WaitingOpening, of topic: Topic) {
    // It has begun with the turn of another address.
    guard let body = opening.take() else { return turns.end() }
    state.withLock { if $0.openings[topic] === opening { $0.openings[topic] = nil } }
    body()
  }
}
