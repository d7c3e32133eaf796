import Localization
import OddsFeed

/// What is wrong with the feed, in words.
extension BoardState {
  /// Keeps why the line was lost until it is up again: while it is being tried the line itself does not say.
  mutating func take(_ update: ChannelUpdate) {
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

  /// The worst first: that of the line, of the channel's topic, of the REST interface that stands in for them.
  var problems: [FeedError] {
    var topicProblem: FeedError?
    switch topic {
    case .refused(let why), .retrying(let why, _): if connection.isUp { topicProblem = why }
    case .requested, .live, .maintenance, .late: break
    }
    let worse = [lineProblem, topicProblem].compactMap { $0 }
    // What is to be done already need not be said twice: it is mostly the same server.
    return worse
      + [apiProblem].compactMap { $0 }.filter { problem in
        !worse.contains { $0.remedySentence == problem.remedySentence }
      }
  }

  /// No row fits what is looked for, among the matches that are loaded.
  var nothingFound: LocalizedMessage {
    guard let loaded else { return LocalizedMessage(.findNoMatch) }
    let count = words.number(loaded.count)
    if loaded.isGrowing { return LocalizedMessage(.findNoMatchYet, count, words.number(loaded.limit)) }
    return LocalizedMessage(.findNoMatchOfFirst, count)
  }

  /// What stands in place of rows where there are none.
  var notice: EmptyState {
    let problems = problems
    if !problems.isEmpty { return .problems(problems) }
    if rows.total > 0 { return .sentence(nothingFound) }
    if connection.isUp, case .maintenance = topic { return .phrase(.boardMaintenance) }
    if connection.isUp, topic == .late { return .phrase(.boardNotAnswered) }
    if isWatching, pins.isEmpty {
      return .sentence(LocalizedMessage(.boardNothingPinned, settings.keys.label(of: .pin, words)))
    }
    if isLoaded || connection == .ended { return .phrase(.boardNoMatches) }
    return .phrase(isPipe ? .boardWaitingForLine : .boardWaitingForDump)
  }
}

/// Whole sentences in place of rows.
enum EmptyState: Hashable {
  case phrase(MessageKey)
  case sentence(LocalizedMessage)
  case problems([FeedError])

  func text(_ words: Catalog) -> String {
    switch self {
    case .phrase(let phrase): return words(phrase)
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
