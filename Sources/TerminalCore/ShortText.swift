/// Up to eight ASCII characters in a machine word: numbers on their way to the screen, without a string between.
package struct ShortText: Hashable, Sendable {
  private var low: UInt64 = 0
  /// How many characters there are.
  package private(set) var count = 0

  /// No characters.
  package init() {}

  /// A character, counted from the left; the last one lies lowest.
  package subscript(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: low >> UInt64((count - 1 - place) * 8)) }

  /// Puts a character before those that are there. A ninth is left out.
  package mutating func push(_ character: UInt8) {
    guard count < 8 else { return }
    low |= UInt64(character) << UInt64(count * 8)
    count += 1
  }

  /// Puts a number's digits before what is there.
  package mutating func push(number: Int64, leastDigits: Int = 1) {
    var rest = number
    var digits = 0
    while rest > 0 || digits < leastDigits {
      push(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      digits += 1
    }
  }

  /// How many characters at the end are not as they were; all where the length differs.
  package func changedCharacters(since old: ShortText) -> Int {
    guard count == old.count else { return count }
    let different = low ^ old.low
    return different == 0 ? 0 : 8 - different.leadingZeroBitCount / 8
  }
}

extension ShortText: CustomStringConvertible {
  package var description: String {
    String(decoding: (0..<count).map { self[$0] }, as: UTF8.self)
  }
}
