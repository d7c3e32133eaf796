import TerminalCore

// Requests to the terminal besides frames, and its answers.
extension BoardRuntime {
  /// The time within which an answer can change the theme. A later change of colours would disturb the reader.
  private static let answerTimeout = Duration.seconds(1)

  /// Queries the terminal. The answers arrive as events, or not at all.
  func queryTerminal() {
    sent.queriedAt = input.now()
    screen.ask(.answers)
  }

  func apply(_ answer: TerminalAnswer, at now: FrameTime) async {
    screen.apply(answer)
    if now.uptime <= sent.queriedAt + Self.answerTimeout { await send(.terminalAnswered(answer), at: now) }
  }

  /// Sets the terminal's modes, title and theme for the next frame. Sends only what has changed.
  func prepareTerminal(for state: BoardState, at now: FrameTime) {
    if sent.reports != state.reports {
      sent.reports = state.reports
      screen.report(state.reports)
    }
    let title = state.title(at: now)
    if sent.title != title {
      sent.title = title
      screen.ask(.title(title))
    }
    if sent.theme != state.theme {
      mustRepaint = mustRepaint || sent.theme != nil
      sent.theme = state.theme
      screen.use(state.theme)
    }
  }
}

/// The modes, title and theme last sent to the terminal, so that each is sent only once.
struct TerminalOutputState {
  /// The reported inputs besides keys.
  var reports: InputModes = []
  /// The title of the window.
  var title = ""
  /// The theme in use.
  var theme: Theme?
  /// The uptime of the last query.
  var queriedAt = Duration.zero
}
