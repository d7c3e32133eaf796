import OddsModel

/// The records of a channel as a dump, including records that are pending for a parent.
///
/// A channel that applies the dump has the same matches and accepts the same updates. The dump lacks fields and records
/// that the store does not keep, the last prices of outcomes without a price, and changes that are pending until the
/// creation of their record.
extension ChannelState {
  /// Appends a dump to the batch, with the version of the last applied message.
  package func appendDump(to batch: inout FeedBatch) {
    batch.appendMessage(.dump, version: version) { batch in
      append(sports, .sport, to: &batch)
      append(matches, .match, to: &batch)
      append(eventInfos, .eventInfo, to: &batch)
      append(markets, .market, to: &batch)
      append(outcomes, .outcome, to: &batch)
      append(relations, .marketOutcomeRelation, to: &batch)
      append(offers, .bettingOffer, to: &batch)
      append(exchangeMarkets, .exchangeMarket, to: &batch)
      append(exchangePrices, .exchangePrices, to: &batch)
      for main in mainMarkets.slots.map({ mainMarkets[$0] }).sorted(by: { $0.order < $1.order }) {
        append(main, .mainMarket, to: &batch)
      }
    }
  }

  /// Returns true if a record has arrived, with or without its parent.
  package func hasRecord(_ kind: RecordKind, _ id: UInt64) -> Bool { present(kind, id) != .none }

  /// Returns true if changes of a record are pending until its creation.
  package func hasPendingChange(_ kind: RecordKind, _ id: UInt64) -> Bool {
    waiting.changes[PendingRecords.Key(kind: kind, id: id)] != nil
  }

  private func append(_ table: EntityTable<some RecordNode>, _ kind: RecordKind, to batch: inout FeedBatch) {
    for slot in table.slots { append(table[slot], kind, to: &batch) }
  }

  private func append(_ node: some RecordNode, _ kind: RecordKind, to batch: inout FeedBatch) {
    // A relation that an outcome's own market defines has no record.
    if node.id == RawID.none { return }
    batch.appendRecord(kind, id: node.id) { node.content.appendFields(to: &$0, texts) }
  }
}

extension FeedBatch {
  /// Sets a text unless it was not sent.
  mutating func set(_ field: RecordField, sent text: String) {
    if !text.isEmpty { set(field, text: text.utf8) }
  }

  /// Sets an id unless it was not sent.
  mutating func set(_ field: RecordField, sentID id: UInt64) {
    if id != RawID.none { set(field, .id(id)) }
  }

  /// Sets a whole number or time unless it was not sent.
  mutating func set(_ field: RecordField, sent number: Int64) {
    if number != absentNumber { set(field, .integer(number)) }
  }

  /// Sets a number in ten-millionths unless it was not sent.
  mutating func set(_ field: RecordField, sentUnits units: Int64) {
    if units != absentNumber { set(field, .fixed(units)) }
  }
}
