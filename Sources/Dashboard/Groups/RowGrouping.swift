import Algorithms
import OddsModel

/// The grouping of the rows of the list.
package enum RowGrouping: String, Hashable, Sendable, CaseIterable {
  case off, tournament, sport

  /// The next grouping, after the last the first.
  var next: RowGrouping {
    switch self {
    case .off: .tournament
    case .tournament: .sport
    case .sport: .off
    }
  }
}

/// The identity of a group: the names that its matches have in common.
package struct GroupKey: Hashable, Sendable {
  /// The names; empty where the feed gives none.
  package let sport, country, tournament: String

  package init(sport: String, country: String = "", tournament: String = "") {
    self.sport = sport
    self.country = country
    self.tournament = tournament
  }

  init(_ grouping: RowGrouping, of labels: Match.Names) {
    switch grouping {
    case .tournament: self.init(sport: labels.sport, country: labels.category, tournament: labels.tournament)
    case .off, .sport: self.init(sport: labels.sport)
    }
  }

  /// The names to show, the most specific first. Empty for the group of matches without them.
  func names(_ grouping: RowGrouping) -> [String] {
    (grouping == .sport ? [sport] : [tournament, country]).filter { !$0.isEmpty }
  }

  /// The texts by which groups are sorted, in lower case.
  fileprivate var sortNames: [String] { [tournament, country, sport].map { $0.lowercased() } }
}

/// The groups that are folded.
package struct GroupFolds: Hashable, Sendable {
  /// True if groups are folded unless they are exceptions.
  package var foldsAll = false
  /// The groups whose state differs from `foldsAll`.
  package var exceptions: Set<GroupKey> = []

  package init() {}

  func contains(_ key: GroupKey) -> Bool { foldsAll != exceptions.contains(key) }

  mutating func set(_ key: GroupKey, isFolded: Bool) {
    if isFolded == foldsAll { exceptions.remove(key) } else { exceptions.insert(key) }
  }
}

/// The groups of the rows of a list. A group's number is its index in `groups`; the sort keys of its rows contain it. A
/// group keeps its number when its last row is gone.
struct RowGroups: Sendable {
  struct Group: Sendable {
    let key: GroupKey
    fileprivate let sortNames: [String]
    /// The number of shown rows of the group, without pinned ones.
    var count = 0
    /// The number of those rows whose match is in play.
    var live = 0
    /// The uptime at which a price of the group last changed; nil before the first change and after its mark has ended.
    var changedAt: Duration?
    var isFolded: Bool

    /// The number of lines on the screen: the heading, and the rows unless the group is folded.
    var lineCount: Int { count == 0 ? 0 : isFolded ? 1 : count + 1 }
  }

  /// A group that has shown rows, and its first line and first row in the order of the list.
  struct Shown: Sendable {
    let group: Int
    /// The line of the heading.
    let line: Int
    /// The position of the first row.
    let position: Int
  }

  let grouping: RowGrouping
  private(set) var groups: [Group] = []
  /// The rank of each group in the order of the list, by its number.
  private(set) var ranks: [Int32] = []
  private var numbers: [GroupKey: Int] = [:]
  private var isRanked = true
  /// The groups that have shown rows, in order.
  private(set) var shown: [Shown] = []
  /// The number of lines of pinned rows, headings and rows.
  private(set) var lineCount = 0
  private var pinnedCount = 0
  private var needsLines = true

  init(_ grouping: RowGrouping) { self.grouping = grouping }

  subscript(_ number: Int) -> Group { groups[number] }

  /// Returns the number of the group of a match, a new one if it has none yet.
  mutating func number(of labels: Match.Names, _ folds: GroupFolds) -> Int32 {
    let key = GroupKey(grouping, of: labels)
    if let number = numbers[key] { return Int32(number) }
    let number = groups.count
    numbers[key] = number
    groups.append(Group(key: key, sortNames: key.sortNames, isFolded: folds.contains(key)))
    ranks.append(Int32(number))
    isRanked = false
    return Int32(number)
  }

  /// Returns the number of a group; nil if there is none with that key.
  func number(of key: GroupKey) -> Int? { numbers[key] }

  /// Ranks all groups by their names if there is a new one; groups without a name come last.
  mutating func rank() {
    if isRanked { return }
    isRanked = true
    let groups = groups
    let order = groups.indices.sorted { left, right in
      for (name, other) in zip(groups[left].sortNames, groups[right].sortNames) where name != other {
        if name.isEmpty || other.isEmpty { return other.isEmpty }
        return name.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
      }
      return left < right
    }
    for (rank, number) in order.enumerated() { ranks[number] = Int32(rank) }
    needsLines = true
  }

  /// Counts a row that appears, or one that disappears.
  mutating func count(_ number: Int32, by step: Int, isLive: Bool) {
    groups[Int(number)].count += step
    if isLive { groups[Int(number)].live += step }
    needsLines = true
  }

  mutating func countLive(_ number: Int32, by step: Int) { groups[Int(number)].live += step }

  mutating func resetCounts() {
    for number in groups.indices {
      groups[number].count = 0
      groups[number].live = 0
    }
    needsLines = true
  }

  /// Records that a price of a group changed, or that the mark of the change ends.
  mutating func setChange(_ number: Int, _ time: Duration?) { groups[number].changedAt = time }

  mutating func fold(_ folds: GroupFolds) {
    for number in groups.indices { groups[number].isFolded = folds.contains(groups[number].key) }
    needsLines = true
  }

  /// Computes the lines again if they have changed.
  mutating func updateLines(pinned: Int) {
    guard needsLines || pinned != pinnedCount else { return }
    needsLines = false
    pinnedCount = pinned
    var ordered = Array(repeating: 0, count: groups.count)
    for number in groups.indices { ordered[Int(ranks[number])] = number }
    shown.removeAll(keepingCapacity: true)
    var line = pinned
    var position = pinned
    for number in ordered where groups[number].count > 0 {
      shown.append(Shown(group: number, line: line, position: position))
      line += groups[number].lineCount
      position += groups[number].count
    }
    lineCount = line
  }

  /// Returns the group of a line; nil for a pinned row.
  func group(atLine line: Int) -> Shown? { last { $0.line <= line } }

  /// Returns the group of a row; nil for a pinned row.
  func group(atPosition position: Int) -> Shown? { last { $0.position <= position } }

  /// Returns the group with a number; nil if it has no shown rows.
  func shown(_ number: Int) -> Shown? {
    last { ranks[$0.group] <= ranks[number] }.flatMap { $0.group == number ? $0 : nil }
  }

  /// Returns the last group for which `holds` is true. It must be false for all after it.
  @inline(__always)
  private func last(_ holds: (Shown) -> Bool) -> Shown? {
    let end = shown.partitioningIndex { !holds($0) }
    return end > 0 ? shown[end - 1] : nil
  }
}
