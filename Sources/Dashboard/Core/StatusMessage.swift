package import Localization

/// A message shown for a limited time in place of the key hints.
package struct StatusMessage: Hashable, Sendable {
  /// The time for which a message is shown.
  static let length = Duration.seconds(5)

  package let sentence: LocalizedMessage
  package let isWarning: Bool

  package init(_ sentence: LocalizedMessage, isWarning: Bool = false) {
    (self.sentence, self.isWarning) = (sentence, isWarning)
  }
}
