import EveryMatrix
import JSONText
import NIOCore
import OddsFeed
import OddsModel
import Platform

/// The REST lists of a topic at one moment (REST.md).
struct RESTSnapshot: Sendable {
  let matches: ByteBuffer
  let odds: ByteBuffer
  /// The entity tag. Equal content of both lists has equal tags.
  let tag: String
  /// The version of the dump, in milliseconds since 1970.
  let version: Int64?

  var byteCount: Int { matches.readableBytes + odds.readableBytes }

  init(dump: ByteBuffer) {
    var channel = ChannelState()
    var batch = FeedBatch()
    var decoder = MessageDecoder()
    dump.withUnsafeReadableBytes { bytes in
      let bytes = bytes.assumingMemoryBound(to: UInt8.self)
      decoder.decode(bytes, 0..<bytes.count, into: &batch)
    }
    channel.apply(batch)
    version = batch.messages.first?.version
    let matches = channel.matchIDs.compactMap { channel.match($0) }
      .sorted { ($0.startTime ?? .max, $0.id) < ($1.startTime ?? .max, $1.id) }
    var heads = JSONWriter(capacity: 160 * matches.count)
    var odds = JSONWriter(capacity: 96 * matches.count)
    heads.list(matches) { $0.head($1) }
    odds.list(matches) { $0.odds($1) }
    self.matches = ByteBuffer(bytes: heads.bytes)
    self.odds = ByteBuffer(bytes: odds.bytes)
    // Weak, because the compressed response has other bytes and the same meaning.
    tag = "W/\"\(FNV1aHash([heads.bytes, odds.bytes].joined()).hex)\""
  }
}

extension JSONWriter {
  fileprivate mutating func list(_ matches: [Match], _ write: (inout JSONWriter, Match) -> Void) {
    openArray()
    for match in matches { object { write(&$0, match) } }
    closeArray()
  }

  fileprivate mutating func head(_ match: Match) {
    field("matchID", match.id.description)
    field("teamA", match.labels.home)
    field("teamB", match.labels.away)
    field("startTime", optional: match.startTime.map(ISOTime.text))
  }

  fileprivate mutating func odds(_ match: Match) {
    let outcomes = match.mainMarket?.outcomes ?? []
    func price(_ key: String) -> DecimalOdds? {
      outcomes.first { $0.key == key }.flatMap { $0.isBettable ? $0.offer?.odds : nil }
    }
    field("matchID", match.id.description)
    field("teamAOdds", number: price("home")?.description)
    field("teamBOdds", number: price("away")?.description)
    if outcomes.contains(where: { $0.key == "draw" }) { field("drawOdds", number: price("draw")?.description) }
  }
}
