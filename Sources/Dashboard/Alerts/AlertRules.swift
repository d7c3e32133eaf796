import OddsModel

/// The rules in force: those of the configuration, then those added by hand, each in order of addition.
struct AlertRules: Sendable {
  var active: [ActiveRule] = []
  /// True if recorded prices can be read.
  let readsHistory: Bool
  /// A counter that increases with each change of the set of rules.
  private(set) var generation = 0
  private var lastID = 0
  /// The indices of the rules on a single match, by match, and of all other rules with the words of their scope.
  private var byMatch: [MatchID: [Int]] = [:]
  private var general: [(index: Int, words: [FuzzyWord])] = []
  /// The least `timeStep` of the rules that are not silenced; nil if none has one.
  private(set) var timeStep: Int64?

  init(readsHistory: Bool = false) { self.readsHistory = readsHistory }

  /// Returns the indices of the rules that apply to a match. A rule on a single match costs nothing for other matches.
  func indices(for match: Match) -> [Int] {
    let own = byMatch[match.id] ?? []
    if general.isEmpty { return own }
    lazy var letters = match.labels.letters
    return own + general.filter { $0.words.allSatisfy { $0.matchedIndices(in: letters) != nil } }.map(\.index)
  }

  /// Adds a rule by hand. Returns false if an equal rule is already in force.
  mutating func add(_ rule: AlertRule) -> Bool {
    if active.contains(where: { $0.rule == rule && !$0.isSilenced }) { return false }
    active.append(newWatch(rule, isConfigured: false))
    rebuildIndex()
    return true
  }

  /// Silences a rule of the configuration, or reactivates it. Deletes a rule that was added by hand.
  mutating func remove(_ id: Int) {
    guard let index = active.firstIndex(where: { $0.id == id }) else { return }
    if active[index].isConfigured { active[index].isSilenced.toggle() } else { active.remove(at: index) }
    rebuildIndex()
  }

  /// Replaces the rules of the configuration. Rules that are in the old and in the new configuration keep their state.
  mutating func configure(_ rules: [AlertRule]) {
    var known = active.filter(\.isConfigured)
    let fresh = rules.map { rule in
      guard let index = known.firstIndex(where: { $0.rule == rule }) else { return newWatch(rule, isConfigured: true) }
      return known.remove(at: index)
    }
    active = fresh + active.filter { !$0.isConfigured }
    rebuildIndex()
  }

  private mutating func newWatch(_ rule: AlertRule, isConfigured: Bool) -> ActiveRule {
    lastID += 1
    return ActiveRule(rule, id: lastID, isConfigured: isConfigured, readsHistory: readsHistory)
  }

  private mutating func rebuildIndex() {
    generation += 1
    timeStep = active.filter { !$0.isSilenced }.compactMap(\.rule.timeStep).min()
    byMatch = [:]
    general = []
    for (index, watch) in active.enumerated() where !watch.isSilenced {
      switch watch.rule.scope {
      case .match(let id, _): byMatch[id, default: []].append(index)
      case .words(let words):
        general.append((index, words.split(separator: " ").map { FuzzyWord(String($0), isExact: true) }))
      case .all: general.append((index, []))
      }
    }
  }
}

extension Match.Names {
  /// The folded text that the words of a rule are searched in: name, tournament and country.
  fileprivate var letters: [UInt16] { FoldedText("\(name) \(tournament) \(category)").letters }
}

extension AlertRules {
  /// Returns the limits that the rules in force set on the price of an outcome, in ascending order. Includes the rules
  /// that have already raised their alert, and a rule on the favourite if the outcome is the favourite.
  func limits(of key: OutcomeKey, in match: Match) -> [DecimalOdds] {
    guard let market = match.markets.first(where: { $0.id == key.market }),
      let outcome = market.outcomes.first(where: { $0.id == key.outcome })
    else { return [] }
    let limits = indices(for: match).compactMap { index -> DecimalOdds? in
      guard case .price(let selection, _, let limit) = active[index].rule.event else { return nil }
      return selection.covers(outcome, of: market, in: match) ? limit : nil
    }
    return Set(limits).sorted()
  }
}
