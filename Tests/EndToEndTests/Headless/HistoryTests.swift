import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("toteboard history and import")
  struct HistoryTests {
    private let directory = TemporaryDirectory()
    private var environment: [String: String?] { ["XDG_DATA_HOME": directory.path] }

    private func run(_ arguments: String...) throws -> Headless.Result {
      try Headless.run(arguments, environment: environment)
    }

    /// Records a feed and imports it.
    private func importSample() throws -> Headless.Result {
      let recording = "\(directory.path)/sample.jsonl"
      let recorded = try Headless.run(["record", recording, "--feed", "-"], input: sampleFeed)
      #expect(recorded.status == .exit(0), "\(recorded.error)")
      return try run("import", recording, "--as", "測試")
    }

    @Test("An import is listed in each format, and a repeated import adds nothing")
    func formats() throws {
      let imported = try importSample()
      #expect(imported.status == .exit(0) && imported.error.contains("history.db"), "\(imported.error)")
      let csv = try run("history", "--format", "csv")
      let lines = csv.output.split(whereSeparator: \.isNewline)
      #expect(csv.status == .exit(0) && csv.error.isEmpty)
      #expect(lines.first == "feed,matchId,match,marketId,market,outcomeId,outcome,time,odds,bettable")
      #expect(lines.count > 3 && lines.dropFirst().allSatisfy { $0.hasPrefix("測試,") })
      let json = try run("history", "--format", "json")
      #expect(json.output.split(whereSeparator: \.isNewline).count == lines.count - 1)
      #expect(json.output.hasPrefix(#"{"feed":"測試","matchId":""#))
      let table = try run("history")
      #expect(table.output.hasPrefix("TIME") && table.output.split(whereSeparator: \.isNewline).count == lines.count)
      let summary = try run("history", "--summary", "--format", "csv")
      #expect(summary.output.contains("outcome,opening,low,high,closing,last,changes"))
      let again = try run("import", "\(directory.path)/sample.jsonl", "--as", "測試")
      #expect(again.status == .exit(0), "\(again.error)")
      #expect(try run("history", "--format", "csv").output == csv.output)
    }

    @Test("A name that a spreadsheet would read as a formula begins with an apostrophe in CSV")
    func formulas() throws {
      let name = #"=HYPERLINK(\"http://x\") - @SUM(A1)"#
      let recording = TemporaryFile(
        #"{"receivedAt":1750752000000,"topic":"/t","message":\#(FeedText.dump(FeedText.football(100, name)))}"# + "\n")
      #expect(try run("import", recording.path, "--as", "+1+cmd").status == .exit(0))
      let text = #""'=HYPERLINK(""http://x"") - @SUM(A1)""#
      let history = try run("history", "--format", "csv").output.split(whereSeparator: \.isNewline)
      #expect(history.count == 4 && history[1].hasPrefix("'+1+cmd,100,\(text),110,"), "\(history)")
      let list = try run("list", "--feed", recording.path, "--format", "csv").output.split(whereSeparator: \.isNewline)
      #expect(list.count == 4 && list[1].hasPrefix("100,\(text),2025-06-24T08:00:00Z,"), "\(list)")
      let changes = try run("changes", "--feed", recording.path, "--format", "csv").output
      #expect(changes.contains(",100,\(text),") && changes.contains(",'@SUM(A1),"), "\(changes)")
    }

    @Test("An import for the address of a feed has the name of the feed in full")
    func address() throws {
      let recording = TemporaryFile(
        #"{"receivedAt":1750752000000,"topic":"/t","message":\#(FeedText.dump(FeedText.football()))}"# + "\n")
      #expect(try run("import", recording.path, "--as", "wss://Example.com").status == .exit(0))
      let lines = try run("history", "--format", "csv").output.split(whereSeparator: \.isNewline)
      let feed = "wss://example.com/v2 example.com"
      #expect(lines.count == 4 && lines.dropFirst().allSatisfy { $0.hasPrefix("\(feed),100,") }, "\(lines)")
    }

    @Test("--since lists only prices that are recent enough, and a filter without results prints only the header")
    func choice() throws {
      _ = try importSample()
      let recent = try run("history", "--format", "csv").output
      // Three prices of June 2025.
      let old = TemporaryFile(
        #"{"receivedAt":1750752000000,"topic":"/t","message":\#(FeedText.dump(FeedText.football()))}"# + "\n")
      #expect(try run("import", old.path).status == .exit(0))
      let all = try run("history", "--format", "csv").output
      #expect(all.split(whereSeparator: \.isNewline).count == recent.split(whereSeparator: \.isNewline).count + 3)
      #expect(try run("history", "--format", "csv", "--since", "1h").output == recent)
      let none = try run("history", "no-such-team", "--format", "csv")
      #expect(none.status == .exit(0) && none.output.split(whereSeparator: \.isNewline).count == 1)
      #expect(try run("history", "no-such-team", "--format", "json").output.isEmpty)
    }

    @Test("The changes of two topics that alternate in a recording keep their times")
    func topics() throws {
      let lines = (0..<20).map { index in
        let match = index % 2 == 0 ? 100 : 200
        let message =
          index < 2
          ? FeedText.dump(FeedText.football(match, odds: ["2.0", "3.1", "2.9"]))
          : FeedText.update(FeedText.odds(match + 21, "2.\(10 + index)"))
        return #"{"receivedAt":\#(1_750_752_000_000 + index * 1000),"topic":"/\#(match)","message":\#(message)}"#
      }
      let recording = TemporaryFile(lines.joined(separator: "\n") + "\n")
      let imported = try run("import", recording.path)
      #expect(imported.status == .exit(0), "\(imported.error)")
      // The prices are of June 2025.
      #expect(imported.error.contains("24 of them are older than history_days, 30,"), "\(imported.error)")
      let changes = try run("history", "--format", "csv").output
      for index in 2..<20 {
        let second = index < 10 ? "0\(index)" : "\(index)"
        #expect(changes.contains("2025-06-24T08:00:\(second)Z,2.\(10 + index)"), "\(changes)")
      }
    }

    @Test("A long table has one header, and the summary counts the changes that the table lists")
    func longTable() throws {
      let lines = (0..<1200).map { index in
        let message =
          index == 0
          ? FeedText.dump(FeedText.football(100, odds: ["2.0", "3.1", "2.9"]))
          : FeedText.update(FeedText.odds(121, "\(2 + index % 2).\(10 + index % 80)"))
        return #"{"receivedAt":\#(1_750_752_000_000 + index * 1000),"topic":"/t","message":\#(message)}"#
      }
      let recording = TemporaryFile(lines.joined(separator: "\n") + "\n")
      #expect(try run("import", recording.path).status == .exit(0))
      let table = try run("history").output.split(whereSeparator: \.isNewline)
      #expect(table.count == 1 + 1202 && table.count { $0.hasPrefix("TIME") } == 1)
      #expect(Set(table.map { $0.split(separator: "  ").count }) == [5])
      let summary = try run("history", "--summary", "--format", "csv").output.split(whereSeparator: \.isNewline)
      #expect(summary.dropFirst().map { $0.split(separator: ",").last } == ["1200", "1", "1"])
    }

    @Test("Errors name the value and the remedy")
    func errors() throws {
      let missing = try run("history")
      #expect(missing.status == .exit(1) && missing.error.contains("history.db"), "\(missing.error)")
      #expect(try run("chart", "ajax").error.contains("history.db"))
      for arguments in [["history", "--since", "soon"], ["chart", "x", "--since", "0m"]] {
        let result = try Headless.run(arguments, environment: environment)
        #expect(result.status != .exit(0) && result.error.contains("'\(arguments.last!)'"), "\(result.error)")
      }
      #expect(try run("history", "(").error.contains("'('"))
      #expect(try run("history", "not minute > 80").error.contains("'minute': remove it"))
      _ = try importSample()
      #expect(try run("chart", "pinned").error.contains("'pinned': remove it"))
      let unknown = try run("chart", "no-such-team")
      #expect(unknown.status == .exit(1) && unknown.error.contains("'no-such-team'"), "\(unknown.error)")
      // Damages the version number in the file.
      let file = open("\(directory.path)/toteboard/history.db", O_RDWR)
      #expect(pwrite(file, [UInt8](repeating: 0, count: 4), 4, 60) == 4)
      close(file)
      for command in [["history"], ["chart", "ajax"]] {
        let damaged = try Headless.run(command, environment: environment)
        #expect(damaged.status == .exit(1) && damaged.error.contains("malformed"), "\(damaged.error)")
      }
      let absent = try run("import", "\(directory.path)/absent.jsonl")
      #expect(absent.status != .exit(0) && absent.error.contains("absent.jsonl"), "\(absent.error)")
    }

    @Test(
      "An import that reaches the file size limit ends with an error, not with a signal",
      .enabled(if: getenv("TOTEBOARD_RACE") == nil, "the thread sanitizer does not start under a limit of file sizes"))
    func fileSizeLimit() throws {
      let recording = "\(directory.path)/sample.jsonl"
      _ = try Headless.run(["record", recording, "--feed", "-"], input: sampleFeed)
      let script = "ulimit -f 8; exec \(Program.path) import \(recording)"
      let result = try Headless.run(["-c", script], program: "/bin/sh", environment: environment)
      #expect(result.status == .exit(1) && result.error.contains("history.db"), "\(result)")
    }
  }
}
