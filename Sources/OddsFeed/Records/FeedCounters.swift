/// What a channel has received, counted since it began.
public struct FeedCounters: Hashable, Sendable {
  /// Messages applied.
  public var messages = 0
  /// Of these, dumps.
  public var dumps = 0
  /// Records by type; one that was held counts again when it is applied.
  public var kinds = RecordCounts()
  /// Records applied, of all types that are used.
  public var applied = 0
  /// Records of types that are not used, and of changes that nobody has seen yet.
  public var ignored = 0
  /// Offer updates applied that said something of the price.
  public var oddsUpdates = 0
  /// Records that had to wait for another one: children for their parent, updates and deletes for their record.
  public var held = 0
  /// Of these, how many wait now.
  public var waiting = 0
  /// Records that waited in vain, for another one or for a dump: too long, or too many at once.
  public var expired = 0
  /// Records set aside: no id, no changeType or entity, a value of the wrong kind, odds below 1 or above the limit.
  public var rejected = 0
  /// Of these, records with odds above 10,000,000.
  public var oddsAboveLimit = 0
  /// Values of `statusId`, `isAvailable` and `isClosed` that could not be read. A price is not bettable then.
  public var unreadableStatuses = 0
  /// Times before 1970 or after the year 9999. Each counts as a time that was not given.
  public var timesOutOfRange = 0
  /// CREATEs of an id that was there, outside dumps.
  public var duplicateCreates = 0
  /// Texts that were no JSON.
  public var unparsable = 0
  /// Of these, texts nested deeper than 64 levels.
  public var nestedTooDeep = 0
  /// Messages with a `messageType` that is not known.
  public var unknownMessages = 0
  /// Messages that were set aside because their `records` are no array of objects, or because a dump has none.
  public var malformedMessages = 0
  /// Texts that began with a byte order mark, which is skipped.
  public var byteOrderMarks = 0
  /// Fresh dumps that the channel was compared with.
  public var audits = 0
  /// Matches that an audit found to differ, and set right.
  public var divergences = 0

  /// All zero.
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

/// Records by type (Records.md).
public struct RecordCounts: Hashable, Sendable {
  /// SPORT.
  public var sports = 0
  /// MATCH, and EVENT.
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
  /// Types that are not used.
  public var others = 0

  /// All zero.
  public init() {}
}
