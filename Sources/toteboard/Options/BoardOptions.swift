public import ArgumentParser
import CLibrary
import Dashboard
import FeedNetwork
import FeedRecording
import Localization
import Logging
import OddsHistory
public import OddsModel
import Platform
import ProgramArguments
import TerminalCore
import TerminalCurses

/// The options of the dashboard, and its start.
struct BoardOptions: ParsableArguments {
  @Option(help: .setting("fps"))
  var fps: TypedValue<Int>?

  @Option(help: .setting("throttle"))
  var throttle: TypedValue<ThrottleInterval>?

  @Option(help: .setting("theme"))
  var theme: String?

  @Option(help: .setting("odds", valueName: "format"))
  var odds: TypedValue<OddsFormat>?

  @Option(help: .setting("sort", valueName: "key"))
  var sort: String?

  @Option(help: .phrase(.optionColumns))
  var columns: String?

  @Option(help: .setting("group", valueName: "grouping"))
  var group: TypedValue<RowGrouping>?

  @Flag(help: .setting("reverse"))
  var reverse = false

  @Option(help: .setting("zone"))
  var zone: String?

  @Option(help: .phrase(.optionSpeed))
  var speed: TypedValue<SpeedOption>?

  @Flag(help: .phrase(.optionFresh))
  var fresh = false

  @Flag(help: .phrase(.optionNoMouse))
  var noMouse = false

  @Flag(help: .phrase(.optionLowBandwidth))
  var lowBandwidth = false

  @Option(help: .phrase(.optionFilter))
  var filter: String?

  @Flag(help: .phrase(.optionPlain))
  var plain = false

  @Flag(help: .phrase(.optionNoHistory))
  var noHistory = false

  @OptionGroup var account: AccountOptions

  mutating func validate() throws {
    try fps?.check("--fps", Configuration.fpsRange)
    if let throttle, throttle.value == nil {
      throw ValidationError(.configNoInterval, "--throttle", throttle.text.cleaned)
    }
    if let speed, speed.value == nil { throw ValidationError(.usageNoSpeed, "--speed", speed.text.cleaned) }
    if let odds, odds.value == nil {
      throw ValidationError(
        .configNoChoice, "--odds", odds.text.cleaned, LocalizedMessage.list(OddsFormat.allCases.map(\.rawValue)))
    }
    if let group, group.value == nil {
      throw ValidationError(
        .configNoChoice, "--group", group.text.cleaned, LocalizedMessage.list(RowGrouping.allCases.map(\.rawValue)))
    }
    if let filter, let problem = BoardState.problem(ofFilter: filter, CLILanguage.words) {
      throw ValidationError(.usageNoFilter, filter.cleaned, problem.sentence)
    }
    if let zone, Zone(zone) == nil { throw ValidationError(.configNoZone, zone.cleaned) }
    if let columns { _ = try Self.columns(columns) }
    if let sort, BoardColumn(name: sort) == nil {
      throw ValidationError(.configNoChoice, "--sort", sort.cleaned, LocalizedMessage.list(BoardColumn.names))
    }
  }

  /// Returns the columns of an option: their names, separated by commas, or `auto`.
  private static func columns(_ text: String) throws -> [ChosenColumn] {
    let names = text == "auto" ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    do throws(ColumnError) { return try ChosenColumn.list(names) } catch {
      throw ValidationError(.usageColumns, error.sentence)
    }
  }

  /// Checks the options that depend on the feed and the configuration. A speed, for example, needs a recording.
  func validate(with options: FeedOptions) throws {
    try account.validate(with: options)
    if plain { try options.checkLogin(of: .plain) }
    let settings = options.configuration.settings
    if let theme, settings.theme(named: theme) == nil {
      let names = settings.themes.map(\.name)
      throw ValidationError(.configNoChoice, "--theme", theme.cleaned, LocalizedMessage.list(names))
    }
    // A recording has a history on the board, but not with `--plain`. A pipe has none.
    if noHistory, let feed = options.configuration.feed, !options.isNetworked, plain || feed == "-" || options.isPipe {
      throw ValidationError(.usageNotOnFile, "--no-history", feed.cleaned)
    }
    guard speed != nil else { return }
    guard let feed = options.configuration.feed else { throw ValidationError(.usageSpeedNeedsRecording) }
    if options.isNetworked { throw ValidationError(.usageSpeedOnNetwork, feed) }
    if feed == "-" || options.isPipe { throw ValidationError(.usageSpeedOnPipe, feed) }
  }

  func override(_ configured: Configuration) -> Configuration {
    var configuration = configured
    if let fps = fps?.value { configuration.fps = fps }
    if let throttle = throttle?.value { configuration.settings.throttle = throttle.duration }
    if let theme = theme.flatMap(configuration.settings.theme) { configuration.settings.theme = theme }
    if let key = sort.flatMap(BoardColumn.init(name:)) { configuration.settings.order.key = key }
    if sort != nil || reverse { configuration.settings.order.isReversed = reverse }
    if let group = group?.value { configuration.settings.grouping = group }
    if let columns = columns.flatMap({ try? Self.columns($0) }) { configuration.settings.columns = columns }
    if let odds = odds?.value { configuration.settings.odds = odds }
    if noMouse { configuration.settings.usesMouse = false }
    if lowBandwidth { configuration.settings.isLowBandwidth = true }
    if configuration.settings.theme == .auto, !environment()["NO_COLOR", default: ""].isEmpty {
      configuration.settings.theme = .monochrome
    }
    if let zone = zone.flatMap(Zone.init) { configuration.zone = zone }
    if let speed = speed?.value { configuration.speed = speed }
    if noHistory { configuration.keepsHistory = false }
    return configuration
  }

  /// Returns the saved session without the values that options override.
  private func removingOverriddenValues(from session: BoardSession, _ configuration: Configuration) -> BoardSession {
    var session = session
    if configuration.channel != nil { session.channel = nil }
    if theme != nil { session.theme = nil }
    if odds != nil { session.odds = nil }
    if sort != nil || reverse { session.order = nil }
    if columns != nil { session.columns = nil }
    if group != nil { session.grouping = nil }
    return session
  }

  /// Opens the feed. Reads a pipe at the interval of frames, so that a frame is due when new data has been read.
  private func openFeed(_ options: FeedOptions, _ configuration: Configuration) throws -> FeedOptions.Feed {
    let interval = Duration.seconds(1) / configuration.fps
    return options.staged(try options.openFeed(interval: interval, speed: configuration.speed.speed))
  }

  private func runPlain(_ options: FeedOptions, _ configuration: Configuration, _ clock: BoardClock) throws {
    // A reader of standard error that does not read, as with 2>&1 and a pager, delays only the notes and the log.
    let notes = LineWriter(to: STDERR_FILENO, isLog: true)
    defer { notes.finish() }
    // NB: must precede the feed, whose parts create their logs.
    LoggingSystem.bootstrap { StreamLogHandler(label: $0, stream: notes) }
    let feed = try openFeed(options, configuration)
    let history = HistoryOptions(configuration).recorder(of: feed) { notes.send($0) }
    let alerts = try AlertDelivery(of: feed, configuration) { notes.send($0) }
    try PlainRuntime(
      feed: feed, bounds: options.bounds, configuration: configuration, filter: filter ?? "", clock: clock,
      history: history, alerts: alerts
    ).run()
  }

  func run(_ options: FeedOptions) throws {
    let configuration = override(options.configuration)
    // NB: must precede the first thread, because a named zone changes the environment.
    let clock = BoardClock(wall: ClientClock.wallTime, zone: configuration.zone.install())
    if plain { return try runPlain(options, configuration, clock) }
    // A log on the terminal would damage the screen. NB: must precede the feed, whose parts create their logs.
    LoggingSystem.bootstrap { label in
      if isatty(STDERR_FILENO) == 1 { return SwiftLogNoOpLogHandler() }
      return StreamLogHandler.standardError(label: label)
    }
    let feed = try openFeed(options, configuration)
    if feed.pipe?.isOwnTerminal == true {
      throw CommandError(.failureFeedIsTerminal, (configuration.feed ?? "").cleaned)
    }
    let account = try account(of: feed, options)
    let warnings = Locked<(@Sendable (LocalizedMessage) -> Void)?>(nil)
    let alerts = try AlertDelivery(of: feed, configuration) { message in warnings.withLock { $0 }?(message) }
    let terminal = try Terminal.open(environment: environment())
    let loop = terminal.loop
    feed.pipe?.read(on: loop)
    let isASCII = terminal.screen.glyphs == .ascii
    let words = isASCII ? CLILanguage.words.ascii : CLILanguage.words
    let host = SystemHost(
      file: options.configFile, since: options.configState, configuration: configuration,
      feed: options.sessionName(of: feed), template: options.template, isASCII: isASCII, environment: environment()
    ) { override(options.override($0)) }
    let history = HistoryOptions(configuration).recorder(of: feed) {
      host.apply($0)
    } onMessage: {
      host.warn($0)
    }
    let played = configuration.keepsHistory ? feed.recording : nil
    let recorded = played.flatMap { transport in
      RecordingHistory(
        transport, channels: feed.channels, options: options.bounds.options, environment: environment()
      ) {
        host.apply($0)
      } onMessage: {
        host.warn($0)
      }
    }
    let state = BoardState(
      size: terminal.screen.size, channels: isASCII ? feed.channels.map(\.inASCII) : feed.channels,
      feedName: feed.currentAddress?().name ?? options.name(in: words),
      rate: feed.simulated == nil ? nil : configuration.rate, channel: feed.channelIndex,
      catalog: feed.catalog, canReconnect: feed.canReconnect, readsHistory: history != nil || recorded != nil,
      words: words,
      settings: configuration.settings,
      session: host.savedSession(isUsed: !fresh).map { removingOverriddenValues(from: $0, configuration) },
      filter: filter,
      glyphs: terminal.screen.glyphs, now: FrameTime(uptime: .zero, wall: ClientClock.wallTime(), zone: 0))
    warnings.withLock { $0 = { [weak host] in host?.warn($0) } }
    host.setAlerts(alerts)
    let service = ProviderService(feed, bounds: options.bounds, history: history)
    if let account { service.showTokens(of: account.client) }
    let runtime = BoardRuntime(
      state: state, screen: terminal.screen, input: loop, service: service, account: account?.service, host: host,
      history: recorded ?? history.map(RecordedPriceService.init), executor: loop, framesPerSecond: configuration.fps,
      clock: clock)
    let watch =
      feed.canReconnect
      ? NetworkWatch {
        account?.service.retry()
        Task { await service.networkChanged() }
      } : nil
    Task(executorPreference: loop) {
      await runtime.run()
      await recorded?.finish()
      loop.stop()
    }
    withExtendedLifetime(watch) { loop.run() }
    Terminal.close()
    // NB: All is written and closed. To release the remaining objects one by one takes longer than the rest of the end.
    CLibrary.exit(0)
  }
}

extension ThrottleInterval: ExpressibleByArgument {}

extension RowGrouping: ExpressibleByArgument {
  package static var allValueStrings: [String] { [] }
}

extension OddsFormat: ExpressibleByArgument {
  public static var allValueStrings: [String] { [] }
}
