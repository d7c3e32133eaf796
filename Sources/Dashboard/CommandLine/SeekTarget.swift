import OddsModel

/// The target of a jump in a recording, as it is typed.
enum SeekTarget: Hashable {
  /// A position, from the beginning of the recording.
  case to(Duration)
  /// A step from the current position; back if negative.
  case by(Duration)

  static let examples = ["12:30", "1:12:30", "5m", "+5m", "-90s", "50%"]

  private static let units: Set<Quantity.Unit> = [.seconds, .minutes, .hours]

  /// Parses `12:30`, `1:12:30`, `5m` or `50%`, and a step such as `+5m` or `-1:30`. Nil if the text is none of them.
  /// A percentage is of `duration`, the length of the recording.
  init?(_ text: String, duration: Duration) {
    if text.last == "%" {
      guard let percent = Quantity.number(text.dropLast()), 0...100 * DecimalOdds.unitsPerOne ~= percent else {
        return nil
      }
      // NB: In whole numbers, so that 100 % is exactly the end.
      self = .to(duration * percent / (100 * DecimalOdds.unitsPerOne))
    } else if let sign = text.first, sign == "+" || sign == "-" {
      guard let step = Self.time(String(text.dropFirst())) else { return nil }
      self = .by(sign == "-" ? .zero - step : step)
    } else {
      guard let position = Self.time(text) else { return nil }
      self = .to(position)
    }
  }

  /// Parses minutes and seconds, hours, minutes and seconds, or a number with a unit.
  private static func time(_ text: String) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 1 {
      guard text.first != "-", let time = Quantity.duration(text, units: units) else { return nil }
      return .nanoseconds(100) * time
    }
    guard 2...3 ~= parts.count, parts.allSatisfy({ 1...4 ~= $0.utf8.count && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    return .seconds(numbers.reduce(0) { $0 * 60 + $1 })
  }
}
