import TerminalCore

// What the board has of the machine besides feed and terminal.
extension BoardRuntime {
  /// Takes in what the configuration says now.
  func hearNews(at now: FrameTime) async {
    guard let host else { return }
    for news in host.take() { _ = await perform(state.reduce(news, at: now)) }
  }

  /// Keeps the board for the next run, where it is another than what was kept last.
  func keepSession() {
    guard let host else { return }
    let session = state.session
    if session == kept { return }
    kept = session
    host.keep(session)
  }

  /// Writes the screen as it is without what has asked for that. No frame waits for the disk.
  func write(to path: String) {
    guard let host else { return }
    let frame = view(state, at: moment(), glyphs: glyphs)
    Task {
      let note = await host.write(frame, to: path)
      _ = state.reduce(.told(note), at: moment())
      input.wake()
    }
  }
}
