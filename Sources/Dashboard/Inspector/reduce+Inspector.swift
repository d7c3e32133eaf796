import OddsModel
import TerminalCore

extension BoardState {
  /// The inspector, or nil if it is not open.
  var inspector: Inspector? {
    get { if case .inspector(let inspector) = overlay { inspector } else { nil } }
    // NB: optional chaining on a nil value writes nil back. That must not close another overlay.
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

  /// Requests a health report from the channel if the inspector is open and a request is due.
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

  /// The rows of the inspector that are in view.
  var inspectorLines: Range<Int> {
    let first = min(inspector?.scroll ?? 0, lastInspectorLine)
    return first..<min(first + visibleRows, InspectorTable.count(width: size.columns))
  }

  /// The first row in view when scrolled to the end.
  var lastInspectorLine: Int { max(0, InspectorTable.count(width: size.columns) - visibleRows) }
}

/// The values that the rows of the inspector depend on. The rows are formatted again when it changes.
struct InspectorNews: Equatable {
  var revision: Int
  var topic: TopicState
  var source: DataSource
}
