import OddsFeed
import OddsModel

/// Computes the changes of a channel. A reader that applies all of them has the output of `toteboard list`.
///
/// A worse freshness comes before the prices of the same call, a better one after them. So a reader that applies the
/// changes in order never has a price that looks fresher than it is.
struct ChangeJournal {
  private var matches: [MatchID: Match] = [:]
  /// The freshness of each match by its own trading status.
  private var statuses: [MatchID: Freshness] = [:]
  private var channel: Freshness?

  /// Returns the changes since the last call, in the order in which to apply them. Only matches of `ids` may differ.
  /// `freshness` is that of the channel; `now` is in milliseconds since 1970.
  mutating func changes(
    of state: inout ChannelState, touching ids: [MatchID], _ freshness: Freshness, at now: Int64
  ) -> [MatchChange] {
    let old = channel
    channel = freshness
    var ofMatches: [MatchChange] = []
    for id in ids.sorted() { ofMatches += changes(of: id, state.match(id), from: old, to: freshness, at: now) }
    if let old, old.grade == freshness.grade, old.cause == freshness.cause { return ofMatches }
    let ofChannel = MatchChange(.freshness, at: now, freshness: freshness)
    guard let old else { return [ofChannel] + ofMatches }
    let ofOthers = changesOfOthers(than: ids, from: old, to: freshness, at: now)
    let isWorse = freshness.grade == old.grade ? !freshness.hasKnownPrices : freshness.grade > old.grade
    return isWorse ? [ofChannel] + ofOthers + ofMatches : ofMatches + ofOthers + [ofChannel]
  }

  /// Returns the changes of a match and of its freshness. `old` and `freshness` are those of the channel.
  private mutating func changes(
    of id: MatchID, _ match: Match?, from old: Freshness?, to freshness: Freshness, at now: Int64
  ) -> [MatchChange] {
    let known = matches[id]
    matches[id] = match
    guard let match else {
      statuses[id] = nil
      return known.map { [MatchChange(.matchRemoved, at: now, $0)] } ?? []
    }
    let before = statuses[id].map { $0.worse(old ?? freshness) }
    let status = Freshness(match.tradingStatus, since: now)
    if statuses[id]?.grade != status.grade { statuses[id] = status }
    let after = freshness.worse(statuses[id]!)
    let changes = MatchChange.between(known, match, after, at: now)
    guard let before, before.grade != after.grade else { return changes }
    let ofFreshness = MatchChange(.freshness, at: now, match, freshness: after)
    return after.grade > before.grade ? [ofFreshness] + changes : changes + [ofFreshness]
  }

  /// Returns the other matches' changes of freshness, which is the channel's unless that of the match is worse.
  private func changesOfOthers(
    than ids: [MatchID], from old: Freshness, to new: Freshness, at now: Int64
  ) -> [MatchChange] {
    let done = Set(ids)
    return matches.keys.filter { !done.contains($0) }.sorted().compactMap { id in
      guard let match = matches[id], let status = statuses[id] else { return nil }
      let freshness = new.worse(status)
      if old.worse(status).grade == freshness.grade { return nil }
      return MatchChange(.freshness, at: now, match, freshness: freshness)
    }
  }
}
