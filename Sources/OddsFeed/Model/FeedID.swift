import Platform

/// The id of a record, exact: feed ids are decimal strings of up to 18 digits, above 2^53 (Records.md).
///
/// A plain decimal number of up to 18 digits is held as itself; any other text is interned, once per process.
public struct FeedID<Entity>: Hashable, Sendable {
  package let raw: UInt64

  package init(raw: UInt64) {
    self.raw = raw
  }

  /// An id by its text, or nil where it is empty, longer than 64 bytes, or there are too many ids that are no numbers.
  public init?(_ text: String) {
    var text = text
    guard let raw = text.withUTF8({ RawID.parse($0) }) else { return nil }
    self.raw = raw
  }
}

extension FeedID {
  public func hash(into hasher: inout Hasher) { hasher.combine(raw) }

  // NB: the hash of the number itself, as the standard library's integers do it: a third of the time of the hasher that
  // a struct gets, and ids are looked up for every price.
  public func _rawHashValue(seed: Int) -> Int { raw._rawHashValue(seed: seed) }
}

extension FeedID: CustomStringConvertible {
  public var description: String { RawID.text(raw) }
}

extension FeedID: Comparable {
  /// Numbers by value, then other ids by their text: the tie-break of every list.
  public static func < (left: FeedID, right: FeedID) -> Bool {
    RawID.precedes(left.raw, right.raw)
  }
}

extension FeedID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt32) {
    raw = UInt64(value)
  }
}

/// The untyped form of ids, as the decoder sees them.
package enum RawID {
  /// Set in the raw form of an id that is no plain decimal number.
  static let interned: UInt64 = 1 << 63

  /// No id: neither a number nor an interned text.
  package static let none = UInt64.max

  /// A longer text is no id.
  static let longestText = 64

  /// How many ids that are no numbers a process keeps; a feed beyond that is broken.
  static let internedLimit = 1 << 20

  private struct Names {
    var texts: [String] = []
    var places: [String: UInt64] = [:]
  }

  private static let names = Locked(Names())

  /// The raw form of an id's UTF-8 text, or nil where it is empty or too long, or the limit is reached.
  package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    if bytes.isEmpty || bytes.count > longestText { return nil }
    let isPlain = bytes.count <= 18 && (bytes[0] != UInt8(ascii: "0") || bytes.count == 1)
    var value: UInt64 = 0
    if isPlain {
      for byte in bytes {
        let digit = byte &- UInt8(ascii: "0")
        if digit > 9 { return intern(bytes) }
        value = value &* 10 &+ UInt64(digit)
      }
      return value
    }
    return intern(bytes)
  }

  /// Numbers by value, then other ids by their text, whichever came first.
  static func precedes(_ left: UInt64, _ right: UInt64) -> Bool {
    if left < interned || right < interned || left == none || right == none { return left < right }
    return text(left) < text(right)
  }

  static func text(_ raw: UInt64) -> String {
    raw & interned == 0 ? String(raw) : names.withLock { $0.texts[Int(raw ^ interned)] }
  }

  private static func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    let text = String(decoding: bytes, as: UTF8.self)
    return names.withLock { names in
      if let known = names.places[text] { return known }
      guard names.texts.count < internedLimit else { return nil }
      let raw = UInt64(names.texts.count) | interned
      names.texts.append(text)
      names.places[text] = raw
      return raw
    }
  }
}
