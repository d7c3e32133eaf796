/// The fields of a record that we keep, without its links.
protocol RecordContent: Equatable, Sendable {
  /// A record of which nothing has been sent.
  init()
  /// Takes one field; null gives it back what it is when it is not sent. False where the value has a kind that the field
  /// cannot have. Texts lie in the batch and are kept in the table.
  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool
  /// False where a record with these fields cannot stand.
  var isValid: Bool { get }
}

extension RecordContent {
  var isValid: Bool { true }
}

/// A number that was not sent.
let absentNumber = Int64.min

extension WireValue {
  @inline(__always)
  func take(id target: inout UInt64) -> Bool {
    switch self {
    case .id(let id): target = id
    case .null: target = RawID.none
    default: return false
    }
    return true
  }

  @inline(__always)
  func take(_ target: inout Int64) -> Bool {
    switch self {
    case .integer(let value), .fixed(let value): target = value
    case .null, .outOfRange: target = absentNumber
    default: return false
    }
    return true
  }

  /// A flag that decides if a price can be bet on: one that cannot be read takes the value that forbids it.
  @inline(__always)
  func take(_ target: inout Bool, absent: Bool, unreadable: Bool) -> Bool {
    target =
      switch self {
      case .flag(let flag): flag
      case .null: absent
      default: unreadable
      }
    return true
  }

  @inline(__always)
  func take(_ target: inout Bool, absent: Bool) -> Bool {
    switch self {
    case .flag(let flag): target = flag
    case .null: target = absent
    default: return false
    }
    return true
  }

  func take(_ target: inout TextID, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch self {
    case .text(let range): target = texts.id(batch.text(range))
    case .null: target = 0
    default: return false
    }
    return true
  }

  /// The status of an offer; 0, which is unknown, where it cannot be read.
  @inline(__always)
  func take(offerStatus target: inout UInt8) -> Bool {
    if !take(code: &target, absent: UInt8(OfferStatus.standard.rawValue)) { target = 0 }
    return true
  }

  /// A code of 1 to 254; 0 for any other.
  @inline(__always)
  func take(code target: inout UInt8, absent: UInt8) -> Bool {
    switch self {
    case .integer(let value): target = 1...254 ~= value ? UInt8(value) : 0
    case .null: target = absent
    default: return false
    }
    return true
  }
}
