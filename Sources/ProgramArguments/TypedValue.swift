package import ArgumentParser

/// The value of an option with its original text, for error messages.
package struct TypedValue<Value: ExpressibleByArgument>: ExpressibleByArgument {
  package let text: String
  /// The parsed value. Nil if the text is not valid.
  package let value: Value?

  package init(argument: String) {
    text = argument
    value = Value(argument: argument)
  }

  package init(_ value: Value) {
    text = "\(value)"
    self.value = value
  }

  package var defaultValueDescription: String { text }
}

/// The reason why a number is rejected. The raw value is its English description.
package enum NumberMisfit: String, Error {
  case noNumber = "is not a number"
  case noWholeNumber = "is not a whole number"
  case outOfRange = "is out of range"
}

extension TypedValue where Value: Comparable {
  /// Returns the value if it is in the range.
  ///
  /// - Throws: `NumberMisfit` if the text is not a number or the number is out of range.
  package func checked(in range: ClosedRange<Value>) throws(NumberMisfit) -> Value {
    // A whole number that is too large for its type is out of range, not malformed.
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isWhole = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
    let noNumber = Value.self is any BinaryFloatingPoint.Type ? NumberMisfit.noNumber : .noWholeNumber
    guard let value else { throw isWhole ? .outOfRange : noNumber }
    // NB: rejects NaN, which is not equal to itself.
    guard value == value else { throw noNumber }
    guard range.contains(value) else { throw .outOfRange }
    return value
  }
}

extension TypedValue: Sendable where Value: Sendable {}
