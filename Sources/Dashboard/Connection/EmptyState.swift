import Localization
import OddsModel
import TerminalCore

extension BoardState {
  private var connectionContext: Connection.Context {
    Connection.Context(
      isPipe: isPipe, countsSeconds: !settings.isLowBandwidth, shown: list.rows.count, total: list.rows.total)
  }

  /// True if the feed has no connection and no time of its own.
  private var isPipe: Bool { rate == nil && !canReconnect && clock.playback == nil }

  func connectionStatus(now: FrameTime) -> ConnectionStatus { connection.status(connectionContext, now: now) }

  func nextConnectionDeadline(after now: FrameTime) -> Duration? {
    connection.nextDeadline(connectionContext, after: now)
  }

  /// The message for a filter that no loaded match fits.
  var noMatchMessage: LocalizedMessage {
    guard let loaded else { return LocalizedMessage(.findNoMatch) }
    let count = words.number(loaded.count)
    if loaded.isGrowing { return LocalizedMessage(.findNoMatchYet, count, words.number(loaded.limit)) }
    return LocalizedMessage(.findNoMatchOfFirst, count)
  }

  /// The message in place of rows if there are none.
  var emptyState: EmptyState {
    let problems = connection.problems
    if !problems.isEmpty { return .problems(problems) }
    if list.rows.total > 0 { return .sentence(noMatchMessage) }
    if connection.state.isUp, let problem = connection.topic.problem { return .sentence(problem) }
    if list.isWatchList, list.pins.isEmpty {
      return .sentence(LocalizedMessage(.boardNothingPinned, settings.keys.label(of: .pin, words)))
    }
    if connection.isLoaded || connection.state == .ended { return .sentence(LocalizedMessage(.boardNoMatches)) }
    return .sentence(LocalizedMessage(isPipe ? .boardWaitingForLine : .boardWaitingForDump))
  }
}

/// A message in place of rows, in whole sentences.
enum EmptyState: Hashable {
  case sentence(LocalizedMessage)
  case problems([FeedError])

  func text(_ words: Catalog) -> String {
    switch self {
    case .sentence(let sentence): return words.text(sentence)
    case .problems(let problems):
      let sentences = problems.map { problem in
        let text = words(.boardProblem, problem.whatSentence, problem.remedySentence)
        return LocalizedMessage.verbatim(text.capitalizedFirst)
      }
      return words.text(sentences, joinedBy: .joinedSentences)
    }
  }
}

/// The message in place of match rows.
struct EmptyStatePane: ScrollablePane {
  private let lines: [String]

  init(_ state: EmptyState, _ words: Catalog, width: Int) { lines = state.text(words).wrapped(to: width - 2) }

  var count: Int { lines.count }
  var hasTitle: Bool { false }
  func row(_ index: Int) -> PaneRow { PaneRow(lines[index], at: 1, .muted) }
}
