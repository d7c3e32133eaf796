import Localization
import OddsModel

/// The rules in force: those of the configuration, then those added by hand, each in order of addition.
struct AlertRules: Sendable {
  private(set) var watches: [ActiveRule] = []
  /// A counter that increases with each change of the set of rules.
  private(set) var generation = 0
  private var lastID = 0
  /// The indices of the rules on a single match, by match, and those of all other rules.
  private var ofMatches: [MatchID: [Int]] = [:]
  private var ofMany: [(place: Int, words: [FuzzyWord])] = []

  /// Returns the indices of the rules that apply to a match. A rule on a single match costs nothing for other matches.
  func places(for match: Match) -> [Int] {
    let own = ofMatches[match.id] ?? []
    if ofMany.isEmpty { return own }
    lazy var letters = match.labels.letters
    return own
      + ofMany.filter { $0.words.allSatisfy { $0.places(in: letters) != nil } }.map(\.place)
  }

  mutating func judge(
    _ place: Int, _ match: Match, _ sight: MatchSnapshot, since old: MatchSnapshot?, at now: FrameTime
  ) -> [AlertEvent] {
    watches[place].judge(match, sight, since: old, at: now)
  }

  /// Evaluates a rule on prices. `match` is nil if the board has no data on it.
  mutating func judgePrices(
    _ place: Int, of match: Match?, _ traces: inout [Int: [AlertTarget.Key: AlertTrace]], until: Duration,
    at now: FrameTime
  ) -> [AlertEvent] {
    guard watches[place].rule.event.needsTraces else {
      var none: [AlertTarget.Key: AlertTrace] = [:]
      return watches[place].judgePrices(of: match, &none, until: until, at: now)
    }
    return watches[place].judgePrices(of: match, &traces[watches[place].id, default: [:]], until: until, at: now)
  }

  /// Returns true if a rule names an outcome. Some outcomes are only known while their match is open.
  func namesOutcome(_ place: Int) -> Bool { watches[place].rule.event.outcome != nil }

  /// Returns the time at which a kick-off rule is due for a match that starts at `start`, or nil. Both times are in
  /// milliseconds since 1970.
  func alarm(_ place: Int, of match: Match, _ start: Int64) -> Int64? {
    guard case .kickOff(let before) = watches[place].rule.event, !watches[place].isDone(match.id) else { return nil }
    // If the feed reports the status of the match, the status decides and no alarm is needed.
    if before == .zero, match.status != .unknown { return nil }
    return start - Int64(before / .milliseconds(1))
  }

  mutating func kickOff(_ id: Int, of match: Match, at time: Int64, now: FrameTime) -> [AlertEvent] {
    guard let place = watches.firstIndex(where: { $0.id == id }) else { return [] }
    return watches[place].kickOff(of: match, at: time, now: now)
  }

  /// Adds a rule by hand. Returns false if an equal rule is already in force.
  mutating func add(_ rule: AlertRule) -> Bool {
    if watches.contains(where: { $0.rule == rule && !$0.isSilenced }) { return false }
    watches.append(newWatch(rule, isConfigured: false))
    index()
    return true
  }

  /// Silences a rule of the configuration, or reactivates it. Deletes a rule that was added by hand.
  mutating func remove(_ id: Int) {
    guard let place = watches.firstIndex(where: { $0.id == id }) else { return }
    if watches[place].isConfigured { watches[place].isSilenced.toggle() } else { watches.remove(at: place) }
    index()
  }

  /// Replaces the rules of the configuration. Rules that are in the old and in the new configuration keep their state.
  mutating func configure(_ rules: [AlertRule]) {
    var known = watches.filter(\.isConfigured)
    let fresh = rules.map { rule in
      guard let place = known.firstIndex(where: { $0.rule == rule }) else {
        return newWatch(rule, isConfigured: true)
      }
      return known.remove(at: place)
    }
    watches = fresh + watches.filter { !$0.isConfigured }
    index()
  }

  private mutating func newWatch(_ rule: AlertRule, isConfigured: Bool) -> ActiveRule {
    lastID += 1
    return ActiveRule(rule, id: lastID, isConfigured: isConfigured)
  }

  private mutating func index() {
    generation += 1
    ofMatches = [:]
    ofMany = []
    for (place, watch) in watches.enumerated() where !watch.isSilenced {
      switch watch.rule.scope {
      case .match(let id, _): ofMatches[id, default: []].append(place)
      case .words(let words):
        ofMany.append((place, words.split(separator: " ").map { FuzzyWord(String($0), isExact: true) }))
      case .all: ofMany.append((place, []))
      }
    }
  }
}

extension AlertRule.Event {
  /// True if the event depends on earlier prices.
  fileprivate var needsTraces: Bool {
    switch self {
    case .move: true
    case .suspended(let outcome), .resumed(let outcome): outcome != nil
    case .price, .kickOff, .score: false
    }
  }
}

extension Match.Names {
  /// The folded text that the words of a rule are searched in: name, tournament and country.
  fileprivate var letters: [UInt16] { FoldedText("\(name) \(tournament) \(category)").letters }
}
