internal import Dispatch
internal import NIOCore
internal import OddsModel
internal import Platform

/// The answers to dump requests.
extension BookPublisher {
  /// The queues that build dumps, each one at a time, so that the feed goes on meanwhile. The dumps of lists have their
  /// own queue, so that other dumps do not wait for them.
  private static let builders = DispatchQueue(label: "toteboard.book.dumps")
  private static let listBuilders = DispatchQueue(label: "toteboard.book.dumps.lists")

  /// Answers a request. Called on the queue.
  func answer(_ request: DumpRequest, _ reply: String) {
    let now = clock.uptime()
    guard let identity = current else { return }
    if request.dump != 0 {
      let dump = state.withLock { $0.term!.shelf.dump(request.dump, now: now) }
      guard let dump else { return refuse(.expired, identity, reply) }
      return send(part: request.part, of: dump, identity, reply)
    }
    open(request, reply, identity)
  }

  /// Answers a request for a new dump of an open topic.
  private func answerOpen(_ request: DumpRequest, _ reply: String, _ identity: BookIdentity) {
    let now = clock.uptime()
    state.withLock { state in
      state.term!.interest.open(
        request.topic, gateway: request.gateway, serial: request.serial, isFollowed: request.isFollowed, now: now)
    }
    let recent = state.withLock { state in
      // A gateway that has just subscribed lacks the messages between an older dump and now.
      let last = request.isOpening ? state.term!.topics.last(request.topic) ?? 0 : 0
      return state.term!.shelf.recent(request.topic, minimum: max(request.minimum, last), now: now)
    }
    if let dump = recent {
      if dump.payload != nil { return send(part: 0, of: dump, identity, reply) }
      let isUrgent = state.withLock { state in
        state.term!.builds[dump.number]!.add(reply, isForList: request.isForList)
      }
      if isUrgent { enqueueBuild(of: dump.number, identity, on: Self.builders) }
      return
    }
    guard let build = origin.dump(request.topic) else { return refuse(.busy, identity, reply) }
    let dump = state.withLock { state in
      let last = state.term!.topics.last(request.topic)!
      let dump = state.term!.shelf.begin(request.topic, last: last, now: now)
      state.term!.builds[dump.number] = DumpBuild(build, reply, isForList: request.isForList)
      state.counters.dumps += 1
      return dump
    }
    enqueueBuild(of: dump.number, identity, on: request.isForList ? Self.listBuilders : Self.builders)
  }

  /// Builds a dump on a queue, unless that has begun on another one.
  private func enqueueBuild(of number: UInt64, _ identity: BookIdentity, on builders: DispatchQueue) {
    builders.async { [weak self] in
      guard let build = self?.beginBuild(of: number, identity) else { return }
      let payload = ByteBuffer(bytes: build())
      guard let self else { return }
      queue.async { self.finish(number, payload, identity) }
    }
  }

  private func beginBuild(of number: UInt64, _ identity: BookIdentity) -> (@Sendable () -> [UInt8])? {
    state.withLock { state in
      // Another term may have begun, with dumps of the same numbers.
      guard state.term?.identity == identity else { return nil }
      return state.term!.builds[number]?.begin()
    }
  }

  /// Opens the topic of a request, unless it is open, and answers the request.
  private func open(_ request: DumpRequest, _ reply: String, _ identity: BookIdentity) {
    enum Step { case answer, wait, open(number: UInt64), refuse }
    let topic = request.topic
    makeRoom(for: topic)
    let step: Step = state.withLock { state in
      if state.term!.interest.contains(topic) { return .answer }
      if state.term!.opening[topic] != nil {
        state.term!.opening[topic]!.waiting.append((request, reply))
        return .wait
      }
      if state.term!.topics.count + state.term!.opening.count >= timing.maxTopics { return .refuse }
      state.term!.openings += 1
      state.term!.opening[topic] = Opening(number: state.term!.openings, waiting: [(request, reply)])
      return .open(number: state.term!.openings)
    }
    switch step {
    case .answer: answerOpen(request, reply, identity)
    case .wait: break
    case .open(let number):
      origin.open(topic) { [weak self] refusal in
        guard let self else { return }
        queue.async { self.opened(topic, number, refusal, identity) }
      }
    case .refuse: refuse(.tooMany(timing.maxTopics), identity, reply)
    }
  }

  /// Closes a topic whose messages no gateway receives, if another one is to be opened and there are too many.
  private func makeRoom(for topic: Topic) {
    // NB: Returns early for a known topic, as most are, because `isFull` may wait for a relay that applies messages.
    let isKnown = state.withLock { $0.term!.interest.contains(topic) || $0.term!.opening[topic] != nil }
    if isKnown { return }
    let isFull = origin.isFull()
    let unused: Topic? = state.withLock { [timing] state in
      let count = state.term!.topics.count + state.term!.opening.count
      let unfollowed = state.term!.interest.unfollowedCount
      guard isFull || count >= timing.maxTopics || unfollowed >= timing.maxUnfollowedTopics else { return nil }
      return state.term!.interest.closeOldestUnfollowed()
    }
    if let unused { close([unused]) }
  }

  /// Answers the requests that wait for an opening.
  ///
  /// NB: The topic may have been lost and requested again since the origin opened it. The answer to that opening comes
  /// later.
  private func opened(_ topic: Topic, _ number: UInt64, _ refusal: FeedFrame.Refusal?, _ identity: BookIdentity) {
    let now = clock.uptime()
    let waiting: [(request: DumpRequest, reply: String)] = state.withLock { state in
      guard state.term?.identity == identity, let opening = state.term!.opening[topic], opening.number == number else {
        return []
      }
      state.term!.opening[topic] = nil
      if refusal == nil { state.term!.topics.open(topic, now: now) }
      return opening.waiting
    }
    for (request, reply) in waiting {
      if let refusal { refuse(refusal, identity, reply) } else { answerOpen(request, reply, identity) }
    }
  }

  private func finish(_ number: UInt64, _ payload: ByteBuffer, _ identity: BookIdentity) {
    let ready: (DumpShelf.Dump, [String])? = state.withLock { state in
      // Another term may have begun, with dumps of the same numbers.
      guard state.term?.identity == identity, let dump = state.term!.shelf.finish(number, payload) else { return nil }
      return (dump, state.term!.builds.removeValue(forKey: number)?.replies ?? [])
    }
    guard let (dump, replies) = ready else { return }
    for reply in replies { send(part: 0, of: dump, identity, reply) }
  }

  private func send(part: UInt16, of dump: DumpShelf.Dump, _ identity: BookIdentity, _ reply: String) {
    guard let payload = dump.payload else { return }
    // 8 bytes for the number of the dump. The number of parts limits a dump to 2 GiB.
    let room = max(1, min(timing.partSize, connection.maxPayload - FeedFrame.headerSize - 8))
    let parts = max(1, (payload.readableBytes + room - 1) / room)
    let start = payload.readerIndex + Int(part) * room
    guard parts <= UInt16.max, part < parts else { return refuse(.expired, identity, reply) }
    var body = ByteBuffer(integer: dump.number)
    body.writeImmutableBuffer(payload.getSlice(at: start, length: min(room, payload.writerIndex - start))!)
    state.withLock { $0.counters.dumpParts += 1 }
    send(
      FeedFrame(.dump, identity, offset: dump.last, part: part, parts: UInt16(parts), body: body), to: reply)
  }

  func refuse(_ refusal: FeedFrame.Refusal, _ identity: BookIdentity, _ reply: String) {
    send(FeedFrame(.refusal, identity, offset: 0, body: refusal.encoded), to: reply)
  }
}
