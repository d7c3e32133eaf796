package import Localization
package import OddsFeed
import OddsModel
package import TerminalCore

/// The state of the whole screen, as a value. Changed only by `reduce`.
package struct BoardState: Sendable {
  /// The screen's extent in cells.
  package internal(set) var size: Size
  package internal(set) var channels: [BoardChannel]
  var tab = Tab.channel(0)
  /// The feed's name in the header: "simulated", a file name or a host.
  var feedName: String
  /// The URL in use of a feed with several addresses; nil for other feeds.
  var address: String?
  /// The catalog of the user's language.
  let words: Catalog
  /// The topics of the feed; nil for a recording and a pipe, whose content is fixed.
  let catalog: (any FeedCatalog)?
  /// True if the feed has a connection that can be re-established.
  let canReconnect: Bool
  /// True if there is a history from which recorded prices can be read.
  let readsHistory: Bool
  /// The glyphs that the terminal's character set can show.
  let glyphs: GlyphSet
  var connection = Connection()
  var clock = FeedClock()
  var statusBar = StatusBar()
  var list: MatchList
  package internal(set) var settings: BoardSettings
  /// The settings as last configured, without changes made at run time.
  var configured: BoardSettings
  var overlay: Overlay?
  var detail = MatchDetail()
  var promptBar = PromptBar()
  var filterState = FilterSearch()
  /// The match of the last clicked row, and the uptime of the click: a second click opens the match.
  var clicked: (match: MatchID, at: Duration)?
  /// True if the terminal reported a light background; false until it reports one.
  var isOnLight = false
  /// The account; nil if there is none to log in to.
  var account: BoardAccount?
  /// The number of the last health request. An answer belongs to the request with its number.
  var lastRequestID = 0
  /// The number of the last search in the history.
  var lastSearchNumber = 0
  /// The menu of texts to copy, if it is open.
  var copyMenu: CopyMenu?
  var alerts: AlertStore
  /// The simulated feed's odds updates per second; nil for a feed with its own pace.
  var rate: Double?

  /// Creates a board before its first channel is open, as an earlier run left it if `session` is given.
  package init(
    size: Size, channels: [BoardChannel], feedName: String, rate: Double? = nil,
    channel: Int = 0, catalog: (any FeedCatalog)? = nil, canReconnect: Bool = false,
    readsHistory: Bool = false, words: Catalog = .english,
    settings: BoardSettings = BoardSettings(), session: BoardSession? = nil, filter: String? = nil,
    glyphs: GlyphSet = .unicode, now: FrameTime = FrameTime(uptime: .zero, wall: 0, zone: 0)
  ) {
    precondition(!channels.isEmpty, "a board needs a channel")
    self.size = size
    self.channels = channels
    self.feedName = feedName
    self.rate = rate
    tab = .channel(channel)
    self.catalog = catalog
    self.canReconnect = canReconnect
    self.readsHistory = readsHistory
    self.words = words
    self.glyphs = glyphs
    configured = settings
    alerts = AlertStore(settings.alerts, readsHistory: readsHistory)
    var settings = settings
    if let session { settings.restore(session) }
    self.settings = settings
    statusBar = StatusBar(foldsCounters: session?.foldsCounters ?? false)
    list = MatchList(
      settings, watch: session?.restoredWatchLists ?? WatchLists(), folds: session?.folds ?? GroupFolds(),
      height: Layout.body(of: size).count)
    if let name = session?.channel, let index = channels.firstIndex(where: { $0.isCalled(name) }) {
      tab = .channel(index)
    }
    list.reduce(.opened(watchList: nil, pages: firstPage), context(now))
    if let text = filter ?? session?.filter { reduceFilter(.find(text), now: now) }
  }
}

/// The values outside a feature that its actions depend on.
struct BoardContext {
  let now: FrameTime
  /// The current second of feed time.
  let second: Int
  let words: Catalog
  let settings: BoardSettings
  let size: Size
  let connection: Connection
  let canReconnect: Bool
  let readsHistory: Bool
  let isFrozen: Bool

  var changeFormatter: ChangeFormatter { ChangeFormatter(words: words, odds: settings.odds) }
}

extension BoardState {
  // NB: Inlined, because a call copies the whole state, and each change of a row would then copy the rows.
  @inline(__always)
  func context(_ now: FrameTime) -> BoardContext {
    BoardContext(
      now: now, second: clock.second(now: now.uptime), words: words, settings: settings, size: size,
      connection: connection, canReconnect: canReconnect, readsHistory: readsHistory, isFrozen: list.isFrozen)
  }
}
