package import Localization
import OddsFeed
package import TerminalCore

/// The state of the whole screen, as a value. Changed only by `reduce`.
package struct BoardState: Sendable {
  /// The screen's extent in cells.
  package internal(set) var size: Size
  package internal(set) var channels: [BoardChannel]
  var tab = Tab.channel(0)
  /// The feed's name in the header: "simulated", a file name or a host.
  let feedName: String
  /// The catalog of the user's language.
  let words: Catalog
  /// True if the feed has a connection that can be re-established.
  let canReconnect: Bool
  /// The glyphs that the terminal's character set can show.
  let glyphs: GlyphSet
  var connection = ConnectionState.idle
  /// The state of the channel's topic.
  var topic = TopicState.requested
  /// The source of the channel's data.
  var source = DataSource.none
  /// The reason for the lost connection, kept until it is up again.
  var lineProblem: FeedError?
  /// The reason why the REST interface does not answer.
  var apiProblem: FeedError?
  /// The freshness of the channel's prices. No row is fresher than its channel.
  var staleness = Freshness(.locked, since: 0)
  /// The time of the last sign of life of a connection whose prices are delayed, in milliseconds since 1970.
  var lastSign: Int64?
  /// False until the channel's first dump has been received.
  var isLoaded = false
  /// The uptime at which the channel was opened.
  var openedAt = Duration.zero
  var rows: RowList
  /// The uptime at which a visible row changes by itself.
  var nextRowDeadline: Duration?
  /// The position of the selected row.
  var cursor = 0
  /// The number of rows scrolled away, counted after the fixed rows.
  var top = 0
  /// True if the cursor stays on the first row, whichever match that is.
  var staysAtTop = true
  var hold = ReorderDelay()
  var pins = Pins()
  /// The loaded part of the channel; nil if the channel has no pages.
  var pages: Pagination?
  package internal(set) var settings: BoardSettings
  /// The settings as last configured, without changes made at run time.
  var configured: BoardSettings
  /// The message shown in place of the key hints, and the uptime at which it ends.
  var note: (note: StatusMessage, until: Duration)?
  /// What is open over the rows.
  var focus = FocusStack()
  /// The price histories of matches that are or were open.
  var histories = PriceHistories()
  /// The second of feed time since which the rows have matched the feed without a gap.
  var trustedSince = 0
  /// The inputs of earlier prompts.
  var history: [Prompt.Kind: PromptHistory] = [:]
  /// The search among the rows.
  var finder = FilterSearch()
  /// The match of the last clicked row, and the uptime of the click: a second click opens the match.
  var clicked: (match: MatchID, at: Duration)?
  /// True if the terminal reported a light background; false until it reports one.
  var isOnLight = false
  /// The account; nil if there is none to log in to.
  var account: BoardAccount?
  /// The number of the last health request. An answer belongs to the request with its number.
  var lastRequestID = 0
  var throttle = Throttle()
  var alerts: AlertStore
  /// The changes since the screen was frozen: the newest state of each match, nil for a removed one. Nil while the
  /// screen is not frozen.
  var frozenChanges: [MatchID: Match?]?
  /// The number of changes not shown while the screen is frozen.
  var missed = 0
  var showsDamage = false
  var paintsWholeScreen = false
  /// The simulated feed's odds updates per second; nil for a feed with its own pace.
  var rate: Double?
  /// The playback of a recording; nil for any other feed.
  var playback: Playback?
  /// The uptime at which `playback` was received.
  var playbackAt = Duration.zero
  /// The second of uptime at which the feed ended; not used for a recording.
  var endedAt: Int?
  var meters = Meters()
  /// The counts already added to `meters`. They start at zero with each channel.
  var counted = (oddsUpdates: 0, conflated: 0, merged: 0)

  /// Creates a board before its first channel is open, as an earlier run left it if `session` is given.
  package init(
    size: Size, channels: [BoardChannel], feedName: String, rate: Double? = nil,
    channel: Int = 0, canReconnect: Bool = false, words: Catalog = .english,
    settings: BoardSettings = BoardSettings(), session: BoardSession? = nil, filter: String? = nil,
    glyphs: GlyphSet = .unicode, at now: FrameTime = FrameTime(uptime: .zero, wall: 0, zone: 0)
  ) {
    precondition(!channels.isEmpty, "a board needs a channel")
    self.size = size
    self.channels = channels
    self.feedName = feedName
    self.rate = rate
    tab = .channel(channel)
    self.canReconnect = canReconnect
    self.words = words
    self.glyphs = glyphs
    self.settings = settings
    throttle = Throttle(interval: settings.throttle)
    alerts = AlertStore(settings.alerts)
    rows = RowList(order: settings.order, odds: settings.odds)
    configured = settings
    pages = firstPage
    if let session { restore(session, at: now) }
    if let filter { find(filter, at: now) }
  }

  /// The number of match rows that fit on the screen.
  var visibleRows: Int { Layout.body(of: size).count }
}
