/// The address in use of a feed that has several.
package struct CurrentAddress: Hashable, Sendable {
  /// The name in the header, such as a host.
  package let name: String
  package let url: String

  package init(name: String, url: String) {
    self.name = name
    self.url = url
  }
}
