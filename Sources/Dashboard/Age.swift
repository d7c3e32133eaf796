/// How long ago a price changed, in steps coarse enough that a quiet board stays still.
struct Age: Hashable {
  /// The age at which this step began, in seconds.
  private let seconds: Int

  /// Nil below fifteen seconds: the change is news.
  init?(_ time: Duration) {
    let age = Int(time.components.seconds)
    guard age >= 15 else { return nil }
    seconds = age / Self.length(at: age) * Self.length(at: age)
  }

  /// The step's text, four characters at most.
  var text: String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86400: "\(seconds / 3600)h"
    default: "\(min(seconds / 86400, 999))d"
    }
  }

  /// How old a change is when its step ends and the next begins.
  static func end(of age: Age?) -> Duration {
    .seconds(age.map { $0.seconds + length(at: $0.seconds) } ?? 15)
  }

  private static func length(at age: Int) -> Int {
    switch age {
    case ..<60: 15
    case ..<3600: 60
    case ..<86400: 3600
    default: 86400
    }
  }
}
