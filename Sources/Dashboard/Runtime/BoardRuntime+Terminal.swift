import TerminalCore

// What the terminal is asked besides showing frames, and what it answers.
extension BoardRuntime {
  /// A terminal that answers later than this is drawn on as if it had not: nobody likes colours that change while he
  /// reads.
  private static let answerPatience = Duration.seconds(1)

  /// The answers come as events, or never.
  func askTerminal() {
    told.askedAt = input.now()
    screen.ask(.answers)
  }

  func take(_ answer: TerminalAnswer, at now: FrameTime) {
    screen.take(answer)
    if now.uptime <= told.askedAt + Self.answerPatience { _ = state.reduce(.answered(answer), at: now) }
  }

  /// Has the terminal as the next frame wants it. Nothing is sent where nothing is other than before.
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

/// What the terminal has been told, so that it is told once.
struct TerminalOutputState {
  /// What to tell besides keys.
  var reports: InputModes = []
  /// What to have on its window.
  var title = ""
  /// What it is drawn on in.
  var theme: Theme?
  /// When it was asked what it is like.
  var askedAt = Duration.zero
}
