package import Wording

/// Why a text is no filter, no command or no alert.
package struct QueryError: TellableError, Hashable {
  /// Where in the text, in characters from its start.
  package let position: Int
  package let sentence: Sentence

  package init(at position: Int, _ sentence: Sentence) {
    (self.position, self.sentence) = (position, sentence)
  }
}
