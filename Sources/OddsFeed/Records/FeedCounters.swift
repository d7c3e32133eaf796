/// Counts of the data that a channel has received since it began.
public struct FeedCounters: Hashable, Sendable {
  /// Messages applied.
  public var messages = 0
  /// The dumps among `messages`.
  public var dumps = 0
  /// Records by type. A pending UPDATE or DELETE counts again when it is applied.
  public var kinds = RecordCounts()
  /// Records applied, of all types that the store uses.
  public var applied = 0
  /// Records of unused types, and records with an unknown changeType.
  public var ignored = 0
  /// Applied offer UPDATEs that had odds.
  public var oddsUpdates = 0
  /// Records that became pending: children without their parent, and UPDATEs and DELETEs without their record.
  public var held = 0
  /// The records that are pending now.
  public var waiting = 0
  /// Records dropped while they waited for another record or for a dump: too old, too many, or older than the CREATE
  /// that they waited for.
  public var expired = 0
  /// Rejected records: no id, no changeType or entity, not an object, a value of the wrong type, odds below 1 or above
  /// the limit.
  public var rejected = 0
  /// The rejected records with odds above 10,000,000.
  public var oddsAboveLimit = 0
  /// Unreadable values, such as a `statusId`, `isAvailable` or `isClosed` of the wrong type. Prices with one are not
  /// bettable.
  public var unreadableStatuses = 0
  /// Times before 1970 or after the year 9999. The store treats each as missing.
  public var timesOutOfRange = 0
  /// CREATEs of an existing id, outside dumps.
  public var duplicateCreates = 0
  /// Texts that were not JSON.
  public var unparsable = 0
  /// The unparsable texts that were nested deeper than 64 levels.
  public var nestedTooDeep = 0
  /// Messages with an unknown `messageType`.
  public var unknownMessages = 0
  /// Messages rejected because their `records` is not an array of objects, or because they are a dump without records.
  public var malformedMessages = 0
  /// Texts that began with a byte order mark, which the decoder skips.
  public var byteOrderMarks = 0
  /// Completed audits: comparisons of the channel with a fresh dump.
  public var audits = 0
  /// Matches that an audit found to differ, and corrected.
  public var divergences = 0

  /// Creates counters that are all zero.
  public init() {}
}

extension FeedCounters {
  mutating func add(_ exceptions: DecodingExceptions) {
    unknownMessages += exceptions.unknownMessages
    malformedMessages += exceptions.malformedMessages
    rejected += exceptions.malformedRecords
    nestedTooDeep += exceptions.nestedTooDeep
    byteOrderMarks += exceptions.byteOrderMarks
  }
}

/// Counts of records by type (Records.md).
public struct RecordCounts: Hashable, Sendable {
  /// SPORT.
  public var sports = 0
  /// MATCH and EVENT.
  public var matches = 0
  /// MARKET.
  public var markets = 0
  /// OUTCOME.
  public var outcomes = 0
  /// MARKET_OUTCOME_RELATION.
  public var relations = 0
  /// BETTING_OFFER.
  public var offers = 0
  /// MAIN_MARKET.
  public var mainMarkets = 0
  /// EVENT_INFO.
  public var eventInfos = 0
  /// Types that the store does not use.
  public var others = 0

  /// Creates counts that are all zero.
  public init() {}
}
