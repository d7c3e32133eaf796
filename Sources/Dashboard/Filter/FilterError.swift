package import Localization

/// An error in a filter, a command or an alert rule.
package struct FilterError: LocalizedMessageError, Hashable {
  /// The position of the error, in characters from the start of the text.
  package let position: Int
  package let sentence: LocalizedMessage

  package init(at position: Int, _ sentence: LocalizedMessage) {
    (self.position, self.sentence) = (position, sentence)
  }
}
