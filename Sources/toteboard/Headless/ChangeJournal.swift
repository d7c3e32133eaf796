import OddsFeed
import OddsModel

/// Computes the changes of a channel. A reader that applies all of them has the output of `toteboard list`.
struct ChangeJournal {
  private var matches: [MatchID: Match] = [:]
  /// The freshness of each match by its own trading status.
  private var statuses: [MatchID: Freshness] = [:]
  private var channel: Freshness?

  /// Returns the changes since the last call, in the order in which to apply them. Only matches of `ids` may differ.
  /// `staleness` is that of the channel; `now` is in milliseconds since 1970.
  mutating func changes(
    of state: inout ChannelState, touching ids: [MatchID], _ staleness: Freshness, at now: Int64
  ) -> [MatchChange] {
    var changes: [MatchChange] = []
    let old = channel
    channel = staleness
    if old?.grade != staleness.grade { changes.append(MatchChange(.staleness, at: now, staleness: staleness)) }
    for id in ids.sorted() {
      let known = matches[id]
      let match = state.match(id)
      matches[id] = match
      guard let match else {
        statuses[id] = nil
        if let known { changes.append(MatchChange(.matchRemoved, at: now, known)) }
        continue
      }
      let before = statuses[id].map { ($0, old ?? staleness) }
      let status = Freshness(match.tradingStatus, since: now)
      if statuses[id]?.grade != status.grade { statuses[id] = status }
      changes += MatchChange.between(known, match, staleness.worse(statuses[id]!), at: now)
      if let before, before.0.worse(before.1).grade != staleness.worse(statuses[id]!).grade {
        changes.append(MatchChange(.staleness, at: now, match, staleness: staleness.worse(statuses[id]!)))
      }
    }
    if let old, old.grade != staleness.grade {
      changes += changesOfOthers(than: ids, from: old, to: staleness, at: now)
    }
    return changes
  }

  /// Returns the other matches' changes of freshness, which is the channel's unless that of the match is worse.
  private func changesOfOthers(
    than ids: [MatchID], from old: Freshness, to new: Freshness, at now: Int64
  ) -> [MatchChange] {
    let done = Set(ids)
    return matches.keys.filter { !done.contains($0) }.sorted().compactMap { id in
      guard let match = matches[id], let status = statuses[id] else { return nil }
      let staleness = new.worse(status)
      if old.worse(status).grade == staleness.grade { return nil }
      return MatchChange(.staleness, at: now, match, staleness: staleness)
    }
  }
}
