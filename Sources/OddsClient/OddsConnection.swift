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

  /// The states of the connection, beginning with the current one, until the connection ends. A slow reader gets only
  /// the newest state.
  public var states: some AsyncSequence<ConnectionState, Never> {
    get async { await provider.connectionChanges() }
  }

  /// Subscribes to matches, and waits until the feed has sent them.
  ///
  /// It also waits while the connection is lost or the feed is in maintenance. There is no time limit: cancel the task
  /// to end the wait.
  ///
  /// - Parameter selection: The matches to subscribe to.
  /// - Returns: The subscription. Its first update has all matches.
  /// - Throws: At once, an `OddsClientError` with the code `selectionUnavailable`, `notRecorded` or `valueInvalid` if
  ///   the feed does not have such a selection. Later, the `OddsClientError` of the feed if it refuses the selection
  ///   for good, or if it answers both the first request and the next one with an error. `CancellationError` if the
  ///   task is cancelled or the feed ends first.
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

  /// Connects at once if the client waits before its next attempt, and requests refused subscriptions again. Otherwise
  /// it does nothing.
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
