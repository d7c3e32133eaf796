import OddsModel

/// The highlight of a score that has just changed, as by a goal.
struct ScoreFlash: Hashable, Sendable {
  /// True for a side whose number differs from the one before.
  let home, away: Bool
  /// False if the score was taken back.
  let isUp: Bool
  /// The uptime at which the highlight ends.
  let until: Duration

  /// Creates the highlight of a change. Returns nil if the scores are equal, or one of them is not known.
  init?(from old: Score?, to new: Score?, now: Duration) {
    guard let old, let new, old != new else { return nil }
    home = old.home != new.home
    away = old.away != new.away
    isUp = new.home >= old.home && new.away >= old.away
    until = now + Flash.length
  }
}
