/// What somebody wants to be told of, as a line of text.
package struct AlertRule: Hashable, Sendable {
  /// As it is written.
  package let text: String

  /// The rule that a text says.
  package init(_ text: String) throws(QueryError) {
    self.text = text
  }
}
