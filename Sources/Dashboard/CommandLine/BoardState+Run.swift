package import Localization
import OddsModel
import TerminalCore

extension BoardState {
  /// Runs a command line. A blank line has no effect.
  ///
  /// - Throws: `FilterError`, with its position in `text`.
  mutating func run(_ text: String, now: FrameTime) throws(FilterError) -> [Effect] {
    let line = CommandText(text)
    if line.name.isEmpty { return [] }
    let command = try line.command()
    if let plain = command.plain {
      guard line.argument.isEmpty else { throw line.excess(of: command) }
      return perform(plain, now: now)
    }
    if command.arguments.isEmpty, !line.argument.isEmpty { throw line.excess(of: command) }
    if line.argument.isEmpty, !command.arguments.isEmpty, !command.arguments.hasPrefix("[") {
      throw FilterError(at: text.count, LocalizedMessage(.commandNoArgument, command.rawValue, command.usage))
    }
    switch command {
    case .alert:
      do { return reduceAlerts(.add(try AlertRule(line.argument)), now: now) } catch {
        throw error.moved(by: line.argumentStart)
      }
    case .calculate: return try calculate(line, now: now)
    case .channel: return open(.channel(try channel(line)), now: now)
    case .columns: return try setColumns(line, now: now)
    case .delete: return try deleteWatchList(line, now: now)
    case .fair:
      let method = try line.choice(
        line.argument, at: line.argumentStart, of: MarginMethod.allCases.map { ($0.rawValue, $0) })
      return set(\.marginMethod, to: method, now: now)
    case .filter:
      if let error = Self.problem(ofFilter: line.argument, words) { throw error.moved(by: line.argumentStart) }
      reduceFilter(.find(line.argument), now: now)
      return []
    case .pin: return try pin(line, now: now)
    case .prune: return try pruneWatchList(now: now)
    case .group:
      let grouping = try line.choice(
        line.argument, at: line.argumentStart, of: RowGrouping.allCases.map { ($0.rawValue, $0) })
      return set(\.grouping, to: grouping, now: now)
    case .history: return try searchHistory(line, now: now)
    case .rate: return try setRate(line)
    case .rename: return try renameWatchList(line, now: now)
    case .throttle:
      guard let interval = ThrottleInterval(argument: line.argument) else {
        throw line.other(line.argument, at: line.argumentStart, LocalizedMessage.list(["off", "250ms", "1s", "60s"]))
      }
      return set(\.throttle, to: interval.duration, now: now)
    case .write: return [.write(path: line.argument)]
    case .lowBandwidth: return set(\.isLowBandwidth, to: try isOn(line, now: settings.isLowBandwidth), now: now)
    case .mouse: return set(\.usesMouse, to: try isOn(line, now: settings.usesMouse), now: now)
    case .odds:
      let format = try line.choice(
        line.argument, at: line.argumentStart, of: OddsFormat.allCases.map { ($0.rawValue, $0) })
      return set(\.odds, to: format, now: now)
    case .theme:
      let theme = try line.choice(line.argument, at: line.argumentStart, of: settings.themes.map { ($0.name, $0) })
      return set(\.theme, to: theme, now: now)
    case .seek: return [try seek(line)]
    case .sort: return set(\.order, to: try order(line), now: now)
    case .watch: return try openWatchList(line, now: now)
    // The commands with a `plain` command, performed above.
    case .account, .alerts, .copy, .freeze, .help, .inspect, .open, .quit, .reconnect: return []
    }
  }

  /// Opens the bet calculator of the open match, or closes it.
  private mutating func calculate(_ line: CommandText, now: FrameTime) throws(FilterError) -> [Effect] {
    guard detail.pane != nil else {
      throw FilterError(at: 0, LocalizedMessage(.calculatorNoMatch, settings.keys.name(of: .open, words)))
    }
    let isClosing = line.argument == BetTicket.closingWord
    if detail.pane?.isFromHistory == true, !isClosing {
      throw FilterError(at: 0, LocalizedMessage(.historyNotLive))
    }
    let ticket = isClosing ? nil : try BetTicket(line, moneyUnit)
    return detail.reduce(.calculate(ticket), context(now))
  }

  private func channel(_ line: CommandText) throws(FilterError) -> Int {
    if let number = Int(line.argument), channels.indices.contains(number &- 1) { return number - 1 }
    if let index = channels.firstIndex(where: { $0.isCalled(line.argument) }) { return index }
    return try line.choice(line.argument, at: line.argumentStart, of: channels.enumerated().map { ($1.title, $0) })
  }

  /// Returns the effect that jumps in a recording.
  private func seek(_ line: CommandText) throws(FilterError) -> Effect {
    guard let playback = clock.playback else { throw FilterError(at: 0, LocalizedMessage(.seekNoRecording)) }
    guard let target = SeekTarget(line.argument, duration: playback.duration) else {
      throw line.other(line.argument, at: line.argumentStart, LocalizedMessage.list(SeekTarget.examples))
    }
    switch target {
    case .by(let step): return .seek(step)
    case .to(let position) where position > playback.duration:
      let end = Playback.clock(playback.duration.wholeSeconds, of: playback.duration.wholeSeconds)
      throw FilterError(at: line.argumentStart, LocalizedMessage(.seekBeyondEnd, line.argument, end))
    case .to(let position): return .seekTo(position)
    }
  }

  private mutating func setColumns(_ line: CommandText, now: FrameTime) throws(FilterError) -> [Effect] {
    let names = line.argument.split { $0 == "," || $0.isWhitespace }.map(String.init)
    if names.isEmpty { return perform(.columns, now: now) }
    do throws(ColumnError) {
      let effects = set(\.columns, to: names == ["auto"] ? [] : try ChosenColumn.list(names), now: now)
      updateChooser()
      return effects
    } catch { throw FilterError(at: line.argumentStart, error.sentence) }
  }

  private func isOn(_ line: CommandText, now: Bool) throws(FilterError) -> Bool {
    line.argument.isEmpty
      ? !now : try line.choice(line.argument, at: line.argumentStart, of: [("on", true), ("off", false)])
  }

  private func order(_ line: CommandText) throws(FilterError) -> RowOrder {
    let key = CommandText(line.argument)
    var order = RowOrder()
    order.key = try line.choice(key.name, at: line.argumentStart, of: ColumnEntry.table.map { ($0.name, $0.column) })
    if !key.argument.isEmpty {
      order.isReversed = try line.choice(
        key.argument, at: line.argumentStart + key.argumentStart, of: [("reverse", true)])
    }
    return order
  }

  private mutating func setRate(_ line: CommandText) throws(FilterError) -> [Effect] {
    guard rate != nil else { throw FilterError(at: 0, LocalizedMessage(.commandNoRate)) }
    guard let new = Double(line.argument.replacing(",", with: ".")), Self.rateBounds.contains(new) else {
      let bounds = LocalizedMessage(.commandRange, Self.rateBounds.lowerBound, Int(Self.rateBounds.upperBound))
      throw line.other(line.argument, at: line.argumentStart, bounds)
    }
    rate = new
    return [.setRate(new)]
  }

  /// Returns the error in the text of a filter, or nil if it is valid.
  package static func problem(ofFilter text: String, _ words: Catalog) -> FilterError? {
    do throws(FilterError) {
      try FilterParser.node(text)
      return nil
    } catch { return error }
  }
}

extension CommandText {
  /// Returns the error of an argument to a command that takes none.
  fileprivate func excess(of command: NamedCommand) -> FilterError {
    FilterError(at: argumentStart, LocalizedMessage(.commandNoMore, command.rawValue, argument))
  }
}

extension FilterError {
  /// Returns the error with its position shifted by the offset of the text within an enclosing text.
  func moved(by characters: Int) -> FilterError { FilterError(at: position + characters, sentence) }
}
