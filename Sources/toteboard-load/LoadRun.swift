import Foundation
import NIOCore
import NIOPosix
import OddsModel

/// The clients of one measurement. Those of each server share an event loop.
struct LoadRun {
  /// The number of clients that connect at the same time.
  private static let groupSize = 50
  /// The maximum time for a group of clients to connect.
  private static let timeout = TimeAmount.seconds(60)

  /// The clients of one server.
  private struct Target {
    let address: ServerProcess.Address
    let loop: any EventLoop
    let gauge: NIOLoopBoundBox<Gauge>
  }

  private let server: ServerProcess
  private let topics: [Topic]
  private let threads: MultiThreadedEventLoopGroup
  private let targets: [Target]
  private var clients = 0
  /// The resident memory of each process when each server had one client, in bytes.
  private var memory: [Int?] = []

  init(server: ServerProcess, topics: [Topic]) {
    let threads = MultiThreadedEventLoopGroup(numberOfThreads: server.addresses.count)
    self.server = server
    self.topics = topics
    self.threads = threads
    targets = server.addresses.map { address in
      let loop = threads.next()
      return Target(
        address: address, loop: loop, gauge: NIOLoopBoundBox.makeBoxSendingValue(Gauge(), eventLoop: loop))
    }
  }

  func stop() { try? threads.syncShutdownGracefully() }

  /// Connects this many clients, distributed evenly over the servers.
  mutating func connect(_ count: Int) throws {
    // One client of each server comes before the measurement of memory, to exclude the cost of the topics themselves.
    try connect(upTo: min(count, targets.count))
    Thread.sleep(forTimeInterval: 1)
    memory = server.processes.map(\.resident)
    while clients < count { try connect(upTo: min(clients + Self.groupSize, count)) }
    Thread.sleep(forTimeInterval: 2)
  }

  func measure(seconds: Int) throws -> LoadResult {
    let before = ProcessorTimes(server.processes)
    for target in targets { try target.loop.submit { target.gauge.value.begin() }.wait() }
    let start = ContinuousClock.now
    Thread.sleep(forTimeInterval: Double(seconds))
    let duration = (ContinuousClock.now - start) / .seconds(1)
    let readings = try targets.map { target in try target.loop.submit { target.gauge.value.end() }.wait() }
    let times = ProcessorTimes(server.processes).since(before)
    let processes = server.processes.enumerated().map { index, process in
      LoadResult.Process(
        name: process.name, processorTime: times.processes[index], memory: process.resident, memoryBefore: memory[index]
      )
    }
    return LoadResult(
      clients: clients, threads: targets.count, seconds: duration, reading: readings.dropFirst().reduce(readings[0], +),
      times: times, processes: processes)
  }

  private mutating func connect(upTo count: Int) throws {
    var waits: [EventLoopFuture<Void>] = []
    for (index, target) in targets.enumerated() {
      let (first, end) = (share(of: clients, index), share(of: count, index))
      connect(first..<end, to: target)
      let promise = target.loop.makePromise(of: Void.self)
      target.loop.execute { target.gauge.value.wait(for: end, promise) }
      let late = target.loop.scheduleTask(in: Self.timeout) {
        let seconds = Self.timeout.nanoseconds / 1_000_000_000
        promise.fail(
          LoadError("clients were not live after '\(seconds)' s: the machine is too busy; use fewer --clients"))
      }
      promise.futureResult.whenComplete { _ in late.cancel() }
      waits.append(promise.futureResult)
    }
    for wait in waits { try wait.wait() }
    clients = count
  }

  /// Returns the number of clients of a target.
  private func share(of clients: Int, _ index: Int) -> Int { (clients + targets.count - 1 - index) / targets.count }

  private func connect(_ numbers: Range<Int>, to target: Target) {
    let (topics, gauge) = (topics, target.gauge)
    for number in numbers {
      ClientBootstrap(group: target.loop).channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelOption(.maxMessagesPerRead, value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              LoadClient(topics: topics, gauge: gauge.value, countsUpdates: number == 0))
          }
        }
        .connect(host: target.address.host, port: target.address.port)
        .whenFailure { error in gauge.value.ended(isLive: false, "\(error)") }
    }
  }
}
