package import Wording

/// Something that is said once, in place of the key hints, and goes by itself.
package struct BoardNote: Hashable, Sendable {
  /// How long it stands.
  static let length = Duration.seconds(5)

  package let sentence: Sentence
  package let isWarning: Bool

  package init(_ sentence: Sentence, isWarning: Bool = false) {
    (self.sentence, self.isWarning) = (sentence, isWarning)
  }
}
