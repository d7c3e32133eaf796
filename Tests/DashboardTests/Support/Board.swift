import EveryMatrix
import Localization
import OddsFeed
import OddsModel
import TerminalCore
import TestSupport

@testable import Dashboard

/// A board for tests: a state, a manual clock and a screen in memory.
struct Board {
  var state: BoardState
  /// 2025-06-24 08:00:00 UTC; the zone is UTC.
  var now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)
  var painter: BoardPainter
  var screen: MemoryScreen
  var effects: [Effect] = []
  /// The alerts handed to the log and other programs.
  var deliveredAlerts: [AlertReport] = []

  init(
    rows: Int = 24, columns: Int = 80, rate: Double? = 10, throttle: Duration = .zero, glyphs: GlyphSet = .unicode,
    channels: [BoardChannel] = BoardChannel.standard(matches: 100), feedName: String = "simulated",
    canReconnect: Bool = false, words: Catalog = .english, session: BoardSession? = nil,
    catalog: any FeedCatalog = EveryMatrixCatalog(), readsHistory: Bool = false
  ) {
    let size = Size(rows: rows, columns: columns)
    var settings = BoardSettings()
    settings.throttle = throttle
    state = BoardState(
      size: size, channels: channels, feedName: feedName, rate: rate, catalog: catalog,
      canReconnect: canReconnect, readsHistory: readsHistory,
      words: glyphs == .ascii ? words.ascii : words, settings: settings, session: session,
      glyphs: glyphs, now: now)
    painter = BoardPainter(glyphs: glyphs)
    screen = MemoryScreen(size: size, glyphs: glyphs)
  }

  /// A board on a recording of one channel, or of all of them.
  static func recording(
    rows: Int = 8, columns: Int = 80, channels: Int = 1, glyphs: GlyphSet = .unicode
  ) -> Board {
    Board(
      rows: rows, columns: columns, rate: nil, glyphs: glyphs,
      channels: Array(BoardChannel.standard(matches: 100)[..<channels]), feedName: "recording.jsonl")
  }

  /// Sets the playback of the recording.
  mutating func play(
    _ position: Duration, of duration: Duration = .seconds(300), at speed: Playback.Speed = .times(1),
    isPaused: Bool = false, jumps: Int = 0
  ) {
    let playback = Playback(
      position: position, duration: duration, speed: speed, isPaused: isPaused, jumps: jumps)
    _ = state.reduce(.playbackMoved(playback), now: now)
  }

  mutating func send(_ action: Action) { perform(state.reduce(action, now: now)) }

  /// Performs the effects that show messages as the runtime does. Keeps the other effects.
  mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .show(let message): send(.messageReceived(message))
      case .deliver(let reports): deliveredAlerts += reports
      default: self.effects.append(effect)
      }
    }
  }

  mutating func press(_ keys: Key...) {
    for key in keys { send(.keyPressed(key)) }
  }

  mutating func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  mutating func update(_ changed: Match..., removed: [MatchID] = [], oddsUpdates: Int = 0) {
    let live = Freshness(.live, since: now.wall)
    let update = ChannelUpdate(changed: changed, removed: removed, oddsUpdates: oddsUpdates, freshness: live)
    send(.channelUpdated(update))
  }

  /// Changes the channel's freshness. The connection defaults to ended for a closed channel, and otherwise to live.
  mutating func updateFreshness(
    _ grade: Freshness.Grade, connection: ConnectionState? = nil, lastSign: Int64? = nil, isLoaded: Bool = true,
    topic: TopicState = .live, source: DataSource = .stream, apiProblem: FeedError? = nil,
    cause: Freshness.Cause? = nil, changed: Match...
  ) {
    let update = ChannelUpdate(
      changed: changed, connection: connection ?? (grade == .closed ? .ended : .live), isLoaded: isLoaded,
      freshness: Freshness(grade, since: now.wall, cause: cause), lastSign: lastSign, topic: topic, source: source,
      apiProblem: apiProblem)
    send(.channelUpdated(update))
  }

  /// Answers a request for the channel's health.
  mutating func receiveHealth(_ health: ChannelHealth, answering requestID: Int) {
    send(.healthReceived(health, requestID: requestID))
  }

  /// The texts copied to the clipboard.
  var copied: [String] {
    effects.compactMap { effect in
      if case .terminal(.copy(let text)) = effect { text } else { nil }
    }
  }

  /// True if the help is open, scrolled down by a number of rows.
  func isHelpOpen(scroll: Int) -> Bool {
    state.overlay?.content == .help && state.overlay?.scroll.first == scroll
  }

  mutating func wait(_ time: Duration) {
    now.uptime += time
    now.wall += Int64(time / .milliseconds(1))
  }

  mutating func resize(rows: Int, columns: Int) {
    let size = Size(rows: rows, columns: columns)
    _ = state.reduce(.resized(size), now: now)
    screen.resize(to: size)
  }

  /// Paints what is due; returns the damaged rows.
  @discardableResult
  mutating func paint(whole: Bool = false) -> [RowDamage] {
    send(.frameDue)
    let (damage, _) = painter.draw(state, now: now, whole: whole)
    _ = screen.paint(painter.frame, damage: damage, whole: whole)
    return damage
  }

  var text: String { screen.content.text }

  func line(_ row: Int) -> String { screen.content.rows[row].description }

  /// Adds three matches that exercise the layout: plain, Chinese, and too long for its column.
  mutating func fill() {
    update(
      .football(100, "Ajax - Porto", start: 1_750_752_000_000),
      .football(200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.5", "4", "6.25"]),
      .football(
        300, "Brighton & Hove Albion Women U21 Development Squad - Atlético Madrid", start: 1_750_759_200_000,
        odds: ["1000", "12.5", "1.01"], then: FeedText.change("BETTING_OFFER", 322, #""statusId":"7""#)))
  }
}

extension ChannelHealth {
  /// The health of a channel with a value in every counter, and a given number of messages.
  static func sample(
    messages: Int = 1234, topic: String = Topic.aggregator(.live, matches: 100).path, isLagKnown: Bool = true
  ) -> ChannelHealth {
    var received = FeedCounters()
    received.messages = messages
    received.dumps = 2
    received.applied = 1_234_567
    received.ignored = 89
    received.oddsUpdates = 45_678
    received.held = 21
    received.waiting = 3
    received.expired = 4
    received.rejected = 5
    received.duplicateCreates = 6
    received.unparsable = 7
    received.audits = 8
    received.divergences = 1
    received.merged = 15
    received.kinds.sports = 12
    received.kinds.matches = 1330
    received.kinds.markets = 124_613
    received.kinds.outcomes = 429_527
    received.kinds.relations = 429_528
    received.kinds.offers = 1_000_000
    received.kinds.mainMarkets = 40
    received.kinds.eventInfos = 9876
    received.kinds.others = 89
    return ChannelHealth(
      topic: Topic(path: topic), received: received, conflated: 321, memory: 12_345_678,
      lagMedian: isLagKnown ? 42 : nil, lagP99: isLagKnown ? 1050 : nil,
      freshness: Freshness(.live, since: 1_750_751_987_000), readers: 1, observers: 2)
  }
}

extension RowList {
  /// The row of a match, shown or not.
  subscript(id id: MatchID) -> MatchRow? { all.first { $0.id == id } }
}
