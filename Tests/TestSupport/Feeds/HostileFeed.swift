/// Messages of a broken producer: those of `ArbitraryFeed`, many of them malformed.
package struct HostileFeed {
  private var source: ArbitraryFeed
  private var random: SeededRandom

  package init(seed: UInt64) {
    source = ArbitraryFeed(seed: seed)
    random = SeededRandom(seed: seed &* 31 &+ 7)
  }

  /// Returns the next message as JSON text, or as text that is not JSON.
  package mutating func line() -> String {
    let message = source.message()
    var records = message.records.map { broken($0, isDump: message.isDump) }
    if chance(5) { records.insert(["7", "null", "\"x\"", "[]"][upTo(3)], at: upTo(records.count)) }
    var list = "[\(records.joined(separator: ","))]"
    if chance(4) { list = ["5", "{}", "null", "[]", "[5,null]", "\"records\""][upTo(5)] }
    var fields = [#""records":\#(list)"#]
    if chance(2) { fields = [] }
    let kind = message.isDump ? "INITIAL_DUMP" : "UPDATE"
    fields.insert(#""messageType":"\#(chance(3) ? "NEWS" : kind)""#, at: upTo(fields.count))
    if let version = message.version { fields.append(#""version":"\#(version)""#) }
    var text = "{\(fields.joined(separator: ","))}"
    if chance(15) { text = escaped(text) }
    if chance(5) { text = "\u{FEFF}" + text }
    if chance(4) { text += ["}", "]", " x", ",{}"][upTo(3)] }
    if chance(2) { text.removeLast() }
    return text
  }

  private mutating func upTo(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { upTo(99) < percent }

  private mutating func broken(_ record: FeedRecord, isDump: Bool) -> String {
    var record = record
    if chance(15) { record.content = withUnreadableValue(record) }
    if isDump { return record.dumpText }
    let head = #""entityType":"\#(record.key.type)","id":"\#(record.key.id)""#
    switch upTo(24) {
    case 0: return record.text.replacing(#""changeType":"\#(record.verb.rawValue)","#, with: "")
    case 1: return #"{"changeType":"CREATE",\#(head),"entity":null}"#
    case 2: return #"{"changeType":"UPDATE",\#(head),"changedProperties":null}"#
    case 3: return #"{"changeType":"UPDATE",\#(head),"changedProperties":[]}"#
    case 4: return #"{"changeType":"CREATE",\#(head)}"#
    case 5: return #"{"changeType":"REPLACE",\#(head),"entity":{}}"#
    default: return record.text
    }
  }

  /// Returns the record's fields with an unreadable one, or with a time out of range.
  private mutating func withUnreadableValue(_ record: FeedRecord) -> String {
    let values: [String: [String]] = [
      "BETTING_OFFER": [
        #""statusId":"seven""#, #""statusId":{}"#, #""isAvailable":"yes""#, #""isAvailable":1"#,
        #""lastChangedTime":-1"#, #""lastChangedTime":999999999999999999"#, #""odds":10000001"#,
      ],
      "MARKET": [#""isAvailable":"no""#, #""isClosed":0"#, #""isClosed":"false""#],
      "MATCH": [#""startTime":-1"#, #""startTime":"253402300800000""#],
    ]
    guard let all = values[record.key.type] else { return record.content }
    let value = all[upTo(all.count - 1)]
    // A duplicate key is another error, which decoders treat differently.
    if record.content.contains(value.prefix { $0 != ":" }) { return record.content }
    return record.content.isEmpty ? value : "\(record.content),\(value)"
  }

  /// Returns the same JSON with some letters and digits of its strings written as escapes.
  private mutating func escaped(_ text: String) -> String {
    var isInString = false
    var result = ""
    for character in text {
      if character == "\"" { isInString.toggle() }
      if isInString, let byte = character.asciiValue, character.isLetter || character.isNumber, chance(10) {
        let digits = String(byte, radix: 16)
        result += "\\u00" + (digits.count == 1 ? "0" : "") + digits
      } else {
        result.append(character)
      }
    }
    return result
  }
}
