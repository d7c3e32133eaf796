import AccountClient
import Dashboard
import Dispatch
import FeedNetwork
import FeedRecording
import FeedSimulator
import OddsFeed
import OddsHistory
import OddsModel
import Platform

/// The feed service of the dashboard, on the stores of a provider.
final class ProviderService: FeedService {
  private let feed: FeedOptions.Feed
  private let provider: Provider
  private let saver: ChannelCacheWriter?
  /// The writer of the history; nil if none is written.
  private let history: HistoryRecorder?
  /// True if a connection has used an account's token since the last `reauthenticate()`.
  private let isTokenShown = Locked(false)
  private let reading = Locked<Task<Void, Never>?>(nil)

  init(_ feed: FeedOptions.Feed, bounds: StoreLimitOptions, history: HistoryRecorder? = nil) {
    self.feed = feed
    self.history = history
    provider = Provider(transport: feed.transport, options: bounds.options)
    saver = feed.cache.map(ChannelCacheWriter.init)
  }

  /// Makes the feed's connections use the account's token from now on.
  func showTokens(of account: AccountClient) {
    feed.network?.setTokenSource { [isTokenShown] in
      let token = await account.tokens.token()
      if token != nil { isTokenShown.withLock { $0 = true } }
      return token
    }
  }

  var topics: Set<Topic> { get async { await provider.topics } }

  func connect() async {
    history?.start()
    reading.withLock { $0 = Task.detached { [provider] in await provider.run() } }
  }

  func disconnect() async {
    await feed.close()
    reading.withLock { $0?.cancel() }
    await saver?.finish()
    // NB: The end can come during a check of a large file, which only reads.
    if let history { await within(.seconds(3)) { await history.finish() } }
  }

  func reconnect() async { await provider.reconnect() }

  /// Retries a pending connection immediately, because links or addresses of the machine have changed.
  func networkChanged() async { await provider.networkChanged() }

  func reauthenticate() async {
    let isShown = isTokenShown.withLock { isShown in
      defer { isShown = false }
      return isShown
    }
    if isShown { await provider.renew() }
  }

  func open(_ topic: Topic, onPending: @escaping @Sendable () -> Void) async -> any OpenChannel {
    await open(topic, saver: saver, onPending: onPending)
  }

  func openMatch(
    _ id: MatchID, of topic: Topic, onPending: @escaping @Sendable () -> Void
  ) async -> (any OpenChannel)? {
    // A file or a pipe has a fixed set of topics.
    guard let topic = feed.catalog?.topic(ofMatch: id, listedIn: topic) else { return nil }
    return await open(topic, saver: nil, onPending: onPending)
  }

  private func open(
    _ topic: Topic, saver: ChannelCacheWriter?, onPending: @escaping @Sendable () -> Void
  ) async -> any OpenChannel {
    let share = await provider.subscribe(to: topic)
    var endRecording: (@Sendable () async -> Void)?
    if let (follow, end) = history?.follower() {
      let follower = await share.store.follow(follow)
      endRecording = { [store = share.store] in
        // NB: Other subscriptions to the topic keep the store, and a later message would begin the recording anew.
        await store.unfollow(follower)
        end()
      }
    }
    return SubscribedChannel(
      share: share, reader: await share.reader(onPending: onPending), saver: saver, onClose: endRecording)
  }

  func setRate(_ updatesPerSecond: Double) async { feed.simulated?.setRate(updatesPerSecond) }

  func address() -> CurrentAddress? { feed.currentAddress?() }

  func playback() -> Playback? { feed.recording.map { Playback($0.status) } }

  func togglePause() { feed.recording?.togglePause() }

  func seek(by step: Duration) { feed.recording?.seek(by: step) }

  func seek(to position: Duration) { feed.recording?.seek(to: position) }
}

struct SubscribedChannel: OpenChannel {
  let share: ChannelSubscription
  private let reader: ChannelReader
  private let saver: ChannelCacheWriter?
  private let saving: Task<Void, Never>?
  /// Called when the channel is closed.
  private let onClose: (@Sendable () async -> Void)?

  init(
    share: ChannelSubscription, reader: ChannelReader, saver: ChannelCacheWriter?,
    onClose: (@Sendable () async -> Void)? = nil
  ) {
    self.share = share
    self.reader = reader
    self.saver = saver
    self.onClose = onClose
    saving = saver.map { saver in
      Task.detached {
        while (try? await Task.sleep(for: ChannelCacheWriter.interval)) != nil { saver.save(await share.store.saved) }
      }
    }
  }

  func status() -> OpenTopic {
    switch reader.look() {
    case (true, _): .loaded
    case (false, .refused): .refused
    case (false, _): .waiting
    }
  }

  func drain(prioritizing wanted: @autoclosure () -> [MatchID], limit: Int) -> ChannelUpdate? {
    guard let changes = reader.drain(first: wanted(), most: limit) else { return nil }
    return ChannelUpdate(
      changed: changes.changed, removed: changes.removed, oddsUpdates: changes.received.oddsUpdates,
      conflated: changes.conflated, connection: changes.connection, isLoaded: changes.isLoaded,
      freshness: changes.freshness, lastSign: changes.lastSign, topic: changes.topic, source: changes.source,
      apiProblem: changes.apiProblem, hasMore: changes.hasMore)
  }

  func match(_ id: MatchID) -> Match? { reader.given(id) }

  func health() async -> ChannelHealth { await share.store.health }

  func close() async {
    saving?.cancel()
    if let saver { saver.save(await share.store.saved) }
    await share.cancel()
    await onClose?()
  }
}

/// Saves channels one after another on its own queue, so that neither keys nor the feed wait for the disk.
final class ChannelCacheWriter: Sendable {
  /// The time between two saves of an open channel.
  static let interval = Duration.seconds(60)

  private let cache: BoardCache
  private let queue = DispatchQueue(label: "toteboard.cache")

  init(cache: BoardCache) { self.cache = cache }

  /// Enqueues a channel to be saved; does nothing for nil.
  func save(_ channel: SavedChannel?) {
    guard let channel else { return }
    queue.async { [cache] in cache.save(channel) }
  }

  /// Returns after all enqueued channels are saved.
  func finish() async { await withCheckedContinuation { continuation in queue.async { continuation.resume() } } }
}
