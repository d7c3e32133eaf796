package import Localization

/// Why a text is no filter, no command or no alert.
package struct FilterError: LocalizedMessageError, Hashable {
  /// Where in the text, in characters from its start.
  package let position: Int
  package let sentence: LocalizedMessage

  package init(at position: Int, _ sentence: LocalizedMessage) {
    (self.position, self.sentence) = (position, sentence)
  }
}
