import Dashboard
import FeedClient
import FeedSimulator
import Locking
import OddsFeed

/// The feed's stores as the board's channels.
final class ProviderService: FeedService {
  let canReconnect: Bool
  private let provider: Provider
  private let saver: BoardSaver?
  private let simulated: SimulatedConnector?
  /// Nil where the feed is no recording, or one without times.
  private let recording: RecordingTransport?
  private let reading = Locked<Task<Void, Never>?>(nil)

  init(
    provider: Provider, cache: BoardCache?, simulated: SimulatedConnector?, recording: RecordingTransport?,
    canReconnect: Bool
  ) {
    self.provider = provider
    self.simulated = simulated
    self.recording = recording
    self.canReconnect = canReconnect
    saver = cache.map(BoardSaver.init)
  }

  func connect() async {
    reading.withLock { $0 = Task.detached { [provider] in await provider.run() } }
  }

  func disconnect() async {
    await provider.stop()
    reading.withLock { $0?.cancel() }
    await saver?.finish()
  }

  func reconnect() async { await provider.reconnect() }

  func open(_ channel: BoardChannel, onPending: @escaping @Sendable () -> Void) async -> any OpenChannel {
    let share = await provider.subscribe(to: channel.topic)
    return SubscribedChannel(share: share, reader: await share.reader(onPending: onPending), saver: saver)
  }

  func setRate(_ updatesPerSecond: Double) async {
    simulated?.setRate(updatesPerSecond)
  }

  func playback() -> Playback? { recording.map { Playback($0.status) } }

  func togglePause() { recording?.togglePause() }

  func seek(by step: Duration) { recording?.seek(by: step) }
}

struct SubscribedChannel: OpenChannel {
  private let share: ChannelSubscription
  private let reader: ChannelReader
  private let saver: BoardSaver?
  private let saving: Task<Void, Never>?

  init(share: ChannelSubscription, reader: ChannelReader, saver: BoardSaver?) {
    (self.share, self.reader, self.saver) = (share, reader, saver)
    saving = saver.map { saver in
      Task.detached {
        while (try? await Task.sleep(for: BoardSaver.interval)) != nil { saver.save(await share.store.saved) }
      }
    }
  }

  func take() -> ChannelUpdate? {
    guard let changes = reader.take() else { return nil }
    return ChannelUpdate(
      changed: changes.changed, removed: changes.removed, oddsUpdates: changes.received.oddsUpdates,
      conflated: changes.conflated, connection: changes.connection, isLoaded: changes.isLoaded,
      staleness: changes.staleness, lastSign: changes.lastSign, topic: changes.topic, source: changes.source,
      apiProblem: changes.apiProblem)
  }

  func health() async -> ChannelHealth { await share.store.health }

  func close() async {
    saving?.cancel()
    if let saver { saver.save(await share.store.saved) }
    await share.cancel()
  }
}
