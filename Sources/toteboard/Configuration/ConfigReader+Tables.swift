import Betfair
import Dashboard
import EveryMatrix
import FeedSimulator
import Localization
import OddsModel
import TOMLKit
import TerminalCore

extension ConfigReader {
  /// Reads the table of keys: each command has the name of one key, or a list of names.
  mutating func readKeys(_ value: (any TOMLValueConvertible)?) {
    guard let value else { return }
    guard let table = value.table else { return fault(lines["keys"], LocalizedMessage(.configNoKeyTable)) }
    var bindings: [(name: String, keys: [String])] = []
    // In the order of the file, so that of two commands with the same key, the later one is the error.
    for command in table.keys.sorted(by: { lines["keys", $0] ?? 0 < lines["keys", $1] ?? 0 }) {
      guard let value = table[command] else { continue }
      let list = value.string.map { [$0] } ?? value.array.map { $0.map(\.string) } ?? [nil]
      let keys = list.compactMap { $0 }
      if keys.count == list.count {
        bindings.append((command, keys))
      } else {
        fault(lines["keys", command], LocalizedMessage(.configNoKey, command.cleaned))
      }
    }
    do throws(KeyMapError) { configuration.settings.keys = try KeyMap(bindings) } catch {
      fault(lines["keys", error.name], error.sentence)
    }
  }

  mutating func readThemes(_ value: (any TOMLValueConvertible)?) {
    guard let value else { return }
    guard let tables = value.table else { return fault(lines["themes"], LocalizedMessage(.configNoThemeTable)) }
    for name in tables.keys {
      guard let table = tables[name]?.table else {
        fault(lines["themes", name], LocalizedMessage(.configNoThemeTable))
        continue
      }
      if let theme = theme(name, table) { configuration.settings.ownThemes.append(theme) }
    }
  }

  /// Returns the theme of a table with an appearance for each part; nil on an error.
  private mutating func theme(_ name: String, _ table: TOMLTable) -> Theme? {
    check(table, knows: TableSetting.theme.map(\.key), at: ["themes", name])
    var looks: [String: String] = [:]
    for part in table.keys where Theme.parts.contains(part) {
      guard let look = table[part]?.string else {
        fault(lines["themes", name, part], LocalizedMessage(.configNoText, part))
        continue
      }
      do throws(ThemeError) {
        _ = try Theme.Appearance(look)
        looks[part] = look
      } catch { fault(lines["themes", name, part], error.sentence) }
    }
    guard let base = table["base"].map({ $0.string }) ?? Theme.dark.name else {
      fault(lines["themes", name, "base"], LocalizedMessage(.configNoText, "base"))
      return nil
    }
    guard let base = Theme.named(base) else {
      fault(
        lines["themes", name, "base"],
        LocalizedMessage(.configNoChoice, "base", base.cleaned, LocalizedMessage.list(Theme.all.map(\.name))))
      return nil
    }
    do throws(ThemeError) { return try Theme(name: name, basedOn: base, looks) } catch {
      fault(lines["themes", name], error.sentence)
      return nil
    }
  }

  mutating func alert(_ table: TOMLTable, _ place: Int) -> AlertRule? {
    check(table, knows: TableSetting.alert.map(\.key), at: ["alert", "\(place)"])
    guard let rule = table["rule"]?.string else {
      fault(lines["alert", "\(place)", "rule"], LocalizedMessage(.configNoText, "rule"))
      return nil
    }
    do throws(FilterError) { return try AlertRule(rule) } catch {
      fault(lines["alert", "\(place)", "rule"], LocalizedMessage(.configNoRule, rule.cleaned, error.sentence))
      return nil
    }
  }

  mutating func channel(_ table: TOMLTable, _ place: Int) -> ConfiguredChannel? {
    let line = lines["channel", "\(place)"]
    let before = faults.count
    check(table, knows: TableSetting.channel.map(\.key), at: ["channel", "\(place)"])
    func text(_ key: String) -> String? {
      guard let value = table[key] else { return nil }
      let text = value.string ?? (key == "sport" ? value.int.map(String.init) : nil)
      if let text, !text.isEmpty, !text.contains(where: { $0.isNewline || $0 == "\t" }) { return text }
      fault(lines["channel", "\(place)", key], LocalizedMessage(.configNoText, key))
      return nil
    }
    func number(_ key: String, _ range: ClosedRange<Int>) -> Int? {
      guard let value = table[key] else { return nil }
      if let number = value.int, range ~= number { return number }
      fault(lines["channel", "\(place)", key], Setting.outOfRange(value, key, range))
      return nil
    }
    func flag(_ key: String) -> Bool? {
      guard let value = table[key] else { return nil }
      if let flag = value.bool { return flag }
      fault(lines["channel", "\(place)", key], LocalizedMessage(.configNoFlag, key))
      return nil
    }
    let (name, path, kindName) = (text("title"), text("topic"), text("kind"))
    let sport = text("sport") ?? Topic.allSports
    let (matches, markets) = (number("matches", SimulatorOptions.matchRange), number("markets", 1...1000))
    let (levels, hasVolumes) = (number("levels", BetfairTopic.levelRange), flag("volumes"))
    if faults.count > before { return nil }
    guard let title = name else {
      fault(line, LocalizedMessage(.configNoTitle))
      return nil
    }
    if let path {
      if let other = ["kind", "sport", "matches", "markets"].first(where: { table[$0] != nil }) {
        fault(lines["channel", "\(place)", other], LocalizedMessage(.configTopicAndMore, title.cleaned, other))
      }
      if !path.hasPrefix("/") || path.contains(" ") {
        fault(lines["channel", "\(place)", "topic"], LocalizedMessage(.configNoTopic, path.cleaned))
      }
      return ConfiguredChannel(title: title, content: .topic(path), levels: levels, hasVolumes: hasVolumes)
    }
    guard let word = kindName else {
      fault(line, LocalizedMessage(.configNoTopicNorKind, title.cleaned))
      return nil
    }
    guard let kind = Self.kinds.first(where: { $0.name == word })?.kind else {
      let kinds = LocalizedMessage.list(Self.kinds.map(\.name))
      fault(lines["channel", "\(place)", "kind"], LocalizedMessage(.configNoChoice, "kind", word.cleaned, kinds))
      return nil
    }
    if sport.contains("/") || sport.contains(" ") {
      fault(lines["channel", "\(place)", "sport"], LocalizedMessage(.configNoSport, sport.cleaned))
    }
    return ConfiguredChannel(
      title: title, content: .aggregator(kind, sport: sport, matches: matches, markets: markets ?? 3), levels: levels,
      hasVolumes: hasVolumes)
  }

  private static let kinds: [(name: String, kind: Topic.MatchList)] = [
    ("live", .live), ("next", .next), ("popular", .popular),
  ]
}
