import Platform

/// The exact id of a record. Feed ids are mostly decimal strings of up to 18 digits and can exceed 2^53.
///
/// A decimal number of up to 18 digits without leading zeros is stored as its value. Any other text is interned: the
/// process stores it once, and the id refers to it.
public struct FeedID<Entity>: Hashable, Sendable {
  /// The id in its stored form.
  ///
  /// NB: The keys of hot tables are raw ids. The standard library hashes an integer in one step, and a struct with a
  /// whole `Hasher`, which takes three times as long.
  @usableFromInline package let raw: UInt64

  @inlinable package init(raw: UInt64) {
    self.raw = raw
  }

  /// Creates an id from its text.
  ///
  /// Returns nil if the text is empty or longer than 64 bytes, or if it needs to be interned and the process already
  /// has the maximum number of interned ids.
  public init?(_ text: String) {
    var text = text
    guard let raw = text.withUTF8({ RawID.parse($0) }) else { return nil }
    self.raw = raw
  }
}

extension FeedID {
  @inlinable public static func == (left: FeedID, right: FeedID) -> Bool { left.raw == right.raw }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(raw) }
}

extension FeedID: CustomStringConvertible {
  /// The text of the id.
  public var description: String { RawID.text(raw) }
}

extension FeedID: Comparable {
  /// Orders numeric ids by value, then all other ids by text. Lists use this order to break ties.
  public static func < (left: FeedID, right: FeedID) -> Bool { RawID.precedes(left.raw, right.raw) }
}

extension FeedID: ExpressibleByIntegerLiteral {
  /// Creates an id whose text is the decimal number.
  public init(integerLiteral value: UInt32) { raw = UInt64(value) }
}

/// The untyped form of ids, as the decoder reads them.
public enum RawID {
  /// The bit that is set in the raw form of an interned id.
  package static let interned: UInt64 = 1 << 63

  /// The absence of an id: neither a number nor an interned text.
  @inlinable public static var none: UInt64 { .max }

  /// The maximum length of an id's text, in bytes. A longer text is not an id.
  static let longestText = 64

  /// The maximum number of interned ids in a process. A feed that needs more is broken.
  static let internedLimit = 1 << 20

  private struct Names {
    var texts: [String] = []
    var ids: [String: UInt64] = [:]
  }

  private static let names = Locked(Names())

  /// Returns the raw form of an id's UTF-8 text; nil if it is empty or too long or the limit of ids is reached.
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

  /// Returns true if the left id comes first: numbers by value, then interned ids by text.
  package static func precedes(_ left: UInt64, _ right: UInt64) -> Bool {
    if left < interned || right < interned || left == none || right == none { return left < right }
    return text(left) < text(right)
  }

  package static func text(_ raw: UInt64) -> String {
    raw & interned == 0 ? String(raw) : names.withLock { $0.texts[Int(raw ^ interned)] }
  }

  private static func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    let text = String(decoding: bytes, as: UTF8.self)
    return names.withLock { names in
      if let known = names.ids[text] { return known }
      guard names.texts.count < internedLimit else { return nil }
      let raw = UInt64(names.texts.count) | interned
      names.texts.append(text)
      names.ids[text] = raw
      return raw
    }
  }
}
