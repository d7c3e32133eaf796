import ArgumentParser
import EveryMatrix
import Foundation
import NIOCore
import NIOPosix
import OddsModel
import Platform

@main
struct Load: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toteboard-load",
    abstract: "Measure the server under load: delivery times, throughput, memory and CPU time.",
    discussion: """
      Starts toteboard-server from its own directory, connects clients to one channel, on one thread, and counts the \
      updates they receive. The delivery time of an update runs from its version, which is the time at which the \
      simulated feed created it, to the read that completes it.
      """)

  @Option(help: "Number of clients. (default: two runs, 2000 clients at 100 updates/s and 50 at 10000)")
  var clients: Int?

  @Option(help: "Odds updates per second.")
  var rate = 100.0

  @Option(help: "Number of matches in the simulated feed.")
  var matches = 100

  @Option(help: "Duration of the measurement, in seconds.")
  var seconds = 15

  @Option(help: "URL of a running server; its memory and CPU time are then not measured.")
  var url: String?

  func run() throws {
    FileLimit.raise()
    var table = Table([
      "clients", "updates/s", "frames/s", "MB/s", "min ms", "p50 ms", "p99 ms", "max ms", "lost", "kB/client",
      "server CPU", "load CPU",
    ])
    for (clients, rate) in clients.map({ [($0, rate)] }) ?? [(2000, 100), (50, 10_000)] {
      table.add(try measure(clients: clients, rate: rate))
    }
    table.show()
  }

  /// The number of clients that connect at the same time.
  private static let group = 50
  /// The longest time for a group of clients to connect.
  private static let timeout = TimeAmount.seconds(60)

  private func measure(clients: Int, rate: Double) throws -> [String] {
    let server =
      try url.map { try ServerProcess(url: $0) } ?? ServerProcess(rate: rate, matches: matches, clients: clients)
    defer { server.stop() }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let loop = group.next()
    let gauge = NIOLoopBoundBox.makeBoxSendingValue(Gauge(), eventLoop: loop)
    let topic = Topic.aggregator(.live, matches: matches)
    let bootstrap = ClientBootstrap(group: group).channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(LoadClient(topic: topic, gauge: gauge.value))
        }
      }
    // Connects one client before the measurement of memory, to exclude the cost of the topic itself.
    try connect(1, of: bootstrap, to: server, gauge, loop)
    Thread.sleep(forTimeInterval: 1)
    let before = server.resident
    for first in stride(from: 1, to: clients, by: Self.group) {
      try connect(min(first + Self.group, clients), of: bootstrap, to: server, gauge, loop)
    }
    Thread.sleep(forTimeInterval: 2)
    let start = (server.processorTime, SystemProcess.own.processorTime)
    try loop.submit { gauge.value.begin() }.wait()
    Thread.sleep(forTimeInterval: Double(seconds))
    let (reading, lost) = try loop.submit { (gauge.value.end(), gauge.value.lost) }.wait()
    let end = (server.processorTime, SystemProcess.own.processorTime)
    if let reason = try loop.submit({ gauge.value.lastReason }).wait() {
      FileHandle.standardError.write(Data("some clients were lost; last reason: \(reason)\n".utf8))
    }
    let memory = server.resident
    return [
      "\(clients)", rate.text(0), (Double(reading.frames) / Double(seconds)).text(0),
      (Double(reading.bytes) / Double(seconds) / 1e6).text(1), reading.times[0].text(1), reading.times[1].text(1),
      reading.times[2].text(1), reading.times[3].text(1), "\(lost)",
      memory.flatMap { memory in before.map { Double(memory - $0) / Double(max(1, clients - 1)) / 1000 } }?.text(1)
        ?? "?", share(start.0, end.0), share(start.1, end.1),
    ]
  }

  private func connect(
    _ count: Int, of bootstrap: ClientBootstrap, to server: ServerProcess, _ gauge: NIOLoopBoundBox<Gauge>,
    _ loop: any EventLoop
  ) throws {
    let there = try loop.submit { gauge.value.live + gauge.value.lost }.wait()
    for _ in there..<count {
      bootstrap.connect(host: server.host, port: server.port).whenFailure { error in
        loop.execute { gauge.value.ended(isLive: false, "\(error)") }
      }
    }
    let promise = loop.makePromise(of: Void.self)
    loop.execute { gauge.value.wait(for: count, promise) }
    let late = loop.scheduleTask(in: Self.timeout) {
      let seconds = Self.timeout.nanoseconds / 1_000_000_000
      promise.fail(
        LoadError("clients were not live after '\(seconds)' s: the machine is too busy; use fewer --clients"))
    }
    try promise.futureResult.wait()
    late.cancel()
  }

  private func share(_ start: Double?, _ end: Double?) -> String {
    guard let start, let end else { return "?" }
    return "\(((end - start) / Double(seconds) * 100).text(0)) %"
  }
}

extension Double {
  fileprivate func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

/// A text table with right-aligned columns.
struct Table {
  private var rows: [[String]]

  init(_ head: [String]) { rows = [head] }

  mutating func add(_ row: [String]) { rows.append(row) }

  func show() {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
    for (place, row) in rows.enumerated() {
      let cells = zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
      print("| \(cells.joined(separator: " | ")) |")
      if place == 0 { print("|\(widths.map { String(repeating: "-", count: $0 + 1) + ":" }.joined(separator: "|"))|") }
    }
  }
}
