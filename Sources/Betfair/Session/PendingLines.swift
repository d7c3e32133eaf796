/// The lines of a topic that wait for the names of its first image, so that a reader does not see ids before names.
struct PendingLines {
  /// The largest size of the lines in bytes.
  static let maxSize = 32 << 20

  /// True until the first release.
  private(set) var isWaiting = true
  /// The time at which the lines are released without names; nil before the end of the image.
  private(set) var deadline: Duration?
  private var lines: [[UInt8]] = []
  private var names: [[UInt8]] = []
  private var size = 0

  /// True if the lines must be released because there are too many.
  var isFull: Bool { size > Self.maxSize }

  mutating func append(_ line: [UInt8]) {
    lines.append(line)
    size += line.count
  }

  /// Adds a message with names.
  mutating func append(names message: [UInt8]) { names.append(message) }

  /// Records that the lines are released at `deadline` at the latest.
  mutating func wait(until deadline: Duration) { self.deadline = deadline }

  /// Returns the messages in the order in which to deliver them. After the last release, nothing is pending.
  ///
  /// Names come before the image, and again after it: a player that begins at the image of a recording needs them
  /// there.
  mutating func release(isLast: Bool) -> [[UInt8]] {
    let messages = lines.isEmpty ? names : names + lines + names
    self = PendingLines()
    isWaiting = !isLast
    return messages
  }
}
