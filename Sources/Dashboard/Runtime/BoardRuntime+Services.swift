import TerminalCore

// The account and the machine besides feed and terminal.
extension BoardRuntime {
  /// The longest delay of a suspension, to close the account's connections.
  private static let suspendTimeout = Duration.milliseconds(500)

  /// Calls the account in a task of its own, so that no frame waits for the account's server.
  func callAccount(_ request: @escaping @Sendable (any AccountService) async -> Void) {
    guard let account else { return }
    Task { await request(account) }
  }

  /// Suspends the program after the account has closed its connections, or after `suspendTimeout`.
  func suspend() async {
    if let account {
      isSuspended = true
      isClosing = true
      Task {
        await account.suspend()
        isClosing = false
        input.wake()
      }
      let end = input.now() + Self.suspendTimeout
      while isClosing, input.now() < end { delayed += await input.wait(until: end) }
    }
    input.suspend()
  }

  func resume() {
    mustRepaint = true
    // The release of the terminal reset its modes and title, and the program may resume on another terminal.
    (sent.reports, sent.title) = ([], "")
    queryTerminal()
    if isSuspended { callAccount { await $0.resume() } }
    isSuspended = false
  }

  /// Stores the session for the next run if it differs from the one last stored.
  func saveSession() {
    guard let host else { return }
    let session = state.session
    if session == savedSession { return }
    savedSession = session
    host.save(session)
  }

  /// Writes the screen to a file, without the prompt that requested it. No frame waits for the disk.
  func write(to path: String) {
    guard let host else { return }
    let frame = view(state, at: frameTime(), glyphs: glyphs)
    Task {
      await send(.messageReceived(await host.write(frame, to: path)), at: frameTime())
      input.wake()
    }
  }
}
