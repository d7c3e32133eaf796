/// Which colours and attributes a style has.
package struct Theme: Hashable, Sendable {
  /// What it is called in the configuration.
  package let name: String

  package init(name: String) { self.name = name }

  package static let dark = Theme(name: "dark")
}
