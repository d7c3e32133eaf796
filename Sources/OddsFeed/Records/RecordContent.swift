import OddsModel

/// The fields of a record that the store keeps, without its links to other records.
protocol RecordContent: Equatable, Sendable {
  /// Creates the content of a record with no fields sent.
  init()
  /// Sets one field; null resets it to its value when it is not sent. Reads texts from the batch and stores them in the
  /// table. Returns false if the value has a type that the field cannot have.
  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool
  /// True if a record with these fields can be stored.
  var isValid: Bool { get }
  /// Applies the fields that decide whether a price is bettable, from the content that a rejected record would lead to
  /// (StoreRules.md, rule 6). Its unreadable fields are reset. The default implementation does nothing.
  mutating func applyTradingState(of rejected: Self)
  /// Sets the fields that were sent on the record that the batch is building.
  func appendFields(to batch: inout FeedBatch, _ texts: TextTable)
}

extension RecordContent {
  var isValid: Bool { true }
  mutating func applyTradingState(of rejected: Self) {}
}

/// The value of a number that was not sent.
@usableFromInline var absentNumber: Int64 { .min }

extension FieldValue {
  @inline(__always)
  func assign(id target: inout UInt64) -> Bool {
    switch self {
    case .id(let id): target = id
    case .null: target = RawID.none
    default: return false
    }
    return true
  }

  @inline(__always)
  func assign(_ target: inout Int64) -> Bool {
    switch self {
    case .integer(let value), .fixed(let value): target = value
    case .null, .outOfRange: target = absentNumber
    default: return false
    }
    return true
  }

  /// Reads a flag that decides whether a price is bettable. An unreadable value becomes `unreadable`, the value that
  /// prevents betting. Always returns true.
  @inline(__always)
  func assign(_ target: inout Bool, absent: Bool, unreadable: Bool) -> Bool {
    target =
      switch self {
      case .flag(let flag): flag
      case .null: absent
      default: unreadable
      }
    return true
  }

  @inline(__always)
  func assign(_ target: inout Bool, absent: Bool) -> Bool {
    switch self {
    case .flag(let flag): target = flag
    case .null: target = absent
    default: return false
    }
    return true
  }

  func assign(_ target: inout TextID, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch self {
    case .text(let range): target = texts.id(batch.text(range))
    case .null: target = 0
    default: return false
    }
    return true
  }

  /// Reads the status of an offer. An unreadable status becomes 0, which is unknown. Always returns true.
  @inline(__always)
  func assign(offerStatus target: inout UInt8) -> Bool {
    if !assign(code: &target, absent: OfferStatus.standard.rawValue) { target = 0 }
    return true
  }

  /// Reads a code from 1 to 254. Any other integer becomes 0.
  @inline(__always)
  func assign(code target: inout UInt8, absent: UInt8) -> Bool {
    switch self {
    case .integer(let value): target = 1...254 ~= value ? UInt8(value) : 0
    case .null: target = absent
    default: return false
    }
    return true
  }
}
