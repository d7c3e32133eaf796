/// A throttle's interval as it is written: `off`, `250ms`, `1s`; a bare number is milliseconds.
package struct ThrottleInterval: CustomStringConvertible, Sendable {
  package let duration: Duration

  package init(duration: Duration) { self.duration = duration }

  /// Nil where the text is none, or one of more than a minute.
  package init?(argument: String) {
    let text = argument.lowercased()
    if text == "off" {
      duration = .zero
      return
    }
    let (digits, unit) =
      text.hasSuffix("ms") ? (text.dropLast(2), 1) : text.hasSuffix("s") ? (text.dropLast(), 1000) : (text[...], 1)
    guard let count = Int(digits), count >= 0, count <= 60_000 / unit else { return nil }
    duration = .milliseconds(count * unit)
  }

  package var description: String { duration == .zero ? "off" : "\(Int(duration / .milliseconds(1)))ms" }
}
