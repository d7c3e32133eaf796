/// Counts of the data that a channel has received since it began.
public struct FeedCounters: Hashable, Sendable {
  /// Messages received, including those that were kept for a dump and dropped, and dumps that were not applied.
  public var messages = 0
  /// Dumps applied. Those of audits count in `audits` only.
  public var dumps = 0
  /// Records by type. A pending update or deletion counts again when it is applied.
  public var kinds = RecordCounts()
  /// Records applied, of all types that the store uses.
  public var applied = 0
  /// Records of unused types, and records whose change is of an unknown kind.
  public var ignored = 0
  /// Applied updates of offers that had odds.
  public var oddsUpdates = 0
  /// Records that became pending: children without their parent, and updates and deletions without their record.
  public var held = 0
  /// The records that are pending now.
  public var waiting = 0
  /// Records dropped while they waited for another record or for a dump: too old, too many, or older than the
  /// creation that they waited for.
  public var expired = 0
  /// Rejected records: no object, no id, no change or fields, a value of the wrong type, odds below 1 or too high.
  public var rejected = 0
  /// The rejected records with odds above 10,000,000.
  public var oddsAboveLimit = 0
  /// Unreadable values of fields that decide whether a price is bettable. Prices with one are not bettable.
  public var unreadableStatuses = 0
  /// Times before 1970 or after the year 9999. The store treats each as missing.
  public var timesOutOfRange = 0
  /// Creations of an existing id, outside dumps.
  public var duplicateCreates = 0
  /// Texts that could not be read.
  public var unparsable = 0
  /// The unparsable texts that were nested too deep.
  public var nestedTooDeep = 0
  /// Messages of an unknown kind.
  public var unknownMessages = 0
  /// Messages that could not be read, in whole or in part, and dumps without a list of records.
  public var malformedMessages = 0
  /// Texts that began with a byte order mark, which the decoder skips.
  public var byteOrderMarks = 0
  /// Changes into which the provider had merged others, because the client reads too slowly or has asked for that.
  public var merged = 0
  /// Completed audits: comparisons of the channel with a fresh dump.
  public var audits = 0
  /// Matches that an audit found to differ, and corrected.
  public var divergences = 0

  /// Creates counters that are all zero.
  public init() {}
}

/// Counts of records by type.
public struct RecordCounts: Hashable, Sendable {
  /// Sports.
  public var sports = 0
  /// Matches.
  public var matches = 0
  /// Markets.
  public var markets = 0
  /// Outcomes.
  public var outcomes = 0
  /// Relations between markets and outcomes.
  public var relations = 0
  /// Betting offers.
  public var offers = 0
  /// Main markets.
  public var mainMarkets = 0
  /// Scores, match times and other information on a match.
  public var eventInfos = 0
  /// States of markets on an exchange.
  public var exchangeMarkets = 0
  /// Prices of outcomes on an exchange.
  public var exchangePrices = 0
  /// Types that the store does not use.
  public var others = 0

  /// Creates counts that are all zero.
  public init() {}
}
