import AccountModel
import TerminalCore

// The account, and its connections while the program is suspended.
extension BoardRuntime {
  /// The longest delay of a suspension, to close the account's connections.
  private static let suspendPatience = Duration.milliseconds(500)

  /// Applies the account's status if it has changed.
  func hear(at now: FrameTime) async {
    guard let status = account?.drain() else { return }
    _ = await perform(state.reduce(.accountChanged(status), at: now))
  }

  /// Calls the account in a task of its own, so that no frame waits for the account's server.
  func tell(_ wish: @escaping @Sendable (any AccountService) async -> Void) {
    guard let account else { return }
    Task { await wish(account) }
  }

  /// Suspends the program after the account has closed its connections, or after `suspendPatience`.
  func suspend() async {
    if let account {
      isSuspended = true
      isClosing = true
      Task {
        await account.suspend()
        isClosing = false
        input.wake()
      }
      let end = input.now() + Self.suspendPatience
      while isClosing, input.now() < end { delayed += await input.wait(until: end) }
    }
    input.suspend()
  }

  func resume() {
    mustRepaint = true
    // The release of the terminal reset its modes and title, and the program may resume on another terminal.
    (told.reports, told.title) = ([], "")
    askTerminal()
    if isSuspended { tell { await $0.resume() } }
    isSuspended = false
  }
}
