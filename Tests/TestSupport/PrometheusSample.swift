/// A sample in the text format of Prometheus.
package struct PrometheusSample: Hashable {
  package let name: String
  package let labels: [String: String]
  package let value: Double

  package init(_ name: String, _ labels: [String: String] = [:], _ value: Double) {
    (self.name, self.labels, self.value) = (name, labels, value)
  }

  /// Returns the samples of a text, in its order. Stops the tests if the text is not in the format.
  package static func parse(_ text: String) -> [PrometheusSample] {
    precondition(text.isEmpty || text.utf8.last == UInt8(ascii: "\n"), "the last line does not end")
    return text.unicodeScalars.split(separator: "\n").filter { $0.first != "#" }.map { line in
      var rest = line[...]
      let name = String(take(from: &rest) { $0 != "{" && $0 != " " })
      var labels: [String: String] = [:]
      if rest.first == "{" {
        repeat {
          rest.removeFirst()
          let label = String(take(from: &rest) { $0 != "=" })
          rest.removeFirst()
          precondition(labels.updateValue(value(from: &rest), forKey: label) == nil, "twice the label '\(label)'")
        } while rest.first == ","
        precondition(rest.removeFirst() == "}", "no end of the labels in '\(line)'")
      }
      precondition(rest.removeFirst() == " ", "no value in '\(line)'")
      return PrometheusSample(name, labels, Double(String(rest))!)
    }
  }

  /// Returns the sum of the samples of a metric over its labels.
  package static func total(of name: String, in text: String) -> Double {
    parse(text).reduce(0) { $0 + ($1.name == name ? $1.value : 0) }
  }

  private static func take(
    from rest: inout Substring.UnicodeScalarView, while isPart: (Unicode.Scalar) -> Bool
  ) -> Substring.UnicodeScalarView {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return part
  }

  /// Reads a value in quotes.
  private static func value(from rest: inout Substring.UnicodeScalarView) -> String {
    precondition(rest.removeFirst() == "\"", "a label's value is not in quotes")
    var value = String.UnicodeScalarView()
    while true {
      switch rest.removeFirst() {
      case "\"": return String(value)
      case "\\":
        let escaped = rest.removeFirst()
        precondition(["\\", "\"", "n"].contains(escaped), "'\(escaped)' is escaped")
        value.append(escaped == "n" ? "\n" : escaped)
      case let scalar: value.append(scalar)
      }
    }
  }
}
