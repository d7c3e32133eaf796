import OddsFeed
import TerminalCore

/// What one line of the screen says, small enough to compare for every line of every frame; only a line that differs
/// is formatted.
enum Line: Equatable {
  case blank
  case header(HeaderLine)
  case titles
  case match(MatchLine)
  case notice(String)
  case help(Int)
  case counters(Meters.Rates)
  case hints(HintsLine)
}

struct HeaderLine: Equatable {
  var channel: Int
  var connection: ConnectionState
  var minuteOfDay: Int
}

struct MatchLine: Equatable {
  var id: MatchID
  var revision: UInt64
  var isSelected: Bool
  var odds: Odds

  /// The prices shown, to count what changes.
  struct Odds: Equatable {
    var first: DecimalOdds?
    var middle: DecimalOdds?
    var last: DecimalOdds?
  }

  /// How many prices the terminal is sent anew when this line replaces another.
  func changes(since old: MatchLine) -> Int {
    guard id == old.id, odds != old.odds else { return 0 }
    return (odds.first != old.odds.first ? 1 : 0) + (odds.middle != old.odds.middle ? 1 : 0)
      + (odds.last != old.odds.last ? 1 : 0)
  }
}

struct HintsLine: Equatable {
  var missed: Int?
  var damage: Meters.Rates?
  var paintsWholeScreen: Bool
  var throttle: Duration
  var rate: Double?
}

extension BoardState {
  /// What each line of the screen says now.
  func lines(_ layout: Layout, at now: Moment) -> [Line] {
    var lines = Array(repeating: Line.blank, count: size.rows)
    if size.rows > 0 {
      lines[0] = .header(
        HeaderLine(channel: channel, connection: connection, minuteOfDay: now.minuteOfDay(now.wall)))
    }
    if let at = layout.titles { lines[at] = .titles }
    if let at = layout.counters { lines[at] = .counters(meters.rates) }
    if let at = layout.hints {
      lines[at] = .hints(
        HintsLine(
          missed: withheld == nil ? nil : missed, damage: showsDamage ? meters.rates : nil,
          paintsWholeScreen: paintsWholeScreen, throttle: throttle.interval, rate: rate))
    }
    fillBody(&lines, layout)
    return lines
  }

  private func fillBody(_ lines: inout [Line], _ layout: Layout) {
    if case .help(let scroll) = overlay {
      for (at, binding) in zip(layout.body, scroll..<max(scroll, KeyBinding.all.count)) { lines[at] = .help(binding) }
      return
    }
    for (at, position) in zip(layout.body, visible) {
      lines[at] = .match(rows[position].line(isSelected: position == cursor))
    }
    guard rows.count == 0, let first = layout.body.first else { return }
    if case .failed(let why) = connection {
      lines[first] = .notice(why)
    } else {
      lines[first] = .notice(isLoaded ? "No matches in this channel now." : "Waiting for the feed's first dump.")
    }
  }

  /// The uptime at which what is visible changes by itself; nil where it never does.
  package func nextChange(after now: Moment) -> Duration? {
    var next = now.uptime + now.untilNextMinute
    for time in [rowsExpire, meters.nextTick, withheld == nil ? throttle.nextRelease : nil] {
      if let time, time < next { next = time }
    }
    return next
  }
}
