import ArgumentParser
import FeedClient
import Locking
import OddsFeed

/// `toteboard inspect`: what recordings hold and what is wrong with them.
struct Inspect: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case table, json }

  static let configuration = CommandConfiguration(
    abstract: "Print what recordings hold and what is wrong with them.",
    discussion: """
      Messages and records by type, topics, times, rates, sizes, lag; records set aside, with line and reason; what \
      the feed promises and does not keep: a CREATE of an id that is there, an UPDATE or DELETE of one that is not, a \
      foreign key that never resolves; and how fast the engine reads it all. Files are read one after the other as \
      one feed.
      """)

  @Argument(help: ArgumentHelp("Recordings or JSON lines; '-' is standard input.", valueName: "file"))
  var files: [String]

  @Option(help: "table or json.")
  var format = Format.table

  @Option(help: "Print at most so many single findings, 0 to 1000.")
  var findings = 20

  @OptionGroup var bounds: StoreBounds
  @OptionGroup var speech: SpeechOption

  mutating func validate() throws {
    if let address = files.first(where: { $0.contains("://") }) {
      throw ValidationError("'\(address)' is no file: record it first with 'toteboard record FILE --feed \(address)'")
    }
    guard 0...Inspection.mostFindings ~= findings else {
      throw ValidationError("--findings '\(findings)' is out of range: give 0 to \(Inspection.mostFindings)")
    }
  }

  mutating func run() throws {
    let inspection = Locked(Inspection(options: bounds.options))
    for file in files {
      var options = FeedOptions()
      options.feed = file
      let feed = try options.openWhole()
      do {
        try FeedFollower(feed: feed).frames { frame in
          inspection.withLock { $0.add(frame) }
        }
      } catch let failure as Failure { throw Failure("'\(file)': \(failure)") }
    }
    let report = inspection.withLock { inspection in
      inspection.finish()
      return format == .json ? inspection.json(findings: findings) : Array(inspection.table(findings: findings).utf8)
    }
    try Output.send(report)
  }
}
