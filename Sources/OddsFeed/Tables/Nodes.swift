/// A record that is stored from a message.
protocol RecordNode: Node {
  associatedtype Content: RecordContent
  var content: Content { get set }
  var marks: RecordFlags { get set }
}

extension RecordNode {
  var isPresent: Bool { marks.contains(.present) }
}

/// The state of a record besides its content.
struct RecordFlags: OptionSet, Sendable {
  let rawValue: UInt8

  /// The record has arrived. Without this flag it is a placeholder that others refer to.
  static let present = RecordFlags(rawValue: 1)
  /// The record is counted as pending, because its parent is missing.
  static let waiting = RecordFlags(rawValue: 2)
  /// The record is in the `DirtySet` of the messages being applied.
  static let touched = RecordFlags(rawValue: 4)
  /// The markets of this outcome are in the `DirtySet` too.
  static let spread = RecordFlags(rawValue: 16)
  /// The cached domain value is current.
  static let built = RecordFlags(rawValue: 8)
}

struct SportNode: RecordNode {
  let id: UInt64
  var content = SportContent()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct MatchNode: RecordNode {
  let id: UInt64
  var content = MatchContent()
  var markets = IntrusiveChildList()
  var infos = IntrusiveChildList()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct MarketNode: RecordNode {
  let id: UInt64
  var content = MarketContent()
  var match = Slot.none
  var inMatch = SiblingLinks()
  /// The relations to the market's outcomes.
  var relations = IntrusiveChildList()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct OutcomeNode: RecordNode {
  let id: UInt64
  var content = OutcomeContent()
  /// The last price of an offer of this outcome, from before the price was cleared or the offer removed;
  /// `absentNumber` if there was none.
  var lastOdds = absentNumber
  var offers = IntrusiveChildList()
  /// The relations to the outcome's markets.
  var relations = IntrusiveChildList()
  /// The relation that the outcome's own `marketId` defines. It has no record.
  var direct = Slot.none
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

/// The join of a market and an outcome. It is linked only if it names both.
struct RelationNode: RecordNode {
  let id: UInt64
  var content = RelationContent()
  var market = Slot.none
  var outcome = Slot.none
  var inMarket = SiblingLinks()
  var inOutcome = SiblingLinks()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct OfferNode: RecordNode {
  let id: UInt64
  var content = OfferContent()
  var outcome = Slot.none
  var inOutcome = SiblingLinks()
  /// The only market of the offer's outcome, once looked up: a cache for the most frequent lookup, from a price to its
  /// match.
  var market = Slot.none
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct EventInfoNode: RecordNode {
  let id: UInt64
  var content = EventInfoContent()
  var match = Slot.none
  var inMatch = SiblingLinks()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct MainMarketNode: RecordNode {
  let id: UInt64
  var content = MainMarketContent()
  /// The order of arrival, which defines the rank of the betting type.
  var order: UInt32 = 0
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct ExchangeMarketNode: RecordNode {
  let id: UInt64
  var content = ExchangeMarketContent()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct ExchangePricesNode: RecordNode {
  let id: UInt64
  var content = ExchangePricesContent()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}
