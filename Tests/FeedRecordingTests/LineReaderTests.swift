import Localization
import TestSupport
import Testing

@testable import EveryMatrix
@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lines read from files and pipes.
@Suite(.timeLimit(.minutes(45)))
struct LineReaderTests {
  /// Returns the lines that a reader gets from a file, and the size of its largest read.
  private func read(_ text: String, limit: Int) async -> (lines: [String], largest: Int) {
    let file = TemporaryFile(text)
    lseek(file.descriptor, 0, SEEK_SET)
    var stop: [Int32] = [-1, -1]
    pipe(&stop)
    defer { for end in stop { close(end) } }
    let reader = LineReader(descriptor: file.descriptor, stop: stop[0], interval: .zero, limit: limit)
    var bytes: [UInt8] = []
    var largest = 0
    while case .lines(let lines) = await reader.read() {
      bytes += lines
      largest = max(largest, lines.count)
    }
    return (String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init), largest)
  }

  @Test(
    "Lines are read whole; of a too long line only the beginning is read, as invalid JSON",
    arguments: 0..<20 as Range<UInt64>
  )
  func lines(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    let limit = 200_000
    let lengths = (0..<12).map { _ in
      Int.random(in: 1...3, using: &random) == 1
        ? Int.random(in: limit - 2...limit * 4, using: &random) : Int.random(in: 1...3000, using: &random)
    }
    let lines = lengths.enumerated().map { index, length in
      String(repeating: String(Unicode.Scalar(97 + UInt8(index))), count: length)
    }
    let (found, largest) = await read(
      lines.joined(separator: "\n") + (seed.isMultiple(of: 2) ? "\n" : ""), limit: limit)
    #expect(found == lines.map { $0.utf8.count <= limit ? $0 : $0.prefix(1024) + "\u{1}" }, "seed \(seed)")
    #expect(largest < 10 * limit)
  }

  @Test("The beginning of a too long line is never a message")
  func excerpts() {
    var decoder = MessageDecoder()
    for line in [FeedText.dump(""), "{", "{\"a\":\"", "{\"a\":1", "  ", "\(FeedText.update(""))   "] {
      var batch = FeedBatch()
      let excerpt = LongLine.excerpt(Array(line.utf8))
      excerpt.withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
      #expect(batch.messages.isEmpty && batch.unparsable == 1, "\(line)")
    }
  }

  /// Returns the last connection state of a feed with that text.
  private func end(of text: String) async -> ConnectionState? {
    let file = TemporaryFile(text)
    lseek(file.descriptor, 0, SEEK_SET)
    let transport = NDJSONTransport(descriptor: file.descriptor, format: EveryMatrixFormat(), interval: .zero)
    await transport.subscribe(Subscription(topic: Recording.bareTopic, generation: 1))
    var last: ConnectionState?
    for await event in await transport.connect() { if case .state(let state) = event { last = state } }
    return last
  }

  @Test("Each subscription to a pipe receives all its lines")
  func subscriptions() async {
    let file = TemporaryFile("\(FeedText.dump(""))\n")
    lseek(file.descriptor, 0, SEEK_SET)
    let transport = NDJSONTransport(descriptor: file.descriptor, format: EveryMatrixFormat(), interval: .zero)
    let subscriptions = ["/a", "/b"].map { Subscription(topic: Topic(path: $0), generation: 1) }
    for subscription in subscriptions { await transport.subscribe(subscription) }
    var received: [Subscription] = []
    for await event in await transport.connect() {
      if case .frame(let frame) = event { received.append(frame.subscription) }
    }
    #expect(received == subscriptions)
  }

  @Test("A feed that ends without any message has failed, and one with a message has ended")
  func messages() async {
    let problem = FeedError(.feedWithoutMessages, remedy: .remedyGiveFeed)
    for text in ["", "\n\n", "no JSON\n", "\u{0}\u{1}\u{2}", "5\n{}\n[]", #"{"name":"toteboard"}"#] {
      #expect(await end(of: text) == .failed(problem), "\(text)")
    }
    for text in [
      FeedText.dump(""), "no JSON\n\(FeedText.update(FeedText.odds(121, "2")))\n", recorded(0, FeedText.dump("")),
    ] {
      #expect(await end(of: text) == .ended, "\(text)")
    }
  }

  @Test("A FIFO without a writer can be disconnected, and is read when a writer opens it")
  func fifo() async throws {
    let directory = TemporaryDirectory()
    let path = "\(directory.path)/fifo"
    #expect(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    let left = NDJSONTransport(descriptor: descriptor, format: EveryMatrixFormat(), interval: .zero)
    await left.subscribe(Subscription(topic: Recording.bareTopic, generation: 1))
    let leaving = Task.detached(executorPreference: FeedExecutor()) {
      for await event in await left.connect() { if case .frame = event { return false } }
      return true
    }
    await left.disconnect()
    #expect(try await leaving.cancellableValue)

    let transport = NDJSONTransport(descriptor: descriptor, format: EveryMatrixFormat(), interval: .zero)
    await transport.subscribe(Subscription(topic: Recording.bareTopic, generation: 1))
    let reading = Task.detached(executorPreference: FeedExecutor()) {
      var (frames, last) = (0, ConnectionState.idle)
      for await event in await transport.connect() {
        if case .frame = event { frames += 1 }
        if case .state(let state) = event { last = state }
      }
      return (frames, last)
    }
    let writer = open(path, O_WRONLY)
    let text = Array("\(FeedText.dump(FeedText.football()))\n".utf8)
    #expect(write(writer, text, text.count) == text.count)
    close(writer)
    let (frames, last) = try await reading.cancellableValue
    #expect(frames == 1 && last == .ended)
  }
}
