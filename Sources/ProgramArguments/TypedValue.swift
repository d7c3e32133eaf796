package import ArgumentParser

/// An option's value with the text as it was typed, for messages about it.
package struct TypedValue<Value: ExpressibleByArgument>: ExpressibleByArgument {
  package let text: String
  /// Nil where the text is no such value.
  package let value: Value?

  package init(argument: String) { (text, value) = (argument, Value(argument: argument)) }

  package init(_ value: Value) { (text, self.value) = ("\(value)", value) }

  package var defaultValueDescription: String { text }
}

/// Why a number cannot be used.
package enum NumberMisfit: Error {
  /// The text is no number.
  case noNumber
  /// The number is outside the range.
  case outOfRange
}

extension TypedValue where Value: Comparable {
  /// The value, where it is in that range.
  package func checked(in range: ClosedRange<Value>) throws(NumberMisfit) -> Value {
    // A whole number may be too large for its type.
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isWhole = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
    guard let value else { throw isWhole ? .outOfRange : .noNumber }
    // NB: no number is equal to itself but NaN.
    guard value == value else { throw .noNumber }
    guard range.contains(value) else { throw .outOfRange }
    return value
  }
}

extension TypedValue: Sendable where Value: Sendable {}
