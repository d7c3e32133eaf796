import TerminalCore

// The machine besides feed and terminal.
extension BoardRuntime {
  /// Applies changes of the configuration.
  func hearNews(at now: FrameTime) async {
    guard let host else { return }
    for news in host.drain() { _ = await perform(state.reduce(news, at: now)) }
  }

  /// Stores the session for the next run if it differs from the one last stored.
  func keepSession() {
    guard let host else { return }
    let session = state.session
    if session == kept { return }
    kept = session
    host.keep(session)
  }

  /// Writes the screen to a file, without the prompt that requested it. No frame waits for the disk.
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
