public import OddsFeed

/// The feed's face towards readers: one store for each topic, shared, made at the first subscription and released,
/// with its memory, after the last.
public actor Provider {
  private struct Channel {
    let subscription: Subscription
    let store: ChannelStore
    var users = 0
  }

  private let transport: any FeedTransport
  private var channels: [Topic: Channel] = [:]
  private var lastGeneration: UInt64 = 0
  private var connection = ConnectionState.idle

  /// A provider over a transport. Nothing happens before `run()`.
  public init(transport: any FeedTransport) {
    self.transport = transport
  }

  /// Reads the transport until it ends: decodes what comes and applies it, one frame after the other, on a thread of
  /// its own, which the transport may block.
  public nonisolated func run() async {
    await withTaskExecutorPreference(FeedExecutor()) { await read() }
  }

  private nonisolated func read() async {
    var decoder = MessageDecoder()
    var batch = FeedBatch()
    for await event in await transport.connect() {
      switch event {
      case .state(let state): await lineChanged(state)
      case .frame(let frame):
        // NB: a frame of an old generation belongs to nobody and is not even decoded.
        guard let store = await store(of: frame.subscription) else { continue }
        decoder.decode(frame, into: &batch)
        await store.apply(batch)
        batch.removeAll()
      }
    }
  }

  /// Ends the line; `run()` returns then.
  public func stop() async {
    await transport.disconnect()
  }

  /// Subscribes to a topic; give the result up with `cancel()`.
  public func subscribe(to topic: Topic) async -> ChannelSubscription {
    if channels[topic] == nil {
      lastGeneration += 1
      let subscription = Subscription(topic: topic, generation: lastGeneration)
      let store = ChannelStore(topic: topic)
      channels[topic] = Channel(subscription: subscription, store: store)
      channels[topic]!.users = 1
      await store.lineChanged(connection)
      await transport.subscribe(subscription)
      return ChannelSubscription(store: store, provider: self, subscription: subscription)
    }
    channels[topic]!.users += 1
    let channel = channels[topic]!
    return ChannelSubscription(store: channel.store, provider: self, subscription: channel.subscription)
  }

  /// The topics that somebody is subscribed to.
  public var topics: Set<Topic> { Set(channels.keys) }

  func release(_ subscription: Subscription) async {
    guard var channel = channels[subscription.topic], channel.subscription == subscription else { return }
    channel.users -= 1
    if channel.users > 0 {
      channels[subscription.topic] = channel
      return
    }
    channels[subscription.topic] = nil
    await channel.store.close()
    await transport.unsubscribe(subscription)
  }

  private func store(of subscription: Subscription) -> ChannelStore? {
    guard let channel = channels[subscription.topic], channel.subscription == subscription else { return nil }
    return channel.store
  }

  private func lineChanged(_ state: ConnectionState) async {
    connection = state
    for channel in channels.values { await channel.store.lineChanged(state) }
  }
}
