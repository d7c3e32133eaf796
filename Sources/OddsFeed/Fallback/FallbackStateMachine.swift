import Localization
import OddsModel

/// The source of a topic's data before its stream is in, as a state machine without a clock: first the disk cache, then
/// the REST interface, then the stream. Times are uptimes.
///
/// While the stream is missing, the REST interface is polled. An earlier stage never overwrites a later one.
struct FallbackStateMachine: Hashable {
  enum Stage: Int, Comparable {
    case nothing, cache, api, stream

    static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
  }

  enum Event: Hashable {
    /// A subscription began. Pending requests of an earlier one are cancelled.
    case started(generation: UInt64)
    /// The cache was read; nil if it has no board.
    case cacheRead(generation: UInt64, CachedBoard?)
    /// The REST interface answered with a dump, or with nil if it does not offer the topic; or the request failed.
    case apiAnswered(generation: UInt64, Result<FeedBatch?, FeedError>)
    case line(ConnectionState)
    case topic(TopicState)
    case timePassed
    case stopped(generation: UInt64)
  }

  enum Effect: Hashable {
    case readCache(generation: UInt64)
    case askAPI(generation: UInt64)
    /// Cancel the pending requests to the cache and the REST interface.
    case cancel
    case show(FeedBatch, DataSource)
    /// Report that the REST interface failed, or nil once it answers again.
    case reportRESTError(FeedError?)
    /// Report that the last answer of the REST interface is too old.
    case expireRESTData
  }

  /// The time for which the stream may be missing before the REST interface is polled.
  static let streamTimeout = Duration.seconds(2)
  /// The shortest interval between two requests.
  static let interval = Duration.seconds(5)
  /// The time for which an answer is valid, and the time limit for receiving one.
  static let longestSilence = Duration.seconds(10)

  private(set) var stage = Stage.nothing
  /// The generation of the current subscription; nil if there is none.
  private var generation: UInt64?
  /// False without a REST interface, or once it has reported that it does not offer the topic.
  private var isOffered: Bool
  /// The time since which the stream is missing; nil while it is in.
  private var missingSince: Duration?
  /// True while the transport is idle, so that no polling is needed.
  private var isIdle = false
  private var isReading = false
  /// The time of the pending request; nil if there is none.
  private var asked: Duration?
  private var lastAsked: Duration?
  /// The time of the answer being shown; nil if the data is from another source, or too old.
  private var answered: Duration?
  private var failures = 0
  private var problem: FeedError?

  /// Creates a machine. `hasAPI` is true if the feed has a REST interface.
  init(hasAPI: Bool) { isOffered = hasAPI }

  /// The time at which elapsed time next has an effect; nil if it never does.
  var deadline: Duration? {
    guard generation != nil, let missingSince else { return nil }
    let overdue = asked.map { $0 + Self.longestSilence }
    let old = answered.map { $0 + Self.longestSilence }
    let isToAsk = asked == nil && isOffered && !isIdle
    let question = isToAsk ? max(missingSince + Self.streamTimeout, lastAsked.map { $0 + Self.interval } ?? .zero) : nil
    return [overdue, old, question].compactMap { $0 }.min()
  }

  mutating func apply(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .started(let generation): return start(generation, at: now)
    case .stopped(let generation) where generation == self.generation: return stop()
    case .cacheRead(let generation, let board) where generation == self.generation: return apply(board)
    case .apiAnswered(let generation, let answer) where generation == self.generation && asked != nil:
      return apply(answer, at: now)
    case .stopped, .cacheRead, .apiAnswered: return []
    case .line(let state):
      isIdle = state == .idle
      if !state.isUp { miss(since: now) }
      return []
    case .topic(let state) where state.isServed: return streamIsIn()
    case .topic:
      miss(since: now)
      return []
    case .timePassed: return look(at: now)
    }
  }

  private mutating func start(_ generation: UInt64, at now: Duration) -> [Effect] {
    let cancel = giveUp()
    let isOffered = isOffered
    self = FallbackStateMachine(hasAPI: isOffered)
    self.generation = generation
    missingSince = now
    isReading = true
    return cancel + [.readCache(generation: generation)] + (isOffered ? ask(at: now) : [])
  }

  private mutating func stop() -> [Effect] {
    let cancel = giveUp()
    self = FallbackStateMachine(hasAPI: isOffered)
    return cancel
  }

  private mutating func miss(since now: Duration) {
    guard generation != nil, missingSince == nil else { return }
    missingSince = now
    // The stream's data stays visible until an answer of the REST interface replaces it. The cache never does.
    stage = .cache
  }

  private mutating func streamIsIn() -> [Effect] {
    guard generation != nil else { return [] }
    let effects = giveUp() + clearProblem()
    stage = .stream
    missingSince = nil
    answered = nil
    return effects
  }

  private mutating func apply(_ board: CachedBoard?) -> [Effect] {
    isReading = false
    guard let board, stage < .cache else { return [] }
    stage = .cache
    return [.show(board.records, .cache(savedAt: board.savedAt))]
  }

  private mutating func apply(_ answer: Result<FeedBatch?, FeedError>, at now: Duration) -> [Effect] {
    asked = nil
    switch answer {
    case .success(nil):
      isOffered = false
      return clearProblem()
    case .success(let dump?):
      failures = 0
      stage = .api
      answered = now
      return clearProblem() + [.show(dump, isPolling(at: now) ? .polling : .api)]
    case .failure(let problem): return fail(problem)
    }
  }

  /// Returns false while the stream has been missing for less than `streamTimeout`, as at every start.
  private func isPolling(at now: Duration) -> Bool { missingSince.map { $0 + Self.streamTimeout <= now } ?? false }

  private mutating func look(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    if let asked, asked + Self.longestSilence <= now { effects += giveUp() + fail(Self.silence) }
    if let answered, answered + Self.longestSilence <= now { effects += expireRESTData() }
    if asked == nil, let deadline, deadline <= now { effects += ask(at: now) }
    return effects
  }

  private static let silence = FeedError(.restSilent, remedy: .remedyCheckHostIsWell)

  private mutating func ask(at now: Duration) -> [Effect] {
    asked = now
    lastAsked = now
    return [.askAPI(generation: generation!)]
  }

  private mutating func fail(_ new: FeedError) -> [Effect] {
    failures += 1
    defer { problem = new }
    return (problem == new ? [] : [.reportRESTError(new)]) + (failures >= 2 ? expireRESTData() : [])
  }

  private mutating func expireRESTData() -> [Effect] {
    defer { answered = nil }
    return answered == nil ? [] : [.expireRESTData]
  }

  private mutating func clearProblem() -> [Effect] {
    defer {
      problem = nil
      failures = 0
    }
    return problem == nil ? [] : [.reportRESTError(nil)]
  }

  private mutating func giveUp() -> [Effect] {
    defer {
      isReading = false
      asked = nil
    }
    return isReading || asked != nil ? [.cancel] : []
  }
}

package struct CachedBoard: Hashable, Sendable {
  /// The time at which the channel last received data before it was saved, in milliseconds since 1970.
  package var savedAt: Int64
  /// The records, in one dump.
  package var records: FeedBatch
}
