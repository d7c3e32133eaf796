import AccountModel
import TerminalCore

// The account's side, and what happens to it while the program is stopped.
extension BoardRuntime {
  /// How long the program may take to be stopped.
  private static let suspendPatience = Duration.milliseconds(500)

  /// Takes in how the account does.
  func hear(at now: FrameTime) async {
    guard let status = account?.take() else { return }
    _ = await perform(state.reduce(.accountChanged(status), at: now))
  }

  /// No frame waits for the account's server.
  func tell(_ wish: @escaping @Sendable (any AccountService) async -> Void) {
    guard let account else { return }
    Task { await wish(account) }
  }

  /// Has the account put away what is open, within bounds, and stops the program.
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
    // The terminal was given back without them, and it may be another one now.
    (told.reports, told.title) = ([], "")
    askTerminal()
    if isSuspended { tell { await $0.resume() } }
    isSuspended = false
  }
}
