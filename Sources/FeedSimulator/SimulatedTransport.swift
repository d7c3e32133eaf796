import Dispatch
import Locking
package import OddsFeed

/// A feed without a network: a seeded book whose matches are played and priced while somebody is subscribed.
///
/// What it hands out are the bytes of the real feed. While the reader is behind, ticks are put off; the book's time then
/// catches up, and odds updates of more than a quarter of a second are skipped.
package final class SimulatedTransport: FeedTransport {
  private struct State {
    var book: SimulatedBook
    var pacer: Pacer
    var feeds: [Subscription: TopicFeed] = [:]
    /// In the order of subscription, which is the order of frames.
    var subscriptions: [Subscription] = []
    /// Runs while there is a subscription.
    var timer: (any DispatchSourceTimer)?

    /// Plays what went by while nobody was subscribed, up to an uptime in nanoseconds.
    mutating func catchUp(to uptime: UInt64) {
      while case let due = pacer.advance(to: uptime), due.elapsed > 0 {
        _ = book.tick(elapsed: due.elapsed, updates: 0)
      }
    }
  }

  private let state: Locked<State>
  private let events = EventQueue()
  private let ticks = DispatchQueue(label: "toteboard.simulator")

  /// A feed that plays a new book.
  package init(options: SimulatorOptions) {
    let pacer = Pacer(rate: options.rate, uptime: DispatchTime.now().uptimeNanoseconds)
    state = Locked(State(book: SimulatedBook(options: options), pacer: pacer))
  }

  deinit {
    stop()
  }

  /// Odds updates a second.
  package var rate: Double { state.withLock { $0.pacer.rate } }

  /// Sets how many odds updates a second there are, from now on. What is outside
  /// `SimulatorOptions.rateRange` is brought into it.
  package func setRate(_ updatesPerSecond: Double) {
    state.withLock { state in
      state.pacer.setRate(updatesPerSecond)
      state.timer?.start(every: state.pacer.interval)
    }
  }

  /// Opens the line; the first event says that it is live. One reader pulls the events.
  package func connect() async -> AsyncStream<TransportEvent> {
    events.push(.state(.live))
    // The stream holds the queue, not the transport: a reader that lives on keeps no book alive.
    return AsyncStream { [events] in
      await events.next()
    } onCancel: { [events] in
      events.finish()
    }
  }

  /// Ends the line, its events and its timer for good. Harmless when called twice.
  package func disconnect() async {
    stop()
  }

  /// Sends the topic's dump at once and its updates from then on. Harmless after `disconnect()`.
  package func subscribe(_ subscription: Subscription) async {
    state.withLock { state in
      guard !events.isFinished, state.feeds[subscription] == nil else { return }
      if state.subscriptions.isEmpty {
        state.catchUp(to: DispatchTime.now().uptimeNanoseconds)
        state.timer = makeTimer(every: state.pacer.interval)
      }
      var feed = TopicFeed(topic: subscription.topic)
      events.push(.frame(TransportFrame(subscription: subscription, bytes: feed.dump(of: state.book))))
      state.feeds[subscription] = feed
      state.subscriptions.append(subscription)
    }
  }

  /// Gives a topic up. The book rests while nobody is subscribed.
  package func unsubscribe(_ subscription: Subscription) async {
    state.withLock { state in
      state.feeds[subscription] = nil
      state.subscriptions.removeAll { $0 == subscription }
      if state.subscriptions.isEmpty { state.timer.take()?.cancel() }
    }
  }

  /// Plays what is due at an uptime in nanoseconds; the timer calls it. Put off while the reader is behind.
  package func tick(uptime: UInt64) {
    state.withLock { state in
      guard !events.isFull, !state.subscriptions.isEmpty else { return }
      let due = state.pacer.advance(to: uptime)
      let tick = state.book.tick(elapsed: due.elapsed, updates: due.updates)
      for subscription in state.subscriptions {
        for bytes in state.feeds[subscription]?.frames(for: tick, of: state.book) ?? [] {
          events.push(.frame(TransportFrame(subscription: subscription, bytes: bytes)))
        }
      }
      // The reader's task may have been cancelled: then nobody will ever unsubscribe.
      if events.isFinished { state.timer.take()?.cancel() }
    }
  }

  /// How many events wait for the reader.
  package var backlog: Int { events.count }

  private func makeTimer(every interval: UInt64) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: ticks)
    timer.setEventHandler { [weak self] in
      self?.tick(uptime: DispatchTime.now().uptimeNanoseconds)
    }
    timer.start(every: interval)
    timer.resume()
    return timer
  }

  private func stop() {
    state.withLock { state in
      state.timer.take()?.cancel()
      state.subscriptions = []
      state.feeds = [:]
    }
    events.finish()
  }
}
