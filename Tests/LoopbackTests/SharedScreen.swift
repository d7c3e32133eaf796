import Platform
import TerminalCore
import TestSupport
import Testing

/// A screen in memory, which a test can read and wait for while a board paints it.
final class SharedScreen: Screen, Sendable {
  private struct State {
    var frame: Frame
    var waiting: [CheckedContinuation<String?, Never>] = []
  }

  private let state: Locked<State>
  let glyphs = GlyphSet.unicode

  init(size: Size) { state = Locked(State(frame: Frame(size: size))) }

  var size: Size { state.withLock { $0.frame.size } }

  func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport {
    state.withLock { $0.frame.apply(damage, from: frame) }
    wakeAll()
    return PaintReport(bytes: 0)
  }

  func report(_ reports: InputModes) {}
  func ask(_ request: TerminalRequest) {}
  func use(_ theme: Theme) {}

  /// The text on the screen, row by row.
  var text: String { state.withLock { $0.frame.text } }

  /// Waits until the screen fulfils the condition. Returns its text. If that takes longer than the time limit of the
  /// test, the test fails with the text of the last screen.
  @discardableResult
  func waitUntil(sourceLocation: SourceLocation = #_sourceLocation, _ isShown: @Sendable (String) -> Bool) async
    -> String
  {
    while true {
      let text: String? = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let text = state.withLock { state -> String? in
            if Task.isCancelled || isShown(state.frame.text) { return state.frame.text }
            state.waiting.append(continuation)
            return nil
          }
          if let text { continuation.resume(returning: text) }
        }
      } onCancel: {
        wakeAll()
      }
      guard let text else { continue }
      if !isShown(text) { Issue.record("waited in vain, before\n\(text)", sourceLocation: sourceLocation) }
      return text
    }
  }

  private func wakeAll() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }
}
