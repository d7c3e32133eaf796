extension FeedModel {
  /// Returns a uniform random number from 0 to `most`.
  package mutating func upTo(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }

  package mutating func chance(_ percent: Int) -> Bool { upTo(99) < percent }

  package mutating func randomKey(_ type: String) -> RecordKey? { ids(type).randomElement(using: &random) }

  /// Returns an id of 18 digits, a short one, one that is not a number, or one of a deleted record.
  package mutating func newKey(_ type: String) -> RecordKey {
    if chance(15), let old = deletedKeys.filter({ $0.type == type }).randomElement(using: &random) { return old }
    let number = upTo(999_999_999)
    let id =
      switch upTo(9) {
      case 0: "sr:\(type.lowercased()):\(number)"
      case 1, 2: "\(number % 2000)"
      default: "\(272_181_284_000_000_000 + number)"
      }
    let key = RecordKey(type: type, id: id)
    return records[key] == nil && !deletedKeys.contains(key) ? key : newKey(type)
  }

  package mutating func bettingType() -> String { "\"\(60 + upTo(4))\"" }

  package mutating func odds() -> String {
    ["2", "1", "3.5", "2.45", "1.0000001", "1000.25", "17.1234567", "2.5e0"][upTo(7)]
  }

  private mutating func name(_ word: String) -> String {
    let forms = ["\(word)", #"\u00e9\u5317 \#(word)"#, #"A \"\#(word)\" \\ B"#, "São 😀 \(word)", ""]
    return "\"\(forms[chance(60) ? 0 : upTo(4)])\(upTo(9))\""
  }

  package mutating func matchFields() -> Fields {
    let all = [
      "sportId": "\"1\"", "name": name("match"), "homeParticipantName": name("home"),
      "awayParticipantName": name("away"), "homeParticipantId": "\"501\"", "awayParticipantId": "\"502\"",
      "startTime": "\(1_750_752_000_000 + upTo(9))", "statusId": "\"\(upTo(4))\"", "parentName": name("cup"),
      "categoryName": name("land"), "currentPartName": name("half"),
    ]
    return mostFields(all)
  }

  package mutating func marketFields() -> Fields {
    let all = [
      "name": name("market"), "bettingTypeId": bettingType(), "isAvailable": "\(chance(80))",
      "isClosed": "\(chance(20))", "mainLine": "\(chance(50))", "notAvailableSince": "\(version)",
      "paramFloat1": "\(upTo(5))", "numberOfOutcomes": "\(upTo(5))",
    ]
    return mostFields(all)
  }

  package mutating func outcomeFields() -> Fields {
    let all = [
      "typeName": name("type"), "translatedName": name("outcome"), "name": name("plain"),
      "headerNameKey": ["\"home\"", "\"draw\"", "\"away\"", "\"over\""][upTo(3)],
    ]
    return mostFields(all)
  }

  package mutating func offerFields() -> Fields {
    let all = [
      "odds": odds(), "statusId": chance(70) ? "\"1\"" : "\"\(upTo(9))\"", "isAvailable": "\(chance(80))",
      "lastChangedTime": "\(version - Int64(upTo(5000)))", "isLive": "true",
    ]
    return mostFields(all)
  }

  package mutating func infoFields(_ kind: Int) -> Fields {
    let all = [
      "typeId": "\"\(kind)\"", "paramFloat1": "\(upTo(90))", "paramFloat2": "\(upTo(5)).0",
      "paramParticipantId1": "\"\(501 + upTo(2))\"",
    ]
    return mostFields(all).merging(["typeId": all["typeId"]!]) { $1 }
  }

  /// Returns most of the fields. Sorted by name, because the order of a dictionary differs in every process.
  private mutating func mostFields(_ fields: Fields) -> Fields {
    var kept = fields
    for name in fields.keys.sorted() where chance(12) { kept[name] = nil }
    return kept
  }

  /// Returns a few of the fields, some of them cleared.
  package mutating func someFields(_ fields: Fields) -> [String: String?] {
    var kept: [String: String?] = [:]
    for name in fields.keys.sorted() where chance(40) { kept[name] = .some(chance(25) ? nil : fields[name]!) }
    return kept
  }

  /// Returns the fields as JSON, with varied notations of numbers and ids, and with unknown keys in between.
  package mutating func json(_ fields: Fields, whole: Bool) -> String {
    var pairs: [String] = []
    for name in fields.keys.sorted() { pairs.append("\"\(name)\":\(variedNotation(name, fields[name]!))") }
    if chance(10) { pairs.append(#""shape":{"a":[1,{"odds":0}]}"#) }
    if chance(10) { pairs.append(#""numberOfMarkets":3"#) }
    pairs.shuffle(using: &random)
    return pairs.joined(separator: ",")
  }

  private mutating func variedNotation(_ name: String, _ value: String) -> String {
    if !chance(20) || value == "null" { return value }
    let bare = String(value.drop { $0 == "\"" }.prefix { $0 != "\"" })
    switch name {
    case "odds", "startTime", "lastChangedTime", "numberOfOutcomes": return "\"\(bare)\""
    case "paramFloat1", "paramFloat2": return bare.contains(".") ? bare : "\(bare).0"
    case _ where name.hasSuffix("Id"): return UInt64(bare) == nil ? value : bare
    default: return value
    }
  }
}
