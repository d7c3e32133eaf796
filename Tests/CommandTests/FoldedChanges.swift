import Foundation

/// Folds the lines of `toteboard changes` as a user would, without the program's own code.
struct FoldedChanges {
  /// Fields by the path of ids: match, match/market, match/market/outcome.
  private(set) var entries: [String: [String: String]] = [:]
  /// The freshness of each match by its id, and of the channel under "", with its cause if there is one.
  private(set) var freshness: [String: String] = [:]

  /// Folds one line, given as fields by name. Returns false if it changes nothing.
  mutating func fold(_ line: [String: String]) -> Bool {
    let before = (entries, freshness)
    let ids = ["matchId", "marketId", "outcomeId"].compactMap { line[$0] }.filter { !$0.isEmpty }
    let path = ids.joined(separator: "/")
    switch line["change"] {
    case "staleness":
      let words = [line["staleness"], line["cause"]].compactMap(\.self).filter { !$0.isEmpty }
      freshness[path] = words.joined(separator: " ")
    case "matchRemoved", "marketRemoved", "outcomeRemoved":
      entries = entries.filter { $0.key != path && !$0.key.hasPrefix("\(path)/") }
      freshness[path] = nil
    case "matchAdded":
      entries[path] = fields(line)
      freshness[path] = line["staleness"]
    default: entries[path] = fields(line)
    }
    return before.0 != entries || before.1 != freshness
  }

  /// Returns the fields that describe the current state.
  private func fields(_ line: [String: String]) -> [String: String] {
    var others: Set = ["time", "change", "previousOdds", "staleness", "since", "matchId", "marketId", "outcomeId"]
    // The names of the parents are the parents' fields.
    if line["marketId"]?.isEmpty == false { others.insert("match") }
    if line["outcomeId"]?.isEmpty == false { others.insert("market") }
    return line.filter { !others.contains($0.key) && !$0.value.isEmpty }
  }
}

/// A JSON value with numbers and flags as text.
enum JSONText: Decodable {
  case null
  case text(String)
  case list([JSONText])
  case object([String: JSONText])

  init(_ text: some StringProtocol) throws { self = try JSONDecoder().decode(JSONText.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .text("\(flag)")
    } else if let number = try? value.decode(Double.self) {
      self = .text("\(number)")
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONText].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONText].self))
    }
  }

  subscript(key: String) -> JSONText? { if case .object(let fields) = self { fields[key] } else { nil } }

  var elements: [JSONText] { if case .list(let elements) = self { elements } else { [] } }

  /// The fields of an object that are texts.
  var fields: [String: String] {
    guard case .object(let fields) = self else { return [:] }
    return fields.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
  }
}

/// Rows of comma-separated values by the names of their columns (RFC 4180).
enum CSVTable {
  static func rows(_ text: String) -> [[String: String]] {
    var records: [[String]] = []
    var (record, field) = ([String](), "")
    var (isQuoted, wasQuote) = (false, false)
    for scalar in text.unicodeScalars {
      if isQuoted, scalar != "\"" || wasQuote {
        field.unicodeScalars.append(scalar)
        wasQuote = false
        continue
      }
      switch scalar {
      case "\"":
        if wasQuote { field += "\"" }
        wasQuote = isQuoted
        isQuoted = !isQuoted
      case ",":
        record.append(field)
        field = ""
        wasQuote = false
      case "\r": wasQuote = false
      case "\n":
        records.append(record + [field])
        record = []
        field = ""
      default: field.unicodeScalars.append(scalar)
      }
    }
    guard let names = records.first else { return [] }
    return records.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
  }
}
