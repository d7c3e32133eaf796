/// A language of the user interface. The raw value is its BCP 47 tag and the name of its file in `Resources`.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case french = "fr"
  case traditionalChinese = "zh-Hant"

  /// Creates the language of a tag (`fr-CA`) or a POSIX locale (`zh_TW.UTF-8`). Nil if it is not supported.
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

  /// Creates the language of `LC_ALL`, `LC_MESSAGES` or `LANG`. The first one that is set and not empty decides.
  /// English if its language is not supported, or if none is set.
  package init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    self = locale.flatMap(Language.init(tag:)) ?? .english
  }

  /// The code of the language in the feed's topics.
  package var feedCode: String { self == .traditionalChinese ? "zh" : rawValue }

  /// Returns the plural form for a count (CLDR cardinal categories, limited to the supported forms).
  func plural(_ count: Int) -> Plural {
    switch self {
    case .english: count == 1 ? .one : .other
    case .french: count.magnitude < 2 ? .one : .other
    case .traditionalChinese: .other
    }
  }

  package var plurals: [Plural] { self == .traditionalChinese ? [.other] : [.one, .other] }

  /// The separator between groups of three digits.
  package var groupSeparator: String { self == .french ? "\u{202F}" : "," }

  /// The decimal separator, an ASCII character.
  package var decimalSeparator: Character { self == .french ? "," : "." }
}

/// A plural form of a message.
package enum Plural: String, CaseIterable, Sendable {
  case one, other
}
