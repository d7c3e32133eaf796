import CLibrary
import Dashboard
import Localization
import OddsModel
import Platform
import TestSupport
import Testing

@testable import toteboard

@Suite("The log of alerts")
struct AlertLogTests {
  private let directory = TemporaryDirectory()
  private var path: String { "\(directory.path)/state/toteboard/alerts.jsonl" }

  private static let texts = [
    "", "Ajax - Porto", "浦和 - 鹿島", "a\"b\\c", "{text}", "é\u{2028}x", "\u{85}\u{7F}", "0", "null", "🏆,;\u{FFFD}",
  ]

  @Test("An entry with any texts is read back as it was written")
  func roundTrip() throws {
    var random = SeededRandom(seed: 1)
    let file = AlertLogFile(path)
    var expected: [AlertLogEntry] = []
    for _ in 0..<300 {
      func text() -> String { Self.texts.randomElement(using: &random)! }
      var entry = AlertLogEntry.sample(text(), text(), rule: text(), id: text())
      entry.time = .random(in: 0...4_000_000_000_000, using: &random)
      entry.feed = text()
      if Bool.random(using: &random) { (entry.market, entry.outcome) = (text(), text()) }
      if Bool.random(using: &random) { entry.odds = "\(DecimalOdds(units: .random(in: 1...1 << 50, using: &random)))" }
      if Bool.random(using: &random) { (entry.previousOdds, entry.score) = ("2.125", "2-1") }
      try file.append(entry.json)
      expected.append(entry)
    }
    let (entries, damaged) = try file.read()
    #expect(entries == expected && damaged == 0)
  }

  @Test("Lines of concurrent writers stay whole and in order, and only the oldest are removed")
  func writers() async throws {
    let (file, count) = (AlertLogFile(path, maxBytes: 20_000), 400)
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<count {
            try? file.append(AlertLogEntry.sample(rule: "\(writer)", id: "\(number)").json)
          }
        }
      }
    }
    let (entries, damaged) = try file.read()
    #expect(damaged == 0)
    #expect(entries.count > 60)
    for writer in 0..<4 {
      let numbers = entries.filter { $0.rule == "\(writer)" }.compactMap { Int($0.matchID) }
      // The lines of a writer that ended early may have been rotated out.
      #expect(numbers == Array((count - numbers.count)..<count), "\(writer)")
    }
    for path in [file.path, file.olderPath] {
      var status = stat()
      // A writer that does not get the lock appends to a full file. How many do so depends on the scheduler.
      #expect(stat(path, &status) == 0 && status.st_size <= 80_000 && status.st_mode & 0o777 == 0o600)
    }
    #expect(directory.names(in: "state/toteboard") == ["alerts.jsonl", "alerts.jsonl.1"])
  }

  @Test("A line cut off by a crash is skipped and counted, and the next alert starts a new line")
  func torn() throws {
    let file = AlertLogFile(path)
    let line = AlertLogEntry.sample().json
    for length in [1, 20, line.count - 2] {
      unlink(path)
      try file.append(line)
      let descriptor = open(path, O_WRONLY | O_APPEND)
      #expect(write(descriptor, line, length) == length)
      close(descriptor)
      #expect(try file.read().entries.count == 1 && file.read().damaged == 1)
      try file.append(line)
      let (entries, damaged) = try file.read()
      #expect(entries == [.sample(), .sample()] && damaged == 1, "\(length)")
    }
  }

  @Test("Without a file there are no entries, and no error")
  func empty() throws {
    let (entries, damaged) = try AlertLogFile(path).read()
    #expect(entries.isEmpty && damaged == 0)
  }

  @Test("A full disk gives one message for any number of alerts")
  func full() async {
    let messages = Locked<[LocalizedMessage]>([])
    let writer = AlertLogWriter(AlertLogFile("/dev/full")) { message in messages.withLock { $0.append(message) } }
    for _ in 0..<3 {
      writer.write([.sample(), .sample()])
      writer.finish()
    }
    let texts = messages.withLock { $0.map { Catalog.english.text($0) } }
    #expect(texts.count == 1 && texts[0].contains("/dev/full") && texts[0].contains("No space left"), "\(texts)")
  }

  @Test("Each format has all entries")
  func formats() {
    let entries = [AlertLogEntry.sample("浦和, \"A\" - B"), .sample()]
    func text(_ format: AlertsCommand.Format) -> String {
      String(decoding: AlertOutput(format).text(of: entries), as: UTF8.self)
    }
    #expect(
      text(.table) == """
        TIME                      EVENT  MATCH          TEXT    RULE
        2025-06-24T08:00:00.123Z  price  浦和, "A" - B  1 2.10  rule 1
        2025-06-24T08:00:00.123Z  price  Ajax - Porto   1 2.10  rule 1

        """)
    #expect(
      text(.csv).split(separator: "\r\n").prefix(2) == [
        "time,feed,event,rule,matchId,match,text,market,outcome,odds,previousOdds,score",
        "2025-06-24T08:00:00.123Z,simulated,price,rule 1,100,\"浦和, \"\"A\"\" - B\",1 2.10,,,,,",
      ])
    #expect(
      text(.json).split(separator: "\n").last
        == #"{"time":"2025-06-24T08:00:00.123Z","feed":"simulated","event":"price","rule":"rule 1","matchId":"100","match":"Ajax - Porto","text":"1 2.10"}"#
    )
  }
}
