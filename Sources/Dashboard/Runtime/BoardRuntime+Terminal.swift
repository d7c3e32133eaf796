import TerminalCore

// Requests to the terminal besides frames, and its answers.
extension BoardRuntime {
  /// The time within which an answer can change the theme. A later change of colours would disturb the reader.
  private static let answerPatience = Duration.seconds(1)

  /// Queries the terminal. The answers arrive as events, or not at all.
  func askTerminal() {
    told.askedAt = input.now()
    screen.ask(.answers)
  }

  func apply(_ answer: TerminalAnswer, at now: FrameTime) {
    screen.apply(answer)
    if now.uptime <= told.askedAt + Self.answerPatience { _ = state.reduce(.answered(answer), at: now) }
  }

  /// Sets the terminal's modes, title and theme for the next frame. Sends only what has changed.
  func prepareTerminal(for state: BoardState, at now: FrameTime) {
    if told.reports != state.reports {
      told.reports = state.reports
      screen.report(state.reports)
    }
    let title = state.title(at: now)
    if told.title != title {
      told.title = title
      screen.ask(.title(title))
    }
    if told.theme != state.theme {
      mustRepaint = mustRepaint || told.theme != nil
      told.theme = state.theme
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
  var askedAt = Duration.zero
}
