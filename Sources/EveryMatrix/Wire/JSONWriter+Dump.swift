package import JSONText
package import OddsFeed
import OddsModel

extension JSONWriter {
  /// Writes further fields of a record, after the fields that the store keeps.
  package typealias WriteFields = (FeedBatch.Record, inout JSONWriter) -> Void

  /// Writes a message of a batch as an INITIAL_DUMP (Messages.md). The message must be a dump, because the kinds of
  /// change of its records are not written.
  ///
  /// - Parameters:
  ///   - fields: Adds fields that the store does not keep to a record.
  ///   - records: Adds records that the store does not keep.
  package mutating func dump(
    _ message: FeedBatch.Message, of batch: FeedBatch, adding fields: WriteFields = { _, _ in },
    records: (inout JSONWriter) -> Void = { _ in }
  ) {
    object { json in
      if let version = message.version { json.field("version", id: version) }
      json.field("format", "AGGREGATOR")
      json.field("messageType", "INITIAL_DUMP")
      json.array("records") { json in
        for record in batch.records[message.records] {
          json.object { json in
            json.field("_type", record.kind.name)
            json.field("id", record.id.map(RawID.text) ?? "")
            for property in batch.properties[record.properties] { json.field(property, batch) }
            fields(record, &json)
          }
        }
        records(&json)
      }
    }
  }

  private mutating func field(_ property: FeedBatch.Property, _ batch: FeedBatch) {
    let name = property.field.wireName
    switch property.value {
    case .id(let id): field(name, RawID.text(id))
    case .integer(let number):
      switch property.field {
      case .infoType: field(name, id: MessageDecoder.infoTypeNumber(number))
      case .status: field(name, id: number)
      default: field(name, number)
      }
    case .fixed(let units): field(name, number: DecimalOdds(units: units).description)
    case .flag(let flag): field(name, flag)
    case .text: field(name, batch.string(property.value) ?? "")
    case .null, .outOfRange, .wrongType: null(name)
    }
  }
}
