/// Folds the text lines of `toteboard changes`: the status of each match, whether each market heads the row, and the
/// odds of each outcome and whether it is bettable.
struct FoldedText {
  private(set) var entries: [String: String] = [:]

  /// A line is `TIME [IDS] NAMES: TEXT`.
  mutating func fold(_ line: String) {
    guard let match = line.wholeMatch(of: /\S+ \[([^\]]*)\] (.*)\n/.dotMatchesNewlines()) else { return }
    let ids = match.1.split(separator: " ")
    let path = ids.joined(separator: "/")
    let text = String(match.2[(match.2.ranges(of: ": ").last.map(\.upperBound) ?? match.2.startIndex)...])
    if text.contains(" since ") { return }
    if text == "gone" {
      entries = entries.filter { $0.key != path && !$0.key.hasPrefix("\(path)/") }
    } else if ids.count == 1 {
      let words = text.split(separator: ", ").map(String.init)
      entries[path] = words.first == "new" ? words[1] : words[0]
    } else if ids.count == 2 {
      entries[path] = text.hasSuffix("heads the row") ? "head" : "other"
    } else {
      let price = text.split(separator: " (")[0].split(separator: " -> ").last.map(String.init) ?? ""
      entries[path] = "\(Double(price).map { "\($0)" } ?? "-") \(!text.hasSuffix("not bettable)"))"
    }
  }

  /// Returns the same summary of the output of `list`.
  static func reduced(_ listed: [String: [String: String]]) -> [String: String] {
    var entries: [String: String] = [:]
    for (path, fields) in listed {
      switch path.split(separator: "/").count {
      case 1: entries[path] = fields["status"]
      case 2: entries[path] = fields["head"] == "true" ? "head" : "other"
      default: entries[path] = "\(fields["odds"] ?? "-") \(fields["bettable"] ?? "")"
      }
    }
    return entries
  }
}

extension FoldedChanges {
  /// Returns the output of `toteboard list --format json` by the paths of ids.
  static func listed(_ text: String) throws -> [String: [String: String]] {
    var entries: [String: [String: String]] = [:]
    func add(_ value: JSONText, _ parents: [String], named name: String) -> [String] {
      var fields = value.fields
      let path = parents + [fields.removeValue(forKey: "id") ?? ""]
      fields[name] = fields.removeValue(forKey: "name")
      entries[path.joined(separator: "/")] = fields.filter { !$0.value.isEmpty }
      return path
    }
    for match in try JSONText(text).elements {
      let ids = add(match, [], named: "match")
      for market in match["markets"]?.elements ?? [] {
        let ids = add(market, ids, named: "market")
        for outcome in market["outcomes"]?.elements ?? [] { _ = add(outcome, ids, named: "outcome") }
      }
    }
    return entries
  }

  /// The rows that `toteboard list --format csv` prints, from the folded CSV.
  var listRows: Set<[String: String]> {
    var rows: Set<[String: String]> = []
    for (path, outcome) in entries {
      let ids = path.split(separator: "/").map(String.init)
      guard ids.count == 3, let match = entries[ids[0]] else { continue }
      var row = ["matchId": ids[0], "marketId": ids[1], "outcomeId": ids[2]]
      row["match"] = match["match"] ?? ""
      row["startTime"] = match["startTime"] ?? ""
      row["status"] = match["matchStatus"] ?? ""
      row["market"] = entries["\(ids[0])/\(ids[1])"]?["market"] ?? ""
      for key in ["outcome", "key", "offerId", "odds", "offerStatus", "bettable"] { row[key] = outcome[key] ?? "" }
      rows.insert(row)
    }
    return rows
  }
}
