import ArgumentParser
import Dashboard
import OddsFeed
import TOMLKit
import Wording

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The board's channels as a user's file has them.
enum ChannelConfig {
  /// Something in the file that cannot be used.
  private struct Fault: Error {
    /// Counted from 1; nil where the whole file is meant.
    let line: Int?
    let what: Sentence

    init(_ line: Int?, _ what: Phrase, _ values: any Sayable...) {
      self.line = line
      self.what = Sentence(what, values: values)
    }
  }

  /// The standard channels, changed and followed by those of the file; of `file`, or else of the usual place, where a
  /// missing file is none.
  static func channels(
    file: String?, template: TopicTemplate, environment: [String: String]
  ) throws -> [BoardChannel] {
    guard let path = file ?? usualPath(environment) else { return template.standardChannels }
    guard let text = try content(of: path, isWanted: file != nil) else { return template.standardChannels }
    do { return try channels(text, template) } catch let fault as Fault {
      guard let line = fault.line else { throw ValidationError(.failureOf, path, fault.what) }
      throw ValidationError(.configFault, path, "\(line)", fault.what)
    }
  }

  private static func usualPath(_ environment: [String: String]) -> String? {
    // A relative path is to be ignored (XDG Base Directory Specification).
    let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config" }
    return (base ?? home).map { "\($0)/toteboard/config.toml" }
  }

  private static func content(of path: String, isWanted: Bool) throws -> String? {
    guard let file = fopen(path, "re") else {
      if !isWanted, errno == ENOENT || errno == ENOTDIR { return nil }
      throw ValidationError(.configUnopened, path, Sentence.ofLastCall)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    guard count < bytes.count, let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw ValidationError(.configIsNone, path)
    }
    return text
  }

  private static func channels(_ text: String, _ template: TopicTemplate) throws -> [BoardChannel] {
    let root: TOMLTable
    do { root = try TOMLTable(string: text) } catch let error as TOMLParseError {
      throw Fault(error.source.begin.line, .configNoTOML, Sentence.foreign(error.description))
    }
    try check(root, knows: ["standard_channels", "channel"], line: nil)
    guard let keepsStandard = root["standard_channels"].map(\.bool) ?? true else {
      throw Fault(nil, .configStandardChannels)
    }
    var channels = keepsStandard ? template.standardChannels : []
    guard let list = root["channel"] else { return try whole(channels) }
    guard let tables = list.array else { throw Fault(nil, .configChannelNoList) }
    let lines = lineNumbers(of: text)
    for (place, table) in tables.enumerated() {
      let line = place < lines.count ? lines[place] : nil
      guard let table = table.table else { throw Fault(line, .configChannelNoTable) }
      let channel = try channel(table, template, line)
      if let same = channels.firstIndex(where: { $0.isCalled(channel.title) }) {
        channels[same] = channel
      } else {
        channels.append(channel)
      }
    }
    return try whole(channels)
  }

  private static func whole(_ channels: [BoardChannel]) throws -> [BoardChannel] {
    if channels.isEmpty { throw Fault(nil, .configNoChannel) }
    return channels
  }

  private static func channel(_ table: TOMLTable, _ template: TopicTemplate, _ line: Int?) throws -> BoardChannel {
    try check(table, knows: ["title", "topic", "kind", "sport", "matches", "markets"], line: line)
    func text(_ key: String) throws -> String? {
      guard let value = table[key] else { return nil }
      guard let text = value.string ?? (key == "sport" ? value.int.map(String.init) : nil), !text.isEmpty,
        !text.contains(where: { $0.isNewline || $0 == "\t" })
      else { throw Fault(line, .configNoText, key) }
      return text
    }
    func number(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
      guard let value = table[key] else { return nil }
      guard let number = value.int, range ~= number else {
        throw Fault(line, .configOutOfRange, key, "\(range.lowerBound)", "\(range.upperBound)")
      }
      return number
    }
    guard let title = try text("title") else { throw Fault(line, .configNoTitle) }
    if let topic = try text("topic") {
      if let other = ["kind", "sport", "matches", "markets"].first(where: { table[$0] != nil }) {
        throw Fault(line, .configTopicAndMore, title.cleaned, other)
      }
      guard topic.hasPrefix("/"), !topic.contains(" ") else {
        throw Fault(line, .configNoTopic, topic.cleaned)
      }
      return BoardChannel(title: title, topic: template.topic(topic))
    }
    guard let kind = try text("kind").map({ kinds[$0] }) ?? nil else {
      throw Fault(line, .configNoTopicNorKind, title.cleaned)
    }
    let sport = try text("sport") ?? Topic.allSports
    guard !sport.contains("/"), !sport.contains(" ") else {
      throw Fault(line, .configNoSport, sport.cleaned)
    }
    let topic = template.aggregator(
      kind, sport: sport, matches: try number("matches", 1...20_000), markets: try number("markets", 1...1000) ?? 3)
    return BoardChannel(title: title, topic: topic)
  }

  private static let kinds: [String: Topic.Aggregator] = ["live": .live, "next": .next, "popular": .popular]

  private static func check(_ table: TOMLTable, knows keys: [String], line: Int?) throws {
    guard let other = table.keys.first(where: { !keys.contains($0) }) else { return }
    throw Fault(line, .configUnknownKey, other.cleaned, Sentence.list(keys))
  }

  /// Where each `[[channel]]` stands; TOMLKit does not say.
  private static func lineNumbers(of text: String) -> [Int] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { place, line in
      line.filter { $0 != " " && $0 != "\t" }.hasPrefix("[[channel]]") ? place + 1 : nil
    }
  }
}
