import Localization
import OddsFeed

/// The feed's problems and their messages.
extension BoardState {
  /// Applies the state of connection, topic and source. Keeps the reason for a lost connection until it is up again,
  /// because an attempt to reconnect carries no reason.
  mutating func apply(_ update: ChannelUpdate) {
    connection = update.connection
    topic = update.topic
    source = update.source
    apiProblem = update.apiProblem
    switch update.connection {
    case .waiting(let retry): lineProblem = retry.why
    case .failed(let why): lineProblem = why
    case .connecting, .handshaking: break
    case .idle, .live, .recovering, .ended: lineProblem = nil
    }
  }

  /// The problems, the worst first: the connection's, the channel topic's, and that of the REST interface.
  var problems: [FeedError] {
    var topicProblem: FeedError?
    switch topic {
    case .refused(let why), .retrying(let why, _): if connection.isUp { topicProblem = why }
    case .requested, .live, .maintenance, .late: break
    }
    let worse = [lineProblem, topicProblem].compactMap { $0 }
    // A remedy already listed is not repeated: both problems usually concern the same server.
    return worse
      + [apiProblem].compactMap { $0 }.filter { problem in
        !worse.contains { $0.remedySentence == problem.remedySentence }
      }
  }

  /// The message for a filter that no loaded match fits.
  var nothingFound: LocalizedMessage {
    guard let loaded else { return LocalizedMessage(.findNoMatch) }
    let count = words.number(loaded.count)
    if loaded.isGrowing { return LocalizedMessage(.findNoMatchYet, count, words.number(loaded.limit)) }
    return LocalizedMessage(.findNoMatchOfFirst, count)
  }

  /// The message in place of rows if there are none.
  var notice: EmptyState {
    let problems = problems
    if !problems.isEmpty { return .problems(problems) }
    if rows.total > 0 { return .sentence(nothingFound) }
    if connection.isUp, let problem = topic.problem { return .sentence(problem) }
    if isWatching, pins.isEmpty {
      return .sentence(LocalizedMessage(.boardNothingPinned, settings.keys.label(of: .pin, words)))
    }
    if isLoaded || connection == .ended { return .sentence(LocalizedMessage(.boardNoMatches)) }
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
