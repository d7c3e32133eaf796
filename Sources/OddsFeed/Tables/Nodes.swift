/// A record that a message can put into its table.
protocol RecordNode: Node {
  associatedtype Content: RecordContent
  var content: Content { get set }
  var marks: RecordFlags { get set }
}

extension RecordNode {
  var isPresent: Bool { marks.contains(.present) }
}

/// What is known of a record besides its content.
struct RecordFlags: OptionSet, Sendable {
  let rawValue: UInt8

  /// The record has come; without this mark it is a placeholder that others point to.
  static let present = RecordFlags(rawValue: 1)
  /// It has been counted as waiting for a parent.
  static let waiting = RecordFlags(rawValue: 2)
  /// It is on the list of what the messages being applied have touched.
  static let touched = RecordFlags(rawValue: 4)
  /// Of an outcome: its markets are on that list too.
  static let spread = RecordFlags(rawValue: 16)
  /// Its domain value has been built since it was last touched.
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
  /// The relations to its outcomes.
  var relations = IntrusiveChildList()
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

struct OutcomeNode: RecordNode {
  let id: UInt64
  var content = OutcomeContent()
  /// The last price that an offer of it had before the price was cleared or the offer went; `absentNumber` where none did.
  var lastOdds = absentNumber
  var offers = IntrusiveChildList()
  /// The relations to its markets.
  var relations = IntrusiveChildList()
  /// The relation that `marketId` makes, which has no record of its own.
  var direct = Slot.none
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}

/// The join of a market and an outcome; linked where both are named.
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
  /// The only market of its outcome, once looked up: the way from a price to its match is the busiest there is.
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
  /// Grows with each that comes: the list's order.
  var order: UInt32 = 0
  var marks = RecordFlags()

  init(id: UInt64) { self.id = id }
}
