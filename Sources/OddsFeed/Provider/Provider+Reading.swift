import OddsModel
import Platform

// The task that reads the transport's events, decodes them and applies them.
extension Provider {
  /// The state of the task between events.
  private struct Reading {
    var events: AsyncStream<TransportEvent>.Iterator
    /// The decoders of the subscriptions, by their generations.
    var decoders: [UInt64: any FeedDecoder] = [:]
    var batch = FeedBatch()
    /// Consecutive frames that are not decoded yet.
    var frames: [TransportFrame] = []
    var isOver = false
  }

  /// Reads the transport until it ends, and decodes and applies its events, together if they arrive together. Runs on a
  /// thread of its own, which the transport may block, or where the transport demands it (`ThreadSharingTransport`).
  /// Further calls return at once.
  public nonisolated func run() async {
    guard await begin() else { return }
    let executor = (transport as? any ThreadSharingTransport)?.readingExecutor ?? FeedExecutor()
    await withTaskExecutorPreference(executor) {
      var reading = Reading(events: await transport.connect().makeAsyncIterator())
      while !reading.isOver { await readNext(&reading) }
    }
    await eventsEnded()
  }

  /// Reads the next event and those that have arrived with it, and applies them.
  private nonisolated func readNext(_ reading: inout Reading) async {
    guard let event = await reading.events.next() else { return reading.isOver = true }
    await apply(event, &reading)
    for event in transport.drainBufferedEvents() { await apply(event, &reading) }
    await applyFrames(&reading)
  }

  private nonisolated func apply(_ event: TransportEvent, _ reading: inout Reading) async {
    if case .frame(let frame) = event { return reading.frames.append(frame) }
    await applyFrames(&reading)
    switch event {
    case .frame: break
    case .records(let subscription, let batch, let source):
      await channel(subscription)?.apply(batch, at: clock.wall(), from: source)
    case .state(let state): await lineChanged(state)
    case .alive(let time, _): await signOfLife(receivedAt: time)
    case .topic(let subscription, let state): await channel(subscription)?.topicChanged(state, at: clock.wall())
    case .api(let subscription, let problem): await channel(subscription)?.apiAnswered(problem, at: clock.wall())
    case .apiLost(let subscription): await channel(subscription)?.apiLost(at: clock.wall())
    }
  }

  /// Decodes and applies frames, all of one subscription together, so that readers are notified once.
  private nonisolated func applyFrames(_ reading: inout Reading) async {
    // The last frame is the latest sign of life.
    guard let last = reading.frames.last else { return }
    while let first = reading.frames.first {
      // NB: A frame of an earlier generation has no store and is not decoded.
      let store = await channelWithData(first.subscription, last)
      let generation = first.subscription.generation
      var place = store == nil ? nil : reading.decoders.index(forKey: generation)
      if store != nil, place == nil {
        let current = await generations
        reading.decoders = reading.decoders.filter { current.contains($0.key) }
        reading.decoders[generation] = transport.makeDecoder()
        place = reading.decoders.index(forKey: generation)
      }
      let (wall, uptime) = (clock.wall(), clock.uptime())
      var frames: [TransportFrame] = []
      swap(&frames, &reading.frames)
      frames.removeAll { frame in
        guard frame.subscription == first.subscription else { return false }
        if let place {
          let known = reading.batch.messages.count
          reading.decoders.values[place].decode(frame, into: &reading.batch)
          reading.batch.setReceipt(frame.receiptTime(wall: wall, uptime: uptime), from: known)
        }
        return true
      }
      swap(&frames, &reading.frames)
      let needsDump = await store?.apply(reading.batch, at: wall) ?? false
      reading.batch.removeAll()
      // NB: If the feed cannot be asked now, the channel's auditor asks later.
      if needsDump { _ = await transport.requestDump(first.subscription) }
    }
  }

  /// Records a frame as a sign of life. Returns the store of a subscription; nil if the subscription has ended.
  private func channelWithData(_ subscription: Subscription, _ sign: TransportFrame) async -> ChannelStore? {
    await signOfLife(delay: sign.delay, receivedAt: sign.receivedAt)
    return channel(subscription)
  }
}

extension FeedBatch {
  /// Sets the time of receipt of the messages from an index on that do not state their own.
  fileprivate mutating func setReceipt(_ time: Int64, from index: Int) {
    for place in index..<messages.count where messages[place].receivedAt == nil { messages[place].receivedAt = time }
  }
}
