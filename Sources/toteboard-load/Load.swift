import ArgumentParser
import EveryMatrix
import Foundation
import OddsModel
import Platform

@main
struct Load: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toteboard-load",
    abstract: "Measure the server under load: delivery times, throughput, memory and CPU time.",
    discussion: """
      Starts toteboard-server from its own directory, connects clients to it, and counts the updates they receive. \
      The delivery time of an update runs from its version, which is the time at which the simulated feed created it, \
      to the read that completes it. Both are times of this machine's clock: the feed has to run on this machine.
      """)

  @Option(help: "Number of clients. (default: two runs, 2000 clients at 100 updates/s and 50 at 10000)")
  var clients: Int?

  @Option(
    help: """
      Number of topics of each client, 1 to \(Self.lists.count). 1: the matches in progress of all sports. More: the \
      matches in progress, and those that have not started, of single sports.
      """)
  var topics = 1

  @Option(help: "Odds updates per second. Without --clients it has no effect, and with --url it is only printed.")
  var rate = 100.0

  @Option(help: "Number of matches in the simulated feed, and at most in each topic.")
  var matches = 100

  @Option(help: "Duration of the measurement, in seconds.")
  var seconds = 15

  @Option(
    help: ArgumentHelp(
      """
      URLs of running servers, separated by commas. The clients are distributed over them; those of each server are \
      one thread.
      """, valueName: "url[,url…]"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "Process of a running server or another part of a cluster, to measure its memory and CPU time (repeatable).",
      valueName: "name=pid"))
  var process: [String] = []

  @Flag(help: "Print 'measuring' when the measurement begins, and the results as JSON.")
  var json = false

  mutating func validate() throws {
    if url == nil, !process.isEmpty {
      throw ValidationError("--process has no effect without --url: add the URL of the running server, or remove it")
    }
    if !(1...Self.lists.count).contains(topics) {
      throw ValidationError("--topics '\(topics)' is not a number from 1 to \(Self.lists.count): use one of these")
    }
    if seconds < 1 { throw ValidationError("--seconds '\(seconds)' is too short: use at least 1") }
    if let clients, clients < 1 { throw ValidationError("--clients '\(clients)' is too few: use at least 1") }
  }

  func run() throws {
    FileLimit.raise()
    var table = Table(LoadResult.head)
    for (clients, rate) in clients.map({ [($0, rate)] }) ?? [(2000, 100), (50, 10_000)] {
      let result = try measure(clients: clients, rate: rate)
      if let reason = result.lastReason {
        FileHandle.standardError.write(Data("some clients were lost; last reason: \(reason)\n".utf8))
      }
      if json { print(try result.json()) } else { table.add(result.row(rate: rate)) }
    }
    if !json { table.show() }
  }

  private func measure(clients: Int, rate: Double) throws -> LoadResult {
    let server =
      try url.map { try ServerProcess(urls: $0, processes: process) }
      ?? ServerProcess(rate: rate, matches: matches, clients: clients)
    defer { server.stop() }
    var run = LoadRun(server: server, topics: selectedTopics)
    defer { run.stop() }
    try run.connect(clients)
    if json {
      print("measuring")
      fflush(nil)
    }
    return try run.measure(seconds: seconds)
  }

  private var selectedTopics: [Topic] {
    if topics == 1 { return [.aggregator(.live, matches: matches)] }
    return Self.lists.prefix(topics).map { .aggregator($0, sport: $1, matches: matches) }
  }

  /// Lists that have no match in common: of football, basketball, ice hockey, tennis and volleyball.
  private static let lists: [(Topic.MatchList, String)] = ["1", "8", "6", "3", "20"].flatMap { sport in
    [(.live, sport), (.next, sport)]
  }
}
