import Localization
import OddsModel
import TerminalCore

// The texts about the whole board: its status, the message in place of rows, the window's title and a copied row.
extension BoardState {
  var connectionContext: Connection.Context {
    Connection.Context(
      isPipe: isPipe, countsSeconds: !settings.isLowBandwidth, shown: list.rows.count, total: list.rows.total)
  }

  /// True if the feed has no connection and no time of its own.
  private var isPipe: Bool { rate == nil && !canReconnect && clock.playback == nil }

  func connectionStatus(now: FrameTime) -> ConnectionStatus { connection.status(connectionContext, now: now) }

  /// The message for a filter that no loaded match fits.
  var noMatchMessage: LocalizedMessage {
    let key = settings.keys.name(of: .close, words)
    guard let loaded else { return LocalizedMessage(.findNoMatch, key) }
    let count = words.number(loaded.count)
    if loaded.isGrowing { return LocalizedMessage(.findNoMatchYet, count, words.number(loaded.limit)) }
    return LocalizedMessage(.findNoMatchOfFirst, count, key)
  }

  /// The message in place of rows if there are none, in whole sentences.
  var emptyText: String {
    let problems = connection.problems.map { problem in
      let text = words(.boardProblem, problem.localizedMessage, problem.localizedRemedy)
      return LocalizedMessage.verbatim(text.capitalizedFirst)
    }
    if !problems.isEmpty { return words.text(problems, joinedBy: .joinedSentences) }
    if list.rows.total > 0 { return words.text(noMatchMessage) }
    if connection.state.isUp, let problem = connection.topic.problem { return words.text(problem) }
    if list.isWatchList, list.pins.isEmpty { return words(.boardNothingPinned, settings.keys.label(of: .pin, words)) }
    if unservedCount > 0 { return words(.boardNothingServed) }
    if !unpricedMatches.isEmpty { return words(.boardNothingPriced) }
    if connection.isLoaded || connection.state == .ended { return words(.boardNoMatches) }
    return words(isPipe ? .boardWaitingForLine : .boardWaitingForDump)
  }

  /// True if the prices of rows can be shown as live, apart from the trading status of each match: the channel is not
  /// locked, the provider does not say that its prices are late, and neither was so since the screen was frozen.
  var showsLivePrices: Bool { connection.isTrusted && !list.isOutdated }

  /// True if the prices of a row can be copied as live. On a frozen screen those of a match that has changed cannot.
  private func isCurrent(_ row: MatchRow) -> Bool {
    showsLivePrices && row.tradingStatus.isTrusted && !list.hasFrozenChange(of: row.id)
  }

  /// Returns a row's match, prices and margin to copy.
  func text(of row: MatchRow) -> String {
    var parts = [row.labels.name.cleaned] + prices(of: row)
    if let margin = row.margin.shown, isCurrent(row) {
      parts.append("\(words.tenths(margin)) %")
    }
    return parts.joined(separator: "  ")
  }

  /// Returns a row's prices to copy.
  func prices(of row: MatchRow) -> [String] {
    let isCurrent = isCurrent(row)
    return PriceTriple.indices.compactMap { text(of: row.prices[$0], isTrusted: isCurrent) }
  }

  /// Returns a price as shown on the screen; nil if there is none.
  func text(of cell: PriceCell, isTrusted: Bool) -> String? {
    switch cell.state {
    case .none: return nil
    case .suspended: return words(.rowSuspended)
    case .closed: return "-"
    case .lastTraded: return cell.odds.map { "(\(words.price($0, settings.odds)))" }
    case .live, .doubtful:
      let price = cell.odds.map { "\(words.price($0, settings.odds))" } ?? ""
      return isTrusted && cell.state == .live ? price : "\(price)\(Glyphs(glyphs).doubt)"
    }
  }

  /// Returns the title of the terminal's window; empty in low-bandwidth mode.
  func title(now: FrameTime) -> String {
    if settings.isLowBandwidth { return "" }
    let title = channelTitle
    // An idle connection before the first dump is not a problem.
    guard connection.isLoaded || connection.state != .idle,
      let lastingProblem = connectionStatus(now: now).lastingProblem(words)
    else {
      return words(.titleBoard, title)
    }
    return words(.titleError, title, lastingProblem)
  }
}
