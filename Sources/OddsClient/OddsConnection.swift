import OddsFeed
public import OddsModel

/// A connection to a feed, within `OddsClient.run(_:)`.
public struct OddsConnection: Sendable {
  let provider: Provider
  let feed: OpenFeed

  /// The topics of a recording, in order of appearance, for `Selection.topic(_:)`. Empty for other feeds.
  public var recordedTopics: [Topic] { feed.recorded }

  /// True if the recording is a compressed file whose end is missing, for example after an interrupted download. Its
  /// updates end where the file does.
  public var recordingEndsEarly: Bool { feed.endsEarly }

  /// The state of the connection, beginning with the current one. A slow reader gets the newest state.
  public var states: some AsyncSequence<ConnectionState, Never> {
    get async { await provider.connectionChanges() }
  }

  /// Subscribes to matches, and waits until the feed has sent them. Waits for a lost connection and during maintenance of
  /// the feed too: cancel the task to give up.
  ///
  /// - Throws: The `OddsClientError` with which the feed answers twice, or with which it refuses the selection for good;
  ///   `CancellationError` if the task is cancelled or the feed ends first.
  public func subscribe(to selection: Selection) async throws -> OddsSubscription {
    let topic = try topic(of: selection)
    let subscription = OddsSubscription(await provider.subscribe(to: topic))
    var firstRetry: Int64?
    for await update in subscription.updates {
      if let refusal = update.refusal(after: firstRetry) {
        await subscription.cancel()
        throw OddsClientError(refusal)
      }
      if update.isLoaded { return subscription }
      firstRetry = firstRetry ?? update.retryTime
    }
    await subscription.cancel()
    throw CancellationError()
  }

  /// Connects at once if the client waits before its next attempt.
  public func reconnect() async { await provider.reconnect() }

  private func topic(of selection: Selection) throws(OddsClientError) -> Topic {
    if let topics = feed.topics { return try topics.topic(of: selection) }
    switch selection.kind {
    case .topic(let topic) where feed.recorded.contains(topic): return topic
    case .list:
      if let first = feed.recorded.first { return first }
    case .topic, .league, .match: break
    }
    throw OddsClientError(
      .notRecorded, "the recording does not have the selection '\(selection)'", remedy: "select one of recordedTopics")
  }
}
