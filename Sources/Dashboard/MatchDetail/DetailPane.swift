import OddsFeed

/// A match's own pane: what is known of the match, and how it is looked at.
struct DetailPane: Sendable {
  let id: MatchID
  /// Whether the feed sends all its markets on a topic of their own; nil before that is known.
  var hasTopic: Bool?
  /// How that topic does, once something was heard of it.
  var line: Line?
  /// The match as it is shown; nil where nothing is known of it.
  private(set) var match: Match?
  /// As it is, where that is not shown yet.
  private(set) var newest: Match?
  /// The match was there, and is not any more; or there is none.
  private(set) var isGone = false
  /// Whether what comes now is a price that lives, or lived to the end.
  var isTrusted = false
  /// Whether the match came by its own topic.
  private(set) var isOwn = false
  private(set) var list = DetailList()
  /// The outcome whose prices are drawn.
  var chosen: OutcomeKey?
  /// The first of the list's lines in view.
  var top = 0
  /// Prices that have just moved.
  private(set) var flashes: [OutcomeKey: Flash] = [:]
  /// The second of `FeedTime` that is shown.
  var second: Int
  /// What uptime zero was in milliseconds since 1970 when the pane was opened.
  private let epoch: Int64
  var throttle: Throttle

  /// How a subscription does.
  struct Line: Equatable, Sendable {
    var isLoaded: Bool
    var topic: TopicState
    var staleness: Freshness.Grade
  }

  init(_ id: MatchID, throttle: Duration, second: Int, at now: FrameTime) {
    self.id = id
    self.throttle = Throttle(interval: throttle)
    self.second = second
    epoch = now.wall - Int64(now.uptime / .milliseconds(1))
  }

  /// The time of a second of uptime, in milliseconds since 1970. Of no use for a recording, whose seconds are its own.
  func wall(of second: Int) -> Int64 { epoch + Int64(second) * 1000 }

  /// Takes the match as it is from now on; returns how its outcomes differ from before.
  mutating func take(_ match: Match, isOwn: Bool) -> [OutcomeChange] {
    (self.isOwn, isGone) = (self.isOwn || isOwn, false)
    defer { newest = match }
    return OutcomeChange.all(from: newest, to: match)
  }

  /// Shows the match as it is, its prices in a format; returns whether it has other lines than before.
  mutating func show(_ match: Match, _ format: OddsFormat, at now: Duration) -> Bool {
    let old = self.match
    self.match = match
    for change in OutcomeChange.all(from: old, to: match) {
      guard let before = change.before else { continue }
      var lit = before
      lit.flash = flashes[change.key]
      flashes[change.key] = MatchRow.flash(from: lit, to: change.cell, at: now, format)
    }
    flashes = flashes.filter { $0.value.until > now }
    if let old, DetailList.isSame(old, match) { return false }
    let place = chosen.flatMap { list.position(of: $0) }
    list = DetailList(match)
    if chosen.flatMap({ list.position(of: $0) }) == nil { chosen = list.outcome(near: place ?? 0) }
    return true
  }

  mutating func lose() { isGone = true }

  /// Chooses the outcome that is so many further down, and has it in view on so many lines.
  mutating func move(by step: Int, lines: Int) {
    let outcomes = list.outcomes
    guard !outcomes.isEmpty else { return }
    let place = chosen.flatMap { list.place(of: $0) } ?? 0
    chosen = list.key(outcomes[max(0, min(place + step, outcomes.count - 1))])
    scroll(lines: lines)
  }

  /// Keeps the chosen outcome in view, and with the first of a market its title.
  mutating func scroll(lines: Int) {
    guard lines > 0 else { return }
    top = max(0, min(top, list.count - lines))
    guard let at = chosen.flatMap({ list.position(of: $0) }) else { return }
    let first = lines > 1 && at > 0 && list.isMarket(at - 1) ? at - 1 : at
    if first < top { top = first }
    if at >= top + lines { top = at - lines + 1 }
  }
}

/// An outcome that is other than it was, or new.
struct OutcomeChange: Sendable {
  let key: OutcomeKey
  let cell: PriceCell
  /// Nil where it is new.
  let before: PriceCell?

  /// What differs between two states of a match. What is gone is left out.
  static func all(from old: Match?, to new: Match) -> [OutcomeChange] {
    var changes: [OutcomeChange] = []
    let before = old?.markets ?? []
    var at = 0
    for market in new.markets {
      while at < before.count, before[at].id < market.id { at += 1 }
      let known = at < before.count && before[at].id == market.id ? before[at] : nil
      // NB: outcomes that nobody has touched are the same array: a match of a thousand markets is compared in no time.
      if let known, known == market { continue }
      var outcomes: [OutcomeID: PriceCell] = [:]
      if let known { for outcome in known.outcomes { outcomes[outcome.id] = PriceCell(outcome, in: known) } }
      for outcome in market.outcomes {
        let cell = PriceCell(outcome, in: market)
        let before = outcomes[outcome.id]
        if cell != before {
          changes.append(
            OutcomeChange(key: OutcomeKey(market: market.id, outcome: outcome.id), cell: cell, before: before))
        }
      }
    }
    return changes
  }
}

extension Duration {
  var wholeSeconds: Int { Int(components.seconds) }
}
