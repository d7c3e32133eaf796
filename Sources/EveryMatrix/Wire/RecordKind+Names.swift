package import OddsFeed

extension RecordField {
  /// The fields that the feed has: those of fixed odds.
  static let onWire = allCases.filter { !$0.isOfExchange }

  /// The name of the field on the wire (Records.md). The field is not one of exchanges.
  package var wireName: StaticString {
    switch self {
    case .sportID: "sportId"
    case .matchID: "eventId"
    case .marketID: "marketId"
    case .outcomeID: "outcomeId"
    case .homeID: "homeParticipantId"
    case .awayID: "awayParticipantId"
    case .participantID: "paramParticipantId1"
    case .status: "statusId"
    case .bettingTypeID: "bettingTypeId"
    case .infoType: "typeId"
    case .name: "name"
    case .homeName: "homeParticipantName"
    case .awayName: "awayParticipantName"
    case .tournamentName: "parentName"
    case .categoryName: "categoryName"
    case .partName: "currentPartName"
    case .typeName: "typeName"
    case .translatedName: "translatedName"
    case .key: "headerNameKey"
    case .startTime: "startTime"
    case .lastChanged: "lastChangedTime"
    case .isAvailable: "isAvailable"
    case .isClosed: "isClosed"
    case .isMainLine: "mainLine"
    case .odds: "odds"
    case .firstNumber: "paramFloat1"
    case .secondNumber: "paramFloat2"
    case .outcomeCount: "numberOfOutcomes"
    default: preconditionFailure("a field of exchanges")
    }
  }
}

extension RecordKind {
  /// The types that the feed has, and `other`.
  private static let onWire = allCases.filter { ![.exchangeMarket, .exchangePrices].contains($0) }

  /// The record types by their names on the wire (Records.md), which are also the store's.
  static let byWireName: [(String, RecordKind)] =
    onWire.filter { $0 != .other }.map { ("\($0.name)", $0) } + [("EVENT", .match)]

  /// The names of the fields that the store keeps for records of this type.
  package var keptFields: Set<String> { Self.keptFields[self] ?? [] }

  private static let keptFields: [RecordKind: Set<String>] = Dictionary(
    uniqueKeysWithValues: onWire.map { kind in (kind, Set(kind.fields.map { "\($0.wireName)" })) })
}
