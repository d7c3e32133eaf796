/// The interval of a throttle in text form: `off`, `250ms`, `1s`. A number without a unit is in milliseconds.
package struct ThrottleInterval: CustomStringConvertible, Sendable {
  package let duration: Duration

  package init(duration: Duration) { self.duration = duration }

  /// Parses an interval. Returns nil if the text is invalid or exceeds one minute.
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
