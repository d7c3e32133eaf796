internal import Dispatch
internal import NIOCore
internal import OddsModel
internal import Platform

/// A topic that a gateway has open: its replica, and the dump for further clients.
///
/// Actions of the replica on the sink are done under the lock, so that they keep their order whichever thread they come
/// from: the thread that delivers updates, or one that delivers a dump. Everything else is done after it is released.
final class OpenTopic: Sendable {
  typealias DumpCompletion = @Sendable (Result<ReplicaDump, BookError>) -> Void

  private struct State {
    var replica = TopicReplica()
    var assembler = FrameAssembler()
    var subscription: NATSSubscription?
    /// The dump for further clients; nil once too much follows it.
    var dump: ReplicaDump?
    /// The messages and their bytes since `dump`.
    var messagesAfterDump = 0
    var bytesAfterDump = 0
    /// Called with the first dump, or with the error that there is none.
    var onOpen: (@Sendable (BookError?) -> Void)?
    var waiters: [DumpCompletion] = []
    /// The dumps that are being fetched for further clients: true is one for lists, for which others do not wait.
    var refreshes: Set<Bool> = []
    /// True once the topic was ended.
    var isEnded = false
    var age: TopicAge

    /// True if the topic was opened and is not current.
    var isStale: Bool { onOpen == nil && !replica.isCurrent }

    mutating func dropOldDump(_ timing: GatewayTiming) {
      if messagesAfterDump > timing.messagesAfterDump || bytesAfterDump > timing.bytesAfterDump { dump = nil }
    }
  }

  let topic: Topic
  private let sink: TopicSink
  private let fetcher: DumpFetcher
  private let timing: GatewayTiming
  private let onNews: @Sendable () -> Void
  private let onLoss: @Sendable () -> Void
  private let queue: DispatchQueue
  private let state: Locked<State>

  init(
    _ topic: Topic, sink: TopicSink, fetcher: DumpFetcher, timing: GatewayTiming, queue: DispatchQueue, now: Duration,
    age: Duration = .zero, onNews: @escaping @Sendable () -> Void, onLoss: @escaping @Sendable () -> Void,
    onOpen: @escaping @Sendable (BookError?) -> Void
  ) {
    self.topic = topic
    self.sink = sink
    self.fetcher = fetcher
    self.timing = timing
    self.queue = queue
    self.onNews = onNews
    self.onLoss = onLoss
    state = Locked(State(onOpen: onOpen, age: TopicAge(timing: timing, age: age, now: now)))
  }

  var counters: TopicReplica.Counters { state.withLock { $0.replica.counters } }
  var isCurrent: Bool { state.withLock { $0.replica.isCurrent } }
  /// True if further clients can get a dump without a new one from the book.
  var hasDump: Bool { state.withLock { $0.dump != nil } }
  /// True if the topic was opened and is not current.
  var isStale: Bool { state.withLock { $0.isStale } }

  // MARK: Events

  func start(_ subscription: NATSSubscription) {
    change { state in
      state.subscription = subscription
      return state.replica.start()
    }
  }

  /// - Parameter age: The age of the data that arrives now: see `BookPresence.age`.
  func receive(_ payload: ByteBuffer, age: Duration = .zero, now: Duration) {
    guard let part = FeedFrame(payload) else { return }
    if part.kind == .ended { return ended(part, age: age, now: now) }
    change { state in
      guard part.kind == .update else { return [] }
      // NB: After a silence, messages that waited in a socket arrive first, because this process was paused or a link
      // was cut. They can be too old to be shown, and a dump is not.
      var actions = state.age.isQuiet(now: now) ? state.replica.messagesLost() : []
      if let frame = state.assembler.add(part), let messages = frame.messages {
        actions += state.replica.receive(messages, frame.identity, offset: frame.offset)
      }
      state.age.receive(isStale: state.isStale, age: age, now: now)
      return actions
    }
  }

  /// Handles the loss of the topic at the book.
  private func ended(_ frame: FeedFrame, age: Duration, now: Duration) {
    var isLoss = false
    change { state in
      state.age.receive(isStale: state.isStale, age: age, now: now)
      guard let actions = state.replica.ended(frame.identity, offset: frame.offset) else { return [] }
      isLoss = state.onOpen == nil
      return actions
    }
    if isLoss { onLoss() }
  }

  func follow(_ identity: BookIdentity) { change { $0.replica.follow(identity) } }

  func messagesLost() { change { $0.replica.messagesLost() } }

  /// Asks for a dump if nothing came for too long while a book is there. Reports the topic as lost if no dump came for
  /// too long.
  func check(age: Duration = .zero, now: Duration) {
    var isLost = false
    change { state in
      let asks: Bool
      (asks, isLost) = state.age.check(
        isOpen: state.onOpen == nil, isCurrent: state.replica.isCurrent, age: age, now: now)
      return asks ? state.replica.messagesLost() : []
    }
    if isLost { onLoss() }
  }

  /// Ends the topic. What waits for it gets the error.
  func end(_ error: BookError) {
    let (subscription, onOpen, waiters) = state.withLock { state in
      state.isEnded = true
      return (state.subscription.take(), state.onOpen.take(), state.waiters.drain())
    }
    subscription?.cancel()
    onOpen?(error)
    for waiter in waiters { waiter(.failure(error)) }
  }

  // MARK: Dumps

  func dump(isForList: Bool, _ completion: @escaping DumpCompletion) {
    let ready: Result<ReplicaDump, BookError>?
    let mustRefresh: Bool
    (ready, mustRefresh) = state.withLock { state in
      if state.isEnded { return (.failure(.lost), false) }
      if state.replica.isCurrent, let dump = state.dump { return (.success(dump), false) }
      state.waiters.append(completion)
      // A replica that is not current waits for a dump, which is then given to the waiters too.
      let isRefreshing = state.refreshes.contains(false) || state.refreshes.contains(isForList)
      let mustRefresh = state.replica.isCurrent && !isRefreshing
      if mustRefresh { state.refreshes.insert(isForList) }
      return (nil, mustRefresh)
    }
    if let ready { completion(ready) }
    if mustRefresh { refresh(isForList: isForList) }
  }

  /// Fetches a newer dump for further clients. The messages that the sink has stay as they are.
  private func refresh(isForList: Bool) {
    let last = state.withLock { $0.replica.last }
    fetcher.fetch(topic, minimum: last, isForList: isForList) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let fetched): refreshed(fetched, isForList: isForList)
      case .failure(let error):
        let waiters = state.withLock { state in
          state.refreshes.remove(isForList)
          return state.refreshes.isEmpty ? state.waiters.drain() : []
        }
        for waiter in waiters { waiter(.failure(error)) }
      }
    }
  }

  private func refreshed(_ fetched: DumpFetcher.Fetched, isForList: Bool) {
    let known: (waiters: [DumpCompletion], isOlder: Bool) = state.withLock { state in
      let identity = state.replica.identity
      let isOlder = state.replica.isCurrent && identity.map { fetched.identity < $0 } ?? false
      if !isOlder { state.refreshes.remove(isForList) }
      guard state.replica.isCurrent, fetched.identity == identity else { return ([], isOlder) }
      state.dump = fetched.dump
      // Messages may have arrived while the dump was fetched. NB: The dump may also be ahead of the sink. The messages
      // up to it are then counted as following; that errs towards a new dump.
      let last = state.replica.last
      state.messagesAfterDump = last > fetched.dump.last ? Int(clamping: last - fetched.dump.last) : 0
      state.bytesAfterDump = 0
      state.dropOldDump(timing)
      return (state.waiters.drain(), false)
    }
    for waiter in known.waiters { waiter(.success(fetched.dump)) }
    // A dump of an older book is asked for again. After one of a newer book, the replica asks for a dump, which is then
    // given to the waiters.
    if known.isOlder {
      queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in self?.refresh(isForList: isForList) }
    }
    change { $0.replica.follow(fetched.identity) }
  }

  // MARK: Actions

  private func change(_ event: (inout State) -> [TopicReplica.Action]) {
    var effects: [@Sendable () -> Void] = []
    state.withLock { state in
      for action in event(&state) { perform(action, &state, &effects) }
    }
    for effect in effects { effect() }
  }

  private func perform(
    _ action: TopicReplica.Action, _ state: inout State, _ effects: inout [@Sendable () -> Void]
  ) {
    switch action {
    case .requestDump(let attempt, let minimum):
      effects.append { [weak self] in self?.fetch(attempt, minimum: minimum) }
    case .retryLater(let attempt, let failures):
      let delay = timing.retryDelay(failures: failures)
      queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds))) { [weak self] in
        self?.change { $0.replica.retry(attempt) }
      }
    case .restart(let last, let payload):
      sink.restart(last, payload)
      let dump = ReplicaDump(payload: payload, last: last)
      state.dump = dump
      state.messagesAfterDump = 0
      state.bytesAfterDump = 0
      if let onOpen = state.onOpen.take() { effects.append { onOpen(nil) } }
      for waiter in state.waiters.drain() { effects.append { waiter(.success(dump)) } }
      effects.append(onNews)
    case .append(let messages, let first):
      sink.append(messages, first)
      state.messagesAfterDump += messages.count
      state.bytesAfterDump += messages.reduce(0) { $0 + $1.readableBytes }
      state.dropOldDump(timing)
      effects.append(onNews)
    }
  }

  private func fetch(_ attempt: UInt64, minimum: UInt64) {
    let isOpening = state.withLock { $0.onOpen != nil }
    fetcher.fetch(topic, minimum: minimum, isOpening: isOpening) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let fetched):
        change {
          $0.replica.receive(dump: fetched.dump.payload, fetched.identity, last: fetched.dump.last, attempt: attempt)
        }
      case .failure(let error):
        guard let (onOpen, waiters) = fail(attempt) else { return }
        for waiter in waiters { waiter(.failure(error)) }
        if let onOpen { onOpen(error) } else if error.isPermanent { onLoss() }
      }
    }
  }

  /// Records that a dump could not be fetched. Returns the closures to call; nil if another attempt has begun. A topic
  /// that was never open is not tried again: its owner ends it.
  private func fail(_ attempt: UInt64) -> (onOpen: (@Sendable (BookError?) -> Void)?, waiters: [DumpCompletion])? {
    var completions: (onOpen: (@Sendable (BookError?) -> Void)?, waiters: [DumpCompletion])?
    change { state in
      let actions = state.replica.dumpFailed(attempt: attempt)
      if actions.isEmpty { return [] }
      let onOpen = state.onOpen.take()
      completions = (onOpen, state.waiters.drain())
      return onOpen == nil ? actions : []
    }
    return completions
  }
}

extension Array {
  /// Removes and returns all elements.
  fileprivate mutating func drain() -> [Element] {
    defer { self = [] }
    return self
  }
}
