import OddsFeed
import TerminalCore

extension BoardState {
  /// The inspector, where it is open.
  var inspector: Inspector? {
    get { if case .inspector(let inspector) = overlay { inspector } else { nil } }
    // NB: nil comes from a chain that found none; what else is open stays open.
    set { if let newValue { overlay = .inspector(newValue) } }
  }

  mutating func toggleInspector(at now: Duration) -> [Effect] {
    if inspector != nil {
      overlay = nil
      return []
    }
    inspector = Inspector()
    return askForHealth(at: now)
  }

  /// Asks the channel how it does where that is due. While the inspector is closed nobody asks.
  mutating func askForHealth(at now: Duration) -> [Effect] {
    guard let due = inspector?.nextQuestion, due <= now else { return [] }
    lastRequestID += 1
    let question = lastRequestID
    inspector?.ask(question, at: now)
    return [.askForHealth(question: question)]
  }

  func inspectorNews(_ inspector: Inspector) -> InspectorNews {
    InspectorNews(revision: inspector.revision, topic: topic, source: source)
  }

  /// Which of the inspector's lines are in view.
  var inspectorLines: Range<Int> {
    let first = min(inspector?.scroll ?? 0, lastInspectorLine)
    return first..<min(first + visibleRows, InspectorTable.count(width: size.columns))
  }

  /// The first line in view where it is scrolled to its end.
  var lastInspectorLine: Int { max(0, InspectorTable.count(width: size.columns) - visibleRows) }
}

/// What the inspector's lines are made of: they are formatted anew when it is another.
struct InspectorNews: Equatable {
  var revision: Int
  var topic: TopicState
  var source: DataSource
}
