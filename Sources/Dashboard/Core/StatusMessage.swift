package import Localization

/// Something that is said once, in place of the key hints, and goes by itself.
package struct StatusMessage: Hashable, Sendable {
  /// How long it stands.
  static let length = Duration.seconds(5)

  package let sentence: LocalizedMessage
  package let isWarning: Bool

  package init(_ sentence: LocalizedMessage, isWarning: Bool = false) {
    (self.sentence, self.isWarning) = (sentence, isWarning)
  }
}
