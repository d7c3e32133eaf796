import Localization
import OddsFeed

/// What a topic shows before its stream is in, as a machine without a clock: first what the disk has, then what the REST
/// interface answers, then the stream. What happens goes in with the uptime, what is to be done comes out.
///
/// While the stream is missing the REST interface is asked again and again. A later stage is never overwritten by an
/// earlier one.
struct FallbackStateMachine: Hashable {
  enum Stage: Int, Comparable {
    case nothing, cache, api, stream

    static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
  }

  enum Event: Hashable {
    /// A subscription began; whatever an earlier one has under way is given up.
    case started(generation: UInt64)
    /// Nil where the disk has nothing to show.
    case cacheRead(generation: UInt64, CachedBoard?)
    /// The text of a dump; nil where the interface does not offer the topic.
    case apiAnswered(generation: UInt64, Result<[UInt8]?, FeedError>)
    case line(ConnectionState)
    case topic(TopicState)
    case timePassed
    /// The subscription of that generation is over.
    case stopped(generation: UInt64)
  }

  enum Effect: Hashable {
    case readCache(generation: UInt64)
    case askAPI(generation: UInt64)
    /// Give up what was asked of disk and interface.
    case cancel
    /// Hand out a dump.
    case show([UInt8], DataSource)
    /// Tell that the interface failed, or answered again.
    case reportRESTError(FeedError?)
    /// Tell that what the interface last answered is too old.
    case expireRESTData
  }

  /// How long the stream may be missing before the interface is asked in its place.
  static let patience = Duration.seconds(2)
  /// From one question to the next, at least.
  static let interval = Duration.seconds(5)
  /// How long an answer is good for, and how long one is waited for.
  static let longestSilence = Duration.seconds(10)

  private(set) var stage = Stage.nothing
  /// Nil where nobody is subscribed.
  private var generation: UInt64?
  /// False once the interface has said that it knows nothing of the topic.
  private var isOffered: Bool
  /// Since when the stream has been missing; nil where it is in.
  private var missingSince: Duration?
  /// Nobody wants a line.
  private var isIdle = false
  private var isReading = false
  /// When the question without an answer yet was asked.
  private var asked: Duration?
  private var lastAsked: Duration?
  /// When what is shown was answered; nil where it is not the interface's, or too old.
  private var answered: Duration?
  private var failures = 0
  private var problem: FeedError?

  /// A machine for a feed with a REST interface, or without.
  init(hasAPI: Bool) { isOffered = hasAPI }

  /// When time alone has something done next.
  var deadline: Duration? {
    guard generation != nil, let missingSince else { return nil }
    let overdue = asked.map { $0 + Self.longestSilence }
    let old = answered.map { $0 + Self.longestSilence }
    let isToAsk = asked == nil && isOffered && !isIdle
    let question = isToAsk ? max(missingSince + Self.patience, lastAsked.map { $0 + Self.interval } ?? .zero) : nil
    return [overdue, old, question].compactMap { $0 }.min()
  }

  mutating func apply(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .started(let generation): return start(generation, at: now)
    case .stopped(let generation) where generation == self.generation: return stop()
    case .cacheRead(let generation, let board) where generation == self.generation: return take(board)
    case .apiAnswered(let generation, let answer) where generation == self.generation && asked != nil:
      return take(answer, at: now)
    case .stopped, .cacheRead, .apiAnswered: return []
    case .line(let state):
      isIdle = state == .idle
      if !state.isUp { miss(since: now) }
      return []
    case .topic(.live): return streamIsIn()
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
    // What the stream told stays to be seen, and gives way to the interface's newer word, not to the disk's.
    stage = .cache
  }

  private mutating func streamIsIn() -> [Effect] {
    guard generation != nil else { return [] }
    let effects = giveUp() + clearProblem()
    (stage, missingSince, answered) = (.stream, nil, nil)
    return effects
  }

  private mutating func take(_ board: CachedBoard?) -> [Effect] {
    isReading = false
    guard let board, stage < .cache else { return [] }
    stage = .cache
    return [.show(board.dump, .cache(savedAt: board.savedAt))]
  }

  private mutating func take(_ answer: Result<[UInt8]?, FeedError>, at now: Duration) -> [Effect] {
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

  /// False while the stream has been missing for a moment only, as at every start.
  private func isPolling(at now: Duration) -> Bool { missingSince.map { $0 + Self.patience <= now } ?? false }

  private mutating func look(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    if let asked, asked + Self.longestSilence <= now {
      effects += giveUp() + fail(Self.silence)
    }
    if let answered, answered + Self.longestSilence <= now { effects += expireRESTData() }
    if asked == nil, let deadline, deadline <= now { effects += ask(at: now) }
    return effects
  }

  private static let silence = FeedError(.restSilent, remedy: .remedyCheckHostIsWell)

  private mutating func ask(at now: Duration) -> [Effect] {
    (asked, lastAsked) = (now, now)
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
    defer { (problem, failures) = (nil, 0) }
    return problem == nil ? [] : [.reportRESTError(nil)]
  }

  private mutating func giveUp() -> [Effect] {
    defer { (isReading, asked) = (false, nil) }
    return isReading || asked != nil ? [.cancel] : []
  }
}

/// What a channel showed when it was last saved.
package struct CachedBoard: Hashable, Sendable {
  /// In milliseconds since 1970.
  package var savedAt: Int64
  /// The text of an INITIAL_DUMP message.
  package var dump: [UInt8]
}
