internal import Dispatch
package import NIOCore
internal import OddsModel
package import Platform

/// Publishes a feed to the gateways of a cluster while this process holds the lease.
///
/// Everything happens on one serial queue: the feed advances, its messages are numbered and published, and the state
/// for a dump is taken between two advances, so that the dump includes the messages up to its offset and no other.
/// Only building the bytes of a dump is done elsewhere.
package final class BookPublisher: Sendable {
  /// A topic that the origin is to open.
  struct Opening {
    /// A number that tells the openings of a topic apart.
    let number: UInt64
    /// The requests that wait until the topic is open, with the subjects of their answers.
    var waiting: [(request: DumpRequest, reply: String)]
  }

  struct Term {
    let identity: BookIdentity
    /// The uptime from which nothing may be published, unless `extend` has moved it.
    var end: Duration
    /// True after `announceEnd`: the term is not extended any more.
    var isEnding = false
    var topics: PublishedTopics
    var interest: InterestTable
    var shelf: DumpShelf
    var opening: [Topic: Opening] = [:]
    /// The number of the last opening.
    var openings: UInt64 = 0
    /// The dumps that are being built, by number.
    var builds: [UInt64: DumpBuild] = [:]
    var subscriptions: [NATSSubscription] = []
    var timers: [RepeatingTimer] = []
  }

  struct State {
    var term: Term?
    /// The last extension of a term.
    var lastExtension: (identity: BookIdentity, end: Duration)?
    var counters = BookCounters()
  }

  let connection: NATSConnection
  let subjects: Subjects
  let origin: BookOrigin
  let timing: BookTiming
  let clock: ClientClock
  let announcement: ByteBuffer
  let queue = DispatchQueue(label: "toteboard.book")
  let state = Locked(State())
  /// Advances the feed while there is no term, so that a takeover need not make up for that time.
  private let idleTimer = Locked<RepeatingTimer?>(nil)

  /// - Parameter announcement: Bytes for gateways, sent with each heartbeat: what they need to know of the feed before
  ///   they ask. At most a few hundred.
  package init(
    _ connection: NATSConnection, _ subjects: Subjects, origin: BookOrigin, announcement: ByteBuffer = ByteBuffer(),
    timing: BookTiming = BookTiming(), clock: ClientClock = .live
  ) {
    self.connection = connection
    self.subjects = subjects
    self.origin = origin
    self.announcement = announcement
    self.timing = timing
    self.clock = clock
    let timer = RepeatingTimer(every: timing.idleInterval, on: queue) { [weak self] in self?.advanceIdle() }
    idleTimer.withLock { $0 = timer }
    origin.start { [weak self] in
      guard let self else { return }
      queue.async { [weak self] in self?.receiveNews() }
    }
  }

  package var counters: BookCounters {
    state.withLock { state in
      var counters = state.counters
      counters.openTopics = state.term?.topics.count ?? 0
      counters.gateways = state.term?.interest.gatewayCount ?? 0
      counters.dumpBytes = state.term?.shelf.bytes ?? 0
      return counters
    }
  }

  // MARK: The term

  /// Begins a term. Nothing is published from `end` on, by the clock's uptime.
  package func activate(_ identity: BookIdentity, until end: Duration) { queue.async { self.begin(identity, end) } }

  /// Moves the end of the term.
  package func extend(_ identity: BookIdentity, until end: Duration) {
    state.withLock { state in
      state.lastExtension = (identity, end)
      if state.term?.identity == identity, state.term?.isEnding == false { state.term!.end = end }
    }
  }

  /// Ends the term. After this function returns, nothing is published.
  package func deactivate() {
    queue.sync {
      let term = state.withLock { $0.term.take() }
      for subscription in term?.subscriptions ?? [] { subscription.cancel() }
      guard let term else { return }
      for topic in term.interest.topics { origin.close(topic) }
      for topic in term.opening.keys { origin.close(topic) }
    }
  }

  /// Tells gateways that the term ends and that no other one may follow soon, and publishes nothing more in this term.
  /// Gateways wait for another book for a shorter time than after the loss of heartbeats.
  package func announceEnd() {
    queue.sync {
      guard let identity = current else { return }
      send(FeedFrame(.ended, identity, offset: 0), to: subjects.heartbeat)
      // A later heartbeat would take it back.
      state.withLock { state in
        state.term!.isEnding = true
        state.term!.end = .zero
      }
    }
  }

  private func begin(_ identity: BookIdentity, _ end: Duration) {
    // No topic is open: the first dump has the state of now.
    _ = origin.advance(DispatchTime.now().uptimeNanoseconds)
    state.withLock { state in
      // The term may have been extended before it begins here.
      let end = state.lastExtension.flatMap { $0.identity == identity ? $0.end : nil } ?? end
      state.term = Term(
        identity: identity, end: end, topics: PublishedTopics(identity),
        interest: InterestTable(timeout: timing.interestTimeout), shelf: DumpShelf(timing: timing))
    }
    subscribe(identity)
  }

  /// Begins to answer gateways. Tries again while the term lasts: without a connection it may fail.
  private func subscribe(_ identity: BookIdentity) {
    // NB: Not only while it may publish: the next extension of the lease may come later.
    guard state.withLock({ $0.term?.identity == identity }) else { return }
    do throws(NATSError) {
      let requests = try connection.subscribe(subjects.dump, limit: 16 << 20) { [weak self] message in
        guard let self, let reply = message.reply, let request = DumpRequest(message.payload) else { return }
        queue.async { self.answer(request, reply) }
      }
      let announcements = try connection.subscribe(subjects.interest, limit: 16 << 20) { [weak self] message in
        guard let self, let announcement = InterestAnnouncement(message.payload) else { return }
        queue.async { self.apply(announcement) }
      }
      let timers = [
        RepeatingTimer(every: origin.interval, on: queue) { [weak self] in self?.advance() },
        RepeatingTimer(every: timing.heartbeatInterval, on: queue) { [weak self] in self?.beat() },
      ]
      state.withLock { state in
        state.term?.subscriptions = [requests, announcements]
        state.term?.timers = timers
      }
      beat()
    } catch {
      queue.retryConnecting { [weak self] in self?.subscribe(identity) }
    }
  }

  // MARK: Steps, on the queue

  /// Returns the current term's identity if it may publish.
  var current: BookIdentity? {
    let now = clock.uptime()
    return state.withLock { state in
      guard let term = state.term, now < term.end else { return nil }
      return term.identity
    }
  }

  private func advance() {
    guard current != nil else { return }
    for news in origin.advance(DispatchTime.now().uptimeNanoseconds) {
      switch news {
      case .messages(let topic, let messages): if !messages.isEmpty { publish(messages, of: topic) }
      case .lost(let topic): lose(topic)
      }
    }
  }

  private func publish(_ messages: [[UInt8]], of topic: Topic) {
    let now = clock.uptime()
    let numbered: (UInt64, BookIdentity)? = state.withLock { state in
      guard let offset = state.term?.topics.append(messages.count, to: topic, now: now) else { return nil }
      return (offset, state.term!.identity)
    }
    guard let (offset, identity) = numbered else { return }
    for frame in FeedFrame.updates(messages, identity, offset: offset, limit: connection.maxPayload) {
      send(frame, to: subjects.update(of: topic))
    }
  }

  /// Handles the loss of a topic: what gateways have of it is out of date. A later request opens it again.
  private func lose(_ topic: Topic) {
    let (last, identity, waiting) = state.withLock { state in
      let last = state.term!.topics.last(topic)
      state.term!.topics.close(topic)
      state.term!.interest.close(topic)
      return (last, state.term!.identity, state.term!.opening.removeValue(forKey: topic)?.waiting ?? [])
    }
    for (_, reply) in waiting { refuse(.lost, identity, reply) }
    if let last { send(FeedFrame(.ended, identity, offset: last + 1), to: subjects.update(of: topic)) }
  }

  private func receiveNews() { if state.withLock({ $0.term == nil }) { advanceIdle() } else { advance() } }

  private func advanceIdle() {
    if state.withLock({ $0.term == nil }) { _ = origin.advance(DispatchTime.now().uptimeNanoseconds) }
  }

  private func beat() {
    guard let identity = current else { return }
    let now = clock.uptime()
    let sent = UInt64(clamping: clock.wall())
    let age = UInt16(clamping: origin.age().milliseconds)
    send(FeedFrame(.heartbeat, identity, offset: sent, count: age, body: announcement), to: subjects.heartbeat)
    let (quiet, unwanted): ([(topic: Topic, next: UInt64)], [Topic]) = state.withLock { state in
      state.term!.shelf.expire(now: now)
      return (
        state.term!.topics.quiet(for: timing.markerInterval, now: now), state.term!.interest.expire(now: now)
      )
    }
    for (topic, next) in quiet { send(FeedFrame(.update, identity, offset: next), to: subjects.update(of: topic)) }
    close(unwanted)
  }

  private func apply(_ announcement: InterestAnnouncement) {
    let now = clock.uptime()
    close(state.withLock { $0.term?.interest.apply(announcement, now: now) ?? [] })
  }

  func close(_ topics: [Topic]) {
    for topic in topics {
      state.withLock { $0.term?.topics.close(topic) }
      origin.close(topic)
    }
  }

  /// Publishes a frame if the term has not ended. A frame that cannot be sent is missed by the gateways, which notice.
  func send(_ frame: FeedFrame, to subject: String) {
    let now = clock.uptime()
    let mayPublish = state.withLock { $0.term.map { $0.identity == frame.identity && now < $0.end } ?? false }
    let isSent = mayPublish && (try? connection.publish(frame.encoded, to: subject)) != nil
    state.withLock { state in
      if isSent {
        state.counters.frames += 1
      } else {
        state.counters.unsent += 1
      }
    }
  }
}
