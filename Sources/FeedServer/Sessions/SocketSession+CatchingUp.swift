import NIOCore
import OddsModel

/// Subscribers that are behind.
extension SocketSession {
  struct Subscription {
    /// The canonical form of the topic.
    let topic: Topic
    let registration: UInt64
    let log: TopicLog
    /// The number of the last message sent to the client.
    var cursor: UInt64
    var catchUp = CatchUp.none
    /// The time at which a conflated message or a dump was first needed; nil if the client has had it since.
    var behindSince: NIODeadline?
  }

  /// A session's part in the `CatchUpPlaces` of its address, apart from the places in use.
  enum CatchUpPlace {
    case none, awaited
    /// The session has a place and does not use it yet.
    case handed
  }

  /// The way in which a subscriber that is behind gets the messages that it lacks.
  enum CatchUp {
    case none
    /// A conflated message or a dump is being made.
    case making
    /// A conflated message, up to and including message `upTo`.
    case message(ByteBuffer, upTo: UInt64)
    case dump(TopicDump)
  }

  /// Prepares a conflated message for a subscriber, or a dump if that is not possible.
  func catchUp(_ index: Int, _ range: TopicLog.Conflation) {
    guard let context else { return }
    subscriptions[index].behindSince = subscriptions[index].behindSince ?? context.eventLoop.now
    if catchUpTimer != nil { return }
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    let registration = subscriptions[index].registration
    subscriptions[index].catchUp = .making
    dependencies.hub.conflate(range, of: subscriptions[index].log, from: address) { result in
      this.eventLoop.execute { this.value.conflated(registration, range, result) }
    }
  }

  private func conflated(
    _ registration: UInt64, _ requested: TopicLog.Conflation, _ result: Result<FeedHub.Conflated, TopicError>
  ) {
    guard let index = indexToCatchUp(registration) else { return }
    subscriptions[index].catchUp = .none
    switch result {
    case .success(let conflated):
      let range = conflated.range
      guard let message = conflated.message else {
        if range == requested { return catchUpByDump(index) }
        break
      }
      // The cursor may have moved in the meantime, with a dump that the client requested.
      let cursor = subscriptions[index].cursor
      if range.after <= cursor && cursor < range.upTo {
        subscriptions[index].catchUp = .message(message, upTo: range.upTo)
      }
    case .failure: return catchUpLater()
    }
    flush()
  }

  /// Prepares a dump for a subscriber. If it cannot be made, or the address has too many, a later round tries again.
  func catchUpByDump(_ index: Int) {
    guard let context else { return }
    subscriptions[index].behindSince = subscriptions[index].behindSince ?? context.eventLoop.now
    if catchUpTimer != nil { return }
    let (hub, address) = (dependencies.hub, address)
    if hub.work.isSpent(address, now: context.eventLoop.now) { return catchUpLater() }
    guard takePlace(context) else { return }
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    let registration = subscriptions[index].registration
    subscriptions[index].catchUp = .making
    hub.reserveDump(ofCanonical: subscriptions[index].topic, from: address) { result in
      hub.catchUps.free(address)
      this.eventLoop.execute {
        let dump = try? result.get()
        guard let index = this.value.indexToCatchUp(registration) else {
          if let dump { hub.unsent.release(dump.payload.readableBytes, of: address) }
          return
        }
        this.value.subscriptions[index].catchUp = dump.map { .dump($0) } ?? .none
        if dump != nil { this.value.flush() } else { this.value.catchUpLater() }
      }
    }
  }

  /// Takes one of the address's places. Returns false if there is none: `flush()` follows when this session has one.
  private func takePlace(_ context: ChannelHandlerContext) -> Bool {
    switch place {
    case .handed:
      place = .none
      return true
    case .awaited: return false
    case .none:
      let this = NIOLoopBound(self, eventLoop: context.eventLoop)
      let isTaken = dependencies.hub.catchUps.take(address) {
        this.eventLoop.execute { this.value.placeIsHanded() }
      }
      if !isTaken { place = .awaited }
      return isTaken
    }
  }

  private func placeIsHanded() {
    place = .handed
    flush()
    guard place == .handed else { return }
    // It is not needed any more.
    place = .none
    dependencies.hub.catchUps.free(address)
  }

  /// Serves the subscribers that are behind when the address may have processor time again.
  private func catchUpLater() {
    guard let context, catchUpTimer == nil else { return }
    catchUpTimer = context.eventLoop.assumeIsolated().scheduleTask(in: dependencies.limits.catchUpInterval) {
      [weak self] in
      self?.catchUpTimer = nil
      self?.flush()
    }
  }

  private func indexToCatchUp(_ registration: UInt64) -> Int? {
    isClosing ? nil : subscriptions.firstIndex { $0.registration == registration }
  }

  /// Drops a prepared message or dump.
  func dropCatchUp(_ index: Int) {
    if case .dump(let dump) = subscriptions[index].catchUp {
      dependencies.hub.unsent.release(dump.payload.readableBytes, of: address)
    }
    if case .making = subscriptions[index].catchUp { return }
    subscriptions[index].catchUp = .none
  }

  /// Leaves a topic.
  func leave(_ index: Int) {
    dropCatchUp(index)
    let subscription = subscriptions.remove(at: index)
    dependencies.hub.leave(subscription.topic, subscription.log)
  }
}

extension SocketSession.Subscription {
  /// Notes that a prepared message or dump is sent, up to and including message `last`.
  mutating func caughtUp(to last: UInt64) {
    catchUp = .none
    behindSince = nil
    cursor = last
  }
}
