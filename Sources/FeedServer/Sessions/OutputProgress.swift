import NIOCore

/// The progress of a client in taking its output, while its socket accepts no more.
///
/// NB: The socket accepts more only after most of a dump is taken, which can need longer than `ServerLimits.silence`.
struct OutputProgress {
  /// The time of the last change of the socket's writability, or later if the server was late.
  private(set) var lastChange: NIODeadline
  private var lastProgress: NIODeadline
  /// The number of bytes that waited for the socket at the last progress.
  private var pending = 0

  init(now: NIODeadline) {
    lastChange = now
    lastProgress = now
  }

  /// Notes that the socket accepts more output, or not any more.
  mutating func writabilityChanged(pending: Int, now: NIODeadline) {
    lastChange = now
    lastProgress = now
    self.pending = pending
  }

  /// Notes that the server was late by that time, which is not the client's delay.
  mutating func delay(by late: TimeAmount, now: NIODeadline) {
    lastChange = min(lastChange + late, now)
    lastProgress = min(lastProgress + late, now)
  }

  /// Notes the number of bytes that wait for the socket. Returns true if the client has taken enough since the last
  /// progress.
  mutating func update(pending: Int, now: NIODeadline, limits: ServerLimits) -> Bool {
    guard self.pending - pending >= limits.progressBytes else {
      // A dump can follow what made the socket accept no more.
      self.pending = max(self.pending, pending)
      return false
    }
    self.pending = pending
    lastProgress = now
    return true
  }

  /// True if the client of a socket that accepts no more does not read, or too slowly.
  func isStuck(now: NIODeadline, limits: ServerLimits) -> Bool {
    now - lastProgress >= limits.silence || now - lastChange >= limits.blockedTime
  }
}
