/// A language that the program speaks. The raw value is its BCP 47 tag, and the name of its file in `Resources`.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case french = "fr"
  case traditionalChinese = "zh-Hant"

  /// The language of a tag (`fr-CA`, `zh-Hant`) or of a POSIX locale (`zh_TW.UTF-8`); nil where it is none of ours.
  package init?(tag: String) {
    let name = tag.prefix { $0 != "." && $0 != "@" }
    let parts = name.split { $0 == "_" || $0 == "-" }.map { $0.lowercased() }
    switch parts.first {
    case "en": self = .english
    case "fr": self = .french
    case "zh" where !parts.contains("hans") && !Set(parts).isDisjoint(with: ["hant", "tw", "hk", "mo"]):
      self = .traditionalChinese
    default: return nil
    }
  }

  /// The language of the environment's `LC_ALL`, else `LC_MESSAGES`, else `LANG`: the first that is set decides, and where
  /// it names none of ours it is English.
  package init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    self = locale.flatMap(Language.init(tag:)) ?? .english
  }

  /// What feeds call it in their topics.
  package var feedCode: String { self == .traditionalChinese ? "zh" : rawValue }

  /// Which form a phrase takes with a count (CLDR's cardinal categories, as far as we count).
  func plural(_ count: Int) -> Plural {
    switch self {
    case .english: count == 1 ? .one : .other
    case .french: count.magnitude < 2 ? .one : .other
    case .traditionalChinese: .other
    }
  }

  /// The forms that the language tells apart.
  package var plurals: [Plural] { self == .traditionalChinese ? [.other] : [.one, .other] }

  /// Between groups of three digits.
  package var groupSeparator: String { self == .french ? "\u{202F}" : "," }

  /// Before the decimals; ASCII.
  package var decimalSeparator: Character { self == .french ? "," : "." }
}

/// A form that a phrase takes with a count.
package enum Plural: String, CaseIterable, Sendable {
  case one, other
}
