/// What the channel holds as the feed would send it: a dump of the records that are there, those too that wait for a
/// parent. Read again it makes the same matches, and takes the same updates; what nobody keeps (FEED.md §3) is not in it.
extension ChannelState {
  /// Writes an INITIAL_DUMP message as one object, of the version of what was applied last.
  package func writeDump(into json: inout JSONWriter) {
    json.object { json in
      if let version { json.field("version", id: version) }
      json.field("format", "AGGREGATOR")
      json.field("messageType", "INITIAL_DUMP")
      json.array("records", writeRecords)
    }
  }

  private func writeRecords(_ json: inout JSONWriter) {
    write(sports, "SPORT", &json)
    write(matches, "MATCH", &json)
    write(eventInfos, "EVENT_INFO", &json)
    write(markets, "MARKET", &json)
    write(outcomes, "OUTCOME", &json)
    write(relations, "MARKET_OUTCOME_RELATION", &json)
    write(offers, "BETTING_OFFER", &json)
    for main in mainMarkets.slots.map({ mainMarkets[$0] }).sorted(by: { $0.order < $1.order }) {
      write(main, "MAIN_MARKET", &json)
    }
  }

  private func write(_ table: EntityTable<some WrittenNode>, _ type: StaticString, _ json: inout JSONWriter) {
    for slot in table.slots { write(table[slot], type, &json) }
  }

  private func write(_ node: some WrittenNode, _ type: StaticString, _ json: inout JSONWriter) {
    // The join that an outcome's own `marketId` makes has no record.
    if node.id == RawID.none { return }
    json.object { json in
      json.field("_type", type)
      json.field("id", escaped: RawID.text(node.id))
      node.content.write(into: &json, texts)
    }
  }
}

private protocol WrittenNode: RecordNode where Content: WrittenContent {}

extension SportNode: WrittenNode {}
extension MatchNode: WrittenNode {}
extension EventInfoNode: WrittenNode {}
extension MarketNode: WrittenNode {}
extension OutcomeNode: WrittenNode {}
extension RelationNode: WrittenNode {}
extension OfferNode: WrittenNode {}
extension MainMarketNode: WrittenNode {}

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

// Fields that are left out where they were not sent.
extension JSONWriter {
  fileprivate mutating func field(_ name: StaticString, sent text: String) {
    if !text.isEmpty { field(name, text) }
  }

  fileprivate mutating func field(_ name: StaticString, sent number: Int64) {
    if number != noNumber { field(name, number) }
  }

  fileprivate mutating func field(_ name: StaticString, sentID id: UInt64) {
    if id != RawID.none { field(name, escaped: RawID.text(id)) }
  }

  fileprivate mutating func field(_ name: StaticString, sentUnits units: Int64) {
    if units != noNumber { field(name, DecimalOdds(units: units)) }
  }
}
