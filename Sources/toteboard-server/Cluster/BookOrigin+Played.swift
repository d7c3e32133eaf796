import FeedFanOut
import FeedSimulator
import OddsModel
import Platform

extension BookOrigin {
  /// Creates the origin of a book that plays a feed.
  ///
  /// - Parameter onEnd: Called once when the feed has ended. Its open topics are lost then. Must not call the
  ///   publisher.
  init(playing feed: any PlayedFeed, onEnd: @escaping @Sendable () -> Void) {
    // The publisher calls one function at a time, so that nobody waits for the lock.
    let state = Locked(PlayedTopics(feed: feed))
    self.init(
      interval: .nanoseconds(Int64(clamping: feed.interval)), start: { _ in },
      open: { topic, completion in completion(state.withLock { $0.open(topic) }) },
      close: { topic in state.withLock { $0.close(topic) } },
      dump: { topic in state.withLock { $0.feed.dump(of: topic) } },
      advance: { uptime in
        let (news, isEnd) = state.withLock { state in
          let wasOver = state.isOver
          let news = state.advance(to: uptime)
          return (news, state.isOver != wasOver)
        }
        if isEnd { onEnd() }
        return news
      })
  }
}

/// A played feed and its open topics.
private struct PlayedTopics: Sendable {
  var feed: any PlayedFeed
  private var topics: Set<Topic> = []
  /// True once the feed has ended and its topics are lost.
  private(set) var isOver = false

  init(feed: any PlayedFeed) { self.feed = feed }

  /// Opens a topic. Returns the reason for which it cannot be had; nil if it is open.
  mutating func open(_ topic: Topic) -> FeedFrame.Refusal? {
    if isOver { return .lost }
    guard feed.open(topic) else { return .unknown }
    topics.insert(topic)
    return nil
  }

  mutating func close(_ topic: Topic) {
    feed.close(topic)
    topics.remove(topic)
  }

  mutating func advance(to uptime: UInt64) -> [BookOrigin.News] {
    let news = feed.advance(to: uptime)
    if !news.isEmpty { return news.map { .messages($0.topic, $0.messages) } }
    guard feed.hasEnded, !isOver else { return [] }
    isOver = true
    defer { topics = [] }
    return topics.sorted { $0.path < $1.path }.map { .lost($0) }
  }
}
