package import FoundationCore
import OddsModel

/// An id on the wire: a string, or a whole number.
package struct WireID: Decodable {
  package let text: String

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let text = (try? value.decode(String.self)) ?? (try? value.decode(UInt64.self)).map({ "\($0)" }),
      !text.isEmpty
    else { throw DecodingError.dataCorruptedError(in: value, debugDescription: "no id") }
    self.text = text
  }
}

/// A number, possibly in quotes, with exactly the digits that were sent.
package struct WireNumber: Decodable {
  package let value: Decimal

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let number =
      if let text = try? container.decode(String.self) {
        // NB: `Decimal(string:)` accepts any text that begins with a number.
        try? JSONDecoder().decode(Decimal.self, from: Data(text.utf8))
      } else {
        try? container.decode(Decimal.self)
      }
    guard let number, number.isFinite else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
    }
    value = number
  }

  /// The value as an integer. Nil if it has a fraction or does not fit.
  package var integer: Int64? { Int64("\(value)") }
}

extension KeyedDecodingContainer {
  /// Returns true if the field exists and is not null.
  func has(_ key: Key) -> Bool { contains(key) && (try? decodeNil(forKey: key)) == false }

  /// Returns a currency code, such as EUR or USDT. Longer codes are invalid and not allowed in a header.
  func currency(_ key: Key) throws -> String {
    let code = try decode(String.self, forKey: key)
    guard 1...8 ~= code.utf8.count, code.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw fault(key) }
    return code
  }

  /// Returns an integer. Nil if the field is missing or null.
  func integer(_ key: Key) throws -> Int64? {
    guard let number = try decodeIfPresent(WireNumber.self, forKey: key) else { return nil }
    guard let integer = number.integer else { throw fault(key) }
    return integer
  }

  /// Returns a time in ISO 8601 or milliseconds since 1970, as milliseconds since 1970.
  ///
  /// NB: nil if the value is neither, or is outside `ISOTime.range`. The end of a session must be reported even if its
  /// times are invalid.
  func time(_ key: Key) -> Int64? {
    let time =
      if let number = try? decode(WireNumber.self, forKey: key) {
        number.integer
      } else {
        (try? decode(String.self, forKey: key)).flatMap(ISOTime.milliseconds)
      }
    return time.flatMap { ISOTime.range.contains($0) ? $0 : nil }
  }

  /// Returns a required time, in milliseconds since 1970.
  ///
  /// - Throws: `DecodingError` if `time(_:)` is nil.
  package func knownTime(_ key: Key) throws -> Int64 {
    guard let time = time(key) else { throw fault(key) }
    return time
  }

  func fault(_ key: Key) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: "not what it should be")
  }
}

extension ISOTime {
  /// The valid times, in milliseconds since 1970: up to the end of the year 9999.
  static let range: ClosedRange<Int64> = 0...253_402_300_799_999
}
