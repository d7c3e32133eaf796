package import Localization
import OddsFeed
package import TerminalCore

/// Everything that the screen shows, as a value. Changed only by `reduce`.
package struct BoardState: Sendable {
  /// What is open over the rows.
  enum Overlay: Hashable, Sendable {
    /// The key table, scrolled down by that many lines.
    case help(scroll: Int)
    /// How the current channel does.
    indirect case inspector(Inspector)
    /// The account, scrolled down by that many lines.
    case account(scroll: Int)
    /// The alerts, and what they have told.
    case alerts(AlertPane)
  }

  /// The screen's extent in cells.
  package internal(set) var size: Size
  package internal(set) var channels: [BoardChannel]
  /// The place of the channel shown, in `channels`, or that of the watch list.
  package internal(set) var channel = 0
  /// What the feed is called in the header: "simulated", a file's name, a host.
  let feedName: String
  /// What the board speaks.
  let words: Catalog
  /// Whether there is a line that can be reconnected.
  let canReconnect: Bool
  /// What the terminal's character set can show.
  let glyphs: GlyphSet
  var connection = ConnectionState.idle
  /// How the feed answers for the channel's topic.
  var topic = TopicState.requested
  /// Where what the channel shows comes from.
  var source = DataSource.none
  /// Why the line was lost, until it is up again.
  var lineProblem: FeedError?
  /// Why the REST interface does not answer.
  var apiProblem: FeedError?
  /// How far the channel's prices can be trusted; a row is no better.
  var staleness = Freshness(.locked, since: 0)
  /// When a line whose prices are delayed last gave a sign of life, in milliseconds since 1970.
  var lastSign: Int64?
  /// False until the channel's first dump is in.
  var isLoaded = false
  /// Uptime at which the channel was opened.
  var openedAt = Duration.zero
  var rows: RowList
  /// Uptime at which a visible row changes by itself.
  var rowsExpire: Duration?
  /// The position of the chosen row.
  var cursor = 0
  /// How many rows are scrolled away: those behind the ones that are held.
  var top = 0
  /// The cursor was put on the first row: it stays there, whichever that is.
  var staysAtTop = true
  var hold = ReorderDelay()
  package internal(set) var pins: Pins
  /// How much of the channel is loaded; nil where it has no pages.
  var pages: Pagination?
  package internal(set) var settings: BoardSettings
  /// The settings as they were last configured, whatever keys have made of them since.
  var configured: BoardSettings
  /// What is said in place of the key hints, and uptime until which.
  var note: (note: StatusMessage, until: Duration)?
  var overlay: Overlay?
  /// The match that is open in a pane of its own, below what is open over the rows.
  var detail: DetailPane?
  /// How the prices went of matches that are or were open.
  var histories = PriceHistories()
  /// The second from which on what the rows were told is what the feed had.
  var trustedSince = 0
  /// The line that is typed, which has the keys unless a dialog has.
  var prompt: Prompt?
  /// What was typed before.
  var history: [Prompt.Kind: PromptHistory] = [:]
  /// What is looked for among the rows.
  var finder = FilterSearch()
  /// The row that was clicked last, and when: a second click opens it.
  var clicked: (match: MatchID, at: Duration)?
  /// What lies behind the terminal's text is light, as far as it has told.
  var isOnLight = false
  /// What stands over all of it, and has the keys.
  var dialog: Dialog?
  /// Nil where there is no account to log in to.
  var account: BoardAccount?
  /// How often a channel was asked how it does: an answer belongs to its question.
  var lastRequestID = 0
  var throttle = Throttle()
  var alerts = AlertStore()
  /// While frozen: what has changed since, the newest of each match, nil for one that is gone.
  var frozenChanges: [MatchID: Match?]?
  /// Changes that the frozen screen has not shown.
  var missed = 0
  var showsDamage = false
  var paintsWholeScreen = false
  /// The simulated feed's odds updates a second; nil where the feed has its own pace.
  var rate: Double?
  /// How the play of a recording stands; nil where the feed is none.
  var playback: Playback?
  /// Uptime at which it stood so.
  var playbackAt = Duration.zero
  /// The second of uptime at which a feed that is no recording has ended.
  var endedAt: Int?
  var meters = Meters()
  /// What the current channel's reader has counted so far: totals that start anew with each channel.
  var counted = (oddsUpdates: 0, conflated: 0, merged: 0)

  /// A board before its first channel is open.
  package init(
    size: Size, channels: [BoardChannel], feedName: String, rate: Double? = nil,
    channel: Int = 0, canReconnect: Bool = false, words: Catalog = .english,
    settings: BoardSettings = BoardSettings(), pins: Pins = Pins(), glyphs: GlyphSet = .unicode
  ) {
    precondition(!channels.isEmpty, "a board needs a channel")
    self.size = size
    self.channels = channels
    self.feedName = feedName
    self.rate = rate
    self.channel = channel
    self.canReconnect = canReconnect
    self.words = words
    self.glyphs = glyphs
    self.settings = settings
    throttle = Throttle(interval: settings.throttle)
    self.pins = pins
    rows = RowList(order: settings.order, odds: settings.odds, pinned: pins.matches)
    configured = settings
    pages = firstPage
    // There is no match yet that they could tell of.
    _ = alerts.configure(settings.alerts, at: FrameTime(uptime: .zero, wall: 0, zone: 0))
  }

  /// How many rows of matches fit.
  var visibleRows: Int { Layout.body(of: size).count }
}
