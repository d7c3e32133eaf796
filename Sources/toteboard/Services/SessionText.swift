import Dashboard
import OddsModel

/// Formats sessions as TOML. Keeps the texts of the watch lists, so that after a change of one list only that one is
/// formatted again.
///
/// NB: TOMLKit's coders need Foundation, which would be most of the installed program.
struct SessionText {
  /// The watch lists of the last session and their texts, in the order of the session.
  private var lists: [(list: WatchList, text: [UInt8])] = []
  /// The number of lists that were formatted.
  private(set) var formatted = 0

  /// Returns the session as TOML. Each choice is stored with the configured value of that time.
  mutating func toml(_ session: BoardSession) -> [UInt8] {
    let count = session.watchLists.count
    lists.removeLast(max(0, lists.count - count))
    for (index, list) in session.watchLists.enumerated() {
      // NB: Lists that have not changed share their storage with the formatted ones, so the comparison is fast.
      if index < lists.count, lists[index].list == list { continue }
      let text = Self.text(list, isFirst: index == 0)
      if index < lists.count { lists[index] = (list, text) } else { lists.append((list, text)) }
      formatted += 1
    }
    var text = Self.head(session)
    text.reserveCapacity(text.count + lists.reduce(0) { $0 + $1.text.count })
    for list in lists { text += list.text }
    return text
  }

  /// Returns everything but the matches of the watch lists.
  private static func head(_ session: BoardSession) -> [UInt8] {
    var lines: [String] = []
    func add(_ key: String, _ text: String?) {
      if let text { lines.append("\(key) = \(TOMLText.quoted(text))") }
    }
    func add<Value>(_ key: String, _ choice: BoardSession.Choice<Value>?, _ text: (Value) -> String) {
      guard let choice else { return }
      lines.append("\(key) = \(TOMLText.list([text(choice.value), text(choice.configured)]))")
    }
    add("channel", session.channel)
    add("odds", session.odds, \.rawValue)
    add("sort", session.order, \.name)
    add("columns", session.columns) { $0.map(\.text).joined(separator: " ") }
    add("group", session.grouping, \.rawValue)
    add("theme", session.theme) { $0 }
    if !session.filter.isEmpty { add("filter", session.filter) }
    let folds = session.folds
    if folds.foldsAll { lines.append("folded-groups = true") }
    if !folds.exceptions.isEmpty {
      let names = folds.exceptions.map { TOMLText.list([$0.sport, $0.country, $0.tournament]) }.sorted()
      lines.append("group-exceptions = [\(names.joined(separator: ", "))]")
    }
    if session.foldsCounters { lines.append("folded-counters = true") }
    add("current-watch-list", session.currentWatchList)
    if let name = session.watchLists.first?.name, !name.isEmpty { add("first-watch-list", name) }
    return bytes(lines)
  }

  private static func text(_ list: WatchList, isFirst: Bool) -> [UInt8] {
    var lines = isFirst ? [] : ["[[watch-list]]", "name = \(TOMLText.quoted(list.name))"]
    let table = isFirst ? "pin" : "watch-list.pin"
    for pin in list.keptPins {
      lines += ["[[\(table)]]", "match = \(TOMLText.quoted(pin.match))"]
      lines.append("offers = [\(pin.offers.map(TOMLText.quoted).joined(separator: ", "))]")
    }
    return bytes(lines)
  }

  private static func bytes(_ lines: [String]) -> [UInt8] {
    lines.isEmpty ? [] : Array((lines.joined(separator: "\n") + "\n").utf8)
  }
}

extension BoardSession {
  /// The session as TOML.
  var toml: [UInt8] {
    var text = SessionText()
    return text.toml(self)
  }
}

extension RowOrder {
  /// The name of the key, with a leading minus if the order is reversed.
  fileprivate var name: String { (isReversed ? "-" : "") + key.name }
}
