import Localization
import OddsModel

@testable import Dashboard

/// A plain-text board for tests, with a manual clock.
struct TestPlainBoard {
  var board: PlainBoard
  /// 2025-06-24 08:00:00 UTC; the zone is UTC.
  var now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)
  var lines: [String] = []

  init(
    _ words: Catalog = .english, alerts: String..., filter: String = "", interval: Duration = PlainBoard.usualInterval
  ) throws {
    var settings = BoardSettings()
    for alert in alerts { settings.alerts.append(try AlertRule(alert)) }
    settings.throttle = interval
    board = try PlainBoard(title: words(.channelLive), settings: settings, filter: filter, words: words)
  }

  mutating func apply(
    _ changed: Match..., removed: [MatchID] = [], grade: Freshness.Grade = .live, connection: ConnectionState = .live,
    cause: Freshness.Cause? = nil, topic: TopicState = .live, source: DataSource = .stream, isLoaded: Bool = true
  ) {
    board.apply(
      ChannelUpdate(
        changed: changed, removed: removed, connection: connection, isLoaded: isLoaded,
        freshness: Freshness(grade, since: now.wall, cause: cause), topic: topic, source: source), now: now)
    collectLines()
  }

  mutating func collectLines() {
    board.tick(now: now)
    lines += board.lines(now: now)
  }

  mutating func wait(_ time: Duration) {
    now.uptime += time
    now.wall += Int64(time / .milliseconds(1))
    collectLines()
  }

  /// Returns the lines written since the last call, without their times.
  mutating func newLines() -> [String] {
    defer { lines = [] }
    return lines.map { String($0.dropFirst(6)) }
  }
}
