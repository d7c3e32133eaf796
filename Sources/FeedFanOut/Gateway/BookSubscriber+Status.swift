internal import Platform

/// The state of the book and of the topics, as a gateway sees it.
extension BookSubscriber {
  /// The book's term and its wall clock; nil while no book is heard. The time is a little before that of the clock: the
  /// heartbeat from which it counts has taken time.
  package var bookTime: BookTime? {
    let now = clock.uptime()
    return state.withLock { state in
      guard state.presence.isPresent, let identity = state.presence.identity, let last = state.lastHeartbeat else {
        return nil
      }
      let passed = ((now - last.arrived) / .milliseconds(1)).rounded(.down)
      return BookTime(epoch: identity.epoch, time: last.sent + Int64(passed))
    }
  }

  /// True if topics are open and no dump of any of them can be had: the book is heard, and nothing else of it.
  package var isStale: Bool {
    let topics = state.withLock { Array($0.topics.values) }
    return topics.contains(where: \.isStale) && !topics.contains(where: \.isCurrent)
  }

  /// The figures for metrics.
  package var status: GatewayStatus {
    let now = clock.uptime()
    return state.withLock { state in
      var counters = state.closed
      for topic in state.topics.values { counters.add(topic.counters) }
      return GatewayStatus(
        book: state.presence.isPresent ? state.presence.identity : nil, silence: state.presence.silence(now: now),
        lag: state.lag, echoDelay: state.echo.delay(now: now), openTopics: state.topics.count,
        staleTopics: state.topics.values.count { !$0.isCurrent }, counters: counters)
    }
  }
}
