import Dashboard
import JSONText
import Localization
import OddsModel
import Platform
import TerminalCore

/// A line of the log: an alert, or a note about the command or the web request of an alert.
struct AlertLogEntry: Hashable, Sendable {
  /// The event of a note about a command, and of one about a web request. Other events are those of `AlertReport.Kind`.
  static let command = "command"
  static let webhook = "webhook"

  /// The time in milliseconds since 1970.
  var time: Int64
  /// The feed of the match: its address, its path or `simulated`.
  var feed: String
  var event: String
  var rule: String
  var matchID: String
  var match: String
  var text: String
  var market: String?
  var outcome: String?
  var odds: String?
  var previousOdds: String?
  var score: String?

  init(_ report: AlertReport, feed: String) {
    time = report.time
    self.feed = feed
    event = report.kind.rawValue
    rule = report.rule
    matchID = report.matchID
    match = report.match
    text = report.text
    market = report.market
    outcome = report.outcome
    odds = report.odds
    previousOdds = report.previousOdds
    score = report.score
  }

  /// Creates a note about the command or request that an alert has started.
  init(_ event: String, _ note: LocalizedMessage, about alert: AlertLogEntry) {
    self = alert
    time = ClientClock.wallTime()
    self.event = event
    text = CLILanguage.words.text(note).cleaned
    market = nil
    outcome = nil
    odds = nil
    previousOdds = nil
    score = nil
  }

  /// The fields in their order, without the time.
  private static let fields: [(name: StaticString, path: any WritableKeyPath<AlertLogEntry, String> & Sendable)] = [
    ("feed", \.feed), ("event", \.event), ("rule", \.rule), ("matchId", \.matchID), ("match", \.match),
    ("text", \.text),
  ]
  private static let optionalFields:
    [(name: StaticString, path: any WritableKeyPath<AlertLogEntry, String?> & Sendable, isNumber: Bool)] = [
      ("market", \.market, false), ("outcome", \.outcome, false), ("odds", \.odds, true),
      ("previousOdds", \.previousOdds, true), ("score", \.score, false),
    ]

  /// The names of all fields.
  static let names = ["time"] + fields.map { "\($0.name)" } + optionalFields.map { "\($0.name)" }

  /// The values of all fields, empty if there is none.
  var values: [String] {
    [ISOTime.text(time)] + Self.fields.map { self[keyPath: $0.path] }
      + Self.optionalFields.map { self[keyPath: $0.path] ?? "" }
  }

  /// The entry as a line of JSON. Fields without a value are left out.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writeFields(to: &$0) }
    writer.newline()
    return writer.bytes
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.field("time", ISOTime.text(time))
    for field in Self.fields { writer.field(field.name, self[keyPath: field.path]) }
    for field in Self.optionalFields {
      guard let value = self[keyPath: field.path] else { continue }
      if field.isNumber { writer.field(field.name, number: value) } else { writer.field(field.name, value) }
    }
  }
}

extension AlertLogEntry {
  /// Parses a line of JSON. Nil if it is no entry. Unknown fields are ignored.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard JSONCursor.isOneValue(line) else { return nil }
    var texts: [String: String] = [:]
    var cursor = JSONCursor(line)
    do throws(JSONError) {
      try cursor.decodedFields { key, cursor throws(JSONError) in
        switch cursor.peek() {
        case UInt8(ascii: "\""): texts[key] = try cursor.text()
        case UInt8(ascii: "{"), UInt8(ascii: "["): try cursor.skip()
        default: texts[key] = String(decoding: try cursor.bare(), as: UTF8.self)
        }
      }
    } catch { return nil }
    guard let time = texts["time"].flatMap(ISOTime.milliseconds), texts["event"] != nil else { return nil }
    let report = AlertReport(time: time, kind: .price, rule: "", matchID: "", match: "", text: "")
    self.init(report, feed: "")
    for field in Self.fields { self[keyPath: field.path] = texts["\(field.name)"] ?? "" }
    for field in Self.optionalFields {
      // A number is written without quotes, so a text that is no number is dropped.
      let text = texts["\(field.name)"]
      self[keyPath: field.path] =
        field.isNumber
        ? text.flatMap { text in
          var text = text
          return text.withUTF8(JSONValue.fixed).map { "\(DecimalOdds(units: $0))" }
        } : text
    }
  }
}
