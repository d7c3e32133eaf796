/// A sample in the text format of Prometheus.
package struct PrometheusSample: Hashable {
  /// The text is not in the format.
  package struct FormatError: Error {
    let message: String
  }

  package let name: String
  package let labels: [String: String]
  package let value: Double

  package init(_ name: String, _ labels: [String: String] = [:], _ value: Double) {
    self.name = name
    self.labels = labels
    self.value = value
  }

  /// Returns the samples of a text, in its order.
  ///
  /// - Throws: `FormatError`.
  package static func parse(_ text: String) throws -> [PrometheusSample] {
    try check(text.isEmpty || text.utf8.last == UInt8(ascii: "\n"), "the last line does not end")
    return try text.unicodeScalars.split(separator: "\n").filter { $0.first != "#" }.map { line in
      var rest = line[...]
      let name = String(readPrefix(of: &rest) { $0 != "{" && $0 != " " })
      var labels: [String: String] = [:]
      if rest.first == "{" {
        repeat {
          rest = rest.dropFirst()
          let label = String(readPrefix(of: &rest) { $0 != "=" })
          try check(rest.popFirst() == "=", "the label '\(label)' has no value")
          try check(
            labels.updateValue(try value(from: &rest), forKey: label) == nil, "the label '\(label)' is there twice")
        } while rest.first == ","
        try check(rest.popFirst() == "}", "no end of the labels in '\(line)'")
      }
      try check(rest.popFirst() == " ", "no value in '\(line)'")
      guard let value = Double(String(rest)) else { throw FormatError(message: "no number in '\(line)'") }
      return PrometheusSample(name, labels, value)
    }
  }

  /// Returns the sum of the samples of a metric over its labels. The text must be in the format.
  package static func total(of name: String, in text: String) -> Double {
    try! parse(text).reduce(0) { $0 + ($1.name == name ? $1.value : 0) }
  }

  private static func check(_ isRight: Bool, _ message: String) throws {
    if !isRight { throw FormatError(message: message) }
  }

  private static func readPrefix(
    of rest: inout Substring.UnicodeScalarView, while isPart: (Unicode.Scalar) -> Bool
  ) -> Substring.UnicodeScalarView {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return part
  }

  /// Reads a value in quotes.
  private static func value(from rest: inout Substring.UnicodeScalarView) throws -> String {
    try check(rest.popFirst() == "\"", "a label's value is not in quotes")
    var value = String.UnicodeScalarView()
    while true {
      switch rest.popFirst() {
      case nil: throw FormatError(message: "a label's value does not end")
      case "\"": return String(value)
      case "\\":
        let escaped = rest.popFirst()
        guard let escaped, ["\\", "\"", "n"].contains(escaped) else { throw FormatError(message: "a wrong escape") }
        value.append(escaped == "n" ? "\n" : escaped)
      case let scalar?: value.append(scalar)
      }
    }
  }
}
