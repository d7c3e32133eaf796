import Dispatch

/// A gate that blocks threads until it is opened.
final class DispatchGate: Sendable {
  private let group = DispatchGroup()

  init() { group.enter() }

  func wait() { group.wait() }
  func open() { group.leave() }
}
