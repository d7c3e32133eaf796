/// Up to eight ASCII characters in a machine word. Formats numbers for the screen without allocating a string.
package struct ShortText: Hashable, Sendable {
  private var low: UInt64 = 0
  /// The number of characters.
  package private(set) var count = 0

  package init() {}

  /// The character at an index from the left. The last character is in the lowest byte.
  package subscript(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: low >> UInt64((count - 1 - index) * 8)) }

  /// Inserts a character at the front. A ninth character is dropped.
  package mutating func push(_ character: UInt8) {
    guard count < 8 else { return }
    low |= UInt64(character) << UInt64(count * 8)
    count += 1
  }

  /// Inserts the digits of a non-negative number at the front, with leading zeros up to `minDigits`.
  package mutating func push(number: Int64, minDigits: Int = 1) {
    var rest = number
    var digits = 0
    while rest > 0 || digits < minDigits {
      push(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      digits += 1
    }
  }

  /// Returns the text with fewer decimals, so that it has at most `limit` characters; nil if it is longer without any.
  package func shortened(to limit: Int, point: UInt8) -> ShortText? {
    guard count > limit else { return self }
    guard let end = (0..<count).first(where: { self[$0] == point }), end <= limit, end > 0,
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[count - 1]
    else { return nil }
    var text = ShortText()
    for index in (0..<(limit > end + 1 ? limit : end)).reversed() { text.push(self[index]) }
    return text
  }

  /// Returns the number of characters from the first changed one to the end; all if the length differs.
  package func changedCharacters(since old: ShortText) -> Int {
    guard count == old.count else { return count }
    let different = low ^ old.low
    return different == 0 ? 0 : 8 - different.leadingZeroBitCount / 8
  }
}

extension ShortText: CustomStringConvertible {
  package var description: String { String(decoding: (0..<count).map { self[$0] }, as: UTF8.self) }
}
