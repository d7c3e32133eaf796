import Localization
import TerminalCore

/// The time since a price changed, in steps coarse enough that a quiet board needs few redraws.
struct Age: Hashable {
  /// The age at which this step began, in seconds.
  private let seconds: Int

  /// Returns nil below the first step: 15 seconds, or 1 second if `finely` is true. The steps of the first minute have
  /// that length too.
  init?(_ time: Duration, finely: Bool = false) {
    let age = Int(time.components.seconds)
    let length = Self.length(at: age, finely: finely)
    guard age >= length else { return nil }
    seconds = age / length * length
  }

  /// True if the text counts seconds.
  var isUnderMinute: Bool { seconds < 60 }

  /// Returns the step's text, at most four cells wide: the number of days is limited to what fits.
  func text(_ words: Catalog) -> String {
    switch seconds {
    case ..<60: return words(.ageSeconds, seconds)
    case ..<3600: return words(.ageMinutes, seconds / 60)
    case ..<86400: return words(.ageHours, seconds / 3600)
    default:
      let text = words(.ageDays, min(seconds / 86400, 999))
      return text.cellWidth > 4 ? words(.ageDays, min(seconds / 86400, 99)) : text
    }
  }

  /// Returns the age at which a step ends and the next begins.
  static func end(of age: Age?, finely: Bool = false) -> Duration {
    let start = age?.seconds ?? 0
    return .seconds(start + length(at: start, finely: finely))
  }

  private static func length(at age: Int, finely: Bool) -> Int {
    switch age {
    case ..<60: finely ? 1 : 15
    case ..<3600: 60
    case ..<86400: 3600
    default: 86400
    }
  }
}
