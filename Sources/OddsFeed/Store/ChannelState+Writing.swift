/// Output of the channel's records as a dump in the feed's format, including records that are pending for a parent.
///
/// A channel that applies the dump has the same matches and accepts the same updates. The dump lacks fields and
/// records that the store does not keep (Records.md).
extension ChannelState {
  /// Writes further fields of the record with this type and id, after the fields that the channel keeps.
  package typealias WriteFields = (EntityKind, UInt64, inout JSONWriter) -> Void

  /// Writes an INITIAL_DUMP message as one object, with the version of the last applied message.
  ///
  /// - Parameters:
  ///   - json: The writer that receives the message.
  ///   - fields: Adds fields that the channel does not keep to a record.
  ///   - records: Adds records that the channel does not keep.
  package func writeDump(
    into json: inout JSONWriter, adding fields: WriteFields = { _, _, _ in },
    records: (inout JSONWriter) -> Void = { _ in }
  ) {
    json.object { json in
      if let version { json.field("version", id: version) }
      json.field("format", "AGGREGATOR")
      json.field("messageType", "INITIAL_DUMP")
      json.array("records") { json in
        writeRecords(&json, fields)
        records(&json)
      }
    }
  }

  /// Returns true if a record has arrived, with or without its parent.
  package func hasRecord(_ kind: EntityKind, _ id: UInt64) -> Bool { present(kind, id) != .none }

  /// Returns true if changes of a record are pending until its CREATE.
  package func hasPendingChange(_ kind: EntityKind, _ id: UInt64) -> Bool {
    waiting.changes[PendingRecords.Key(kind: kind, id: id)] != nil
  }

  private func writeRecords(_ json: inout JSONWriter, _ fields: WriteFields) {
    write(sports, "SPORT", &json, fields)
    write(matches, "MATCH", &json, fields)
    write(eventInfos, "EVENT_INFO", &json, fields)
    write(markets, "MARKET", &json, fields)
    write(outcomes, "OUTCOME", &json, fields)
    write(relations, "MARKET_OUTCOME_RELATION", &json, fields)
    write(offers, "BETTING_OFFER", &json, fields)
    for main in mainMarkets.slots.map({ mainMarkets[$0] }).sorted(by: { $0.order < $1.order }) {
      write(main, "MAIN_MARKET", &json, fields)
    }
  }

  private func write<Node: WrittenNode>(
    _ table: EntityTable<Node>, _ type: StaticString, _ json: inout JSONWriter, _ fields: WriteFields
  ) {
    for slot in table.slots { write(table[slot], type, &json, fields) }
  }

  private func write<Node: WrittenNode>(
    _ node: Node, _ type: StaticString, _ json: inout JSONWriter, _ fields: WriteFields
  ) {
    // A relation that an outcome's own `marketId` defines has no record.
    if node.id == RawID.none { return }
    json.object { json in
      json.field("_type", type)
      json.field("id", RawID.text(node.id))
      node.content.write(into: &json, texts)
      fields(Node.kind, node.id, &json)
    }
  }
}

private protocol WrittenNode: RecordNode where Content: WrittenContent {
  static var kind: EntityKind { get }
}

extension SportNode: WrittenNode {
  fileprivate static var kind: EntityKind { .sport }
}

extension MatchNode: WrittenNode {
  fileprivate static var kind: EntityKind { .match }
}

extension EventInfoNode: WrittenNode {
  fileprivate static var kind: EntityKind { .eventInfo }
}

extension MarketNode: WrittenNode {
  fileprivate static var kind: EntityKind { .market }
}

extension OutcomeNode: WrittenNode {
  fileprivate static var kind: EntityKind { .outcome }
}

extension RelationNode: WrittenNode {
  fileprivate static var kind: EntityKind { .marketOutcomeRelation }
}

extension OfferNode: WrittenNode {
  fileprivate static var kind: EntityKind { .bettingOffer }
}

extension MainMarketNode: WrittenNode {
  fileprivate static var kind: EntityKind { .mainMarket }
}

private protocol WrittenContent {
  /// Writes the fields that were sent.
  func write(into json: inout JSONWriter, _ texts: TextTable)
}

extension SportContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("name", sent: texts[name])
  }
}

extension MatchContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("sportId", sentID: sportID)
    json.field("homeParticipantId", sentID: homeID)
    json.field("awayParticipantId", sentID: awayID)
    json.field("name", sent: texts[name])
    json.field("homeParticipantName", sent: texts[home])
    json.field("awayParticipantName", sent: texts[away])
    json.field("parentName", sent: texts[tournament])
    json.field("categoryName", sent: texts[category])
    json.field("currentPartName", sent: texts[part])
    json.field("startTime", sent: startTime)
    json.field("statusId", id: Int64(status))
  }
}

extension EventInfoContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("eventId", sentID: eventID)
    json.field("typeId", id: Int64(type))
    json.field("paramFloat1", sentUnits: first)
    json.field("paramFloat2", sentUnits: second)
    json.field("paramParticipantId1", sentID: participant)
  }
}

extension MarketContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("eventId", sentID: eventID)
    json.field("bettingTypeId", sentID: bettingTypeID)
    json.field("name", sent: texts[name])
    json.field("paramFloat1", sentUnits: line)
    json.field("isAvailable", isAvailable)
    json.field("isClosed", isClosed)
    json.field("mainLine", isMainLine)
  }
}

extension OutcomeContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("marketId", sentID: marketID)
    json.field("name", sent: texts[name])
    json.field("translatedName", sent: texts[translatedName])
    json.field("typeName", sent: texts[typeName])
    json.field("headerNameKey", sent: texts[key])
  }
}

extension RelationContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("marketId", sentID: marketID)
    json.field("outcomeId", sentID: outcomeID)
  }
}

extension OfferContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("outcomeId", sentID: outcomeID)
    json.field("odds", sentUnits: odds)
    json.field("statusId", id: Int64(status))
    json.field("isAvailable", isAvailable)
    json.field("lastChangedTime", sent: lastChanged)
  }
}

extension MainMarketContent: WrittenContent {
  fileprivate func write(into json: inout JSONWriter, _ texts: TextTable) {
    json.field("bettingTypeId", sentID: bettingTypeID)
  }
}

// Fields that are omitted if they were not sent.
extension JSONWriter {
  fileprivate mutating func field(_ name: StaticString, sent text: String) {
    if !text.isEmpty { field(name, text) }
  }

  fileprivate mutating func field(_ name: StaticString, sent number: Int64) {
    if number != absentNumber { field(name, number) }
  }

  fileprivate mutating func field(_ name: StaticString, sentID id: UInt64) {
    if id != RawID.none { field(name, RawID.text(id)) }
  }

  fileprivate mutating func field(_ name: StaticString, sentUnits units: Int64) {
    if units != absentNumber { field(name, DecimalOdds(units: units)) }
  }
}
