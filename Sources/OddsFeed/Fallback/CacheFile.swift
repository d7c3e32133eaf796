import JSONText
import OddsModel
import Platform

/// The format of a cached board: a head line with the format version, the feed, the topic, the date and a checksum,
/// then the records (`RecordText`).
///
/// No other program writes the file, so the head is validated by comparison with the text that would be written. The
/// checksum covers the records.
struct CacheFile {
  private static let version: Int64 = 2
  private static let prefix = "board-"
  private static let suffix = ".json"
  let address: String
  let topic: Topic

  var name: String {
    let key = FNV1aHash("\(address)\n\(topic)".utf8)
    return "\(Self.prefix)\(key.hex)\(Self.suffix)"
  }

  static func isOurs(_ name: String) -> Bool {
    name.hasPrefix(prefix) && (name.hasSuffix(suffix) || name.hasSuffix(PrivateFile.temporary))
  }

  func text(_ board: CachedBoard) -> [UInt8] {
    let records = RecordText.text(board.records)
    return head(savedAt: board.savedAt, records[...]) + records + [0x0A]
  }

  /// Returns the board in a file. Throws if the file differs in any byte from the result of `text`.
  func board(_ bytes: [UInt8]) throws(PrivateFileError) -> CachedBoard {
    let (opening, length) = (opening, bytes.count)
    guard bytes.starts(with: opening.dropLast(opening.count - Self.opening.count)) else {
      throw PrivateFileError("it has another format or version")
    }
    guard bytes.starts(with: opening) else { throw PrivateFileError("it is of another feed or topic") }
    guard let end = bytes.firstIndex(of: 0x0A), end + 1 < length else { throw PrivateFileError("it is cut short") }
    let digits = bytes[opening.count..<end].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard let savedAt = Int64(String(decoding: digits, as: UTF8.self)) else { throw PrivateFileError("it has no date") }
    let text = bytes[(end + 1)..<(length - 1)]
    guard bytes.last == 0x0A, bytes[...end].elementsEqual(head(savedAt: savedAt, text)),
      let records = RecordText.batch(text)
    else { throw PrivateFileError("it is damaged") }
    return CachedBoard(savedAt: savedAt, records: records)
  }

  private static let opening = Array(#"{"toteboard":"board","version":\#(version),"#.utf8)

  /// The head up to its date.
  private var opening: [UInt8] {
    var json = JSONWriter()
    json.openObject()
    json.field("toteboard", "board")
    json.field("version", Self.version)
    json.field("feed", address)
    json.field("topic", topic.path)
    json.key("savedAt")
    return json.bytes
  }

  private func head(savedAt: Int64, _ records: ArraySlice<UInt8>) -> [UInt8] {
    opening + Array(#"\#(savedAt),"sum":"\#(FNV1aHash(records).hex)"}"#.utf8) + [0x0A]
  }
}
