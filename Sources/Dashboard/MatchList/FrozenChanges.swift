import OddsHistory
import OddsModel

/// The changes that a frozen screen does not show.
struct FrozenChanges: Sendable {
  /// The newest state of each changed match; nil for a removed one.
  private(set) var matches: [MatchID: Match?] = [:]
  /// The opening prices that were read.
  var openings: [OpeningBatch] = []
  /// The number of changes.
  private(set) var count = 0
  /// True if prices could not be shown as live for a time. Those on the screen may be from before.
  var isOutdated = false

  mutating func add(_ changed: [Match], removed: [MatchID]) {
    count += changed.count + removed.count
    for match in changed { matches.updateValue(match, forKey: match.id) }
    for id in removed { matches.updateValue(nil, forKey: id) }
  }
}

extension MatchList {
  var isFrozen: Bool { frozenChanges != nil }

  /// The number of changes not shown while the screen is frozen.
  var missedCount: Int { frozenChanges?.count ?? 0 }

  /// True if prices could not be shown as live for a time since the screen was frozen.
  var isOutdated: Bool { frozenChanges?.isOutdated ?? false }

  /// Returns true if the frozen screen does not show the newest state of a match, or that it was removed.
  func hasFrozenChange(of id: MatchID) -> Bool { frozenChanges?.matches.keys.contains(id) ?? false }
}
