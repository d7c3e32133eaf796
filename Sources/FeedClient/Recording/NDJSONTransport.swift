import Localization
public import OddsFeed
import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A feed of JSON lines from a pipe, a file or a terminal. It is one channel: whatever is subscribed gets all of it.
///
/// Pulling an event blocks the puller's thread until there is one: read it on a `FeedExecutor`. What nobody has pulled
/// stays in the pipe. Data after a quiet moment is read at once; while it streams, reads are
/// `interval` apart, because one large read costs far less than many small ones.
public final class NDJSONTransport: FeedTransport {
  /// A pipe that has been silent for so long is not called live any more.
  public static let delayedAfter = Duration.seconds(10)

  public var updatesMayPrecedeDump: Bool { false }
  public let silenceLimits: SilenceLimits?

  private let descriptor: Int32
  private let interval: Duration
  private let stopSignal: (read: Int32, write: Int32)
  /// Why there is no pipe to stop reading by: then there is no feed either.
  private let pipeError: Int32?
  private let state = Locked(State())

  private struct State {
    var subscription: Subscription?
    var subscribed: CheckedContinuation<Void, Never>?
    var isStopped = false
    var search = MessageSearch()
  }

  /// A feed from an open file descriptor, which stays the caller's. `interval` is the least time between reads. Where the
  /// feed has been silent for `timeout` its prices are locked until the next line; nil never locks them.
  public init(descriptor: Int32, interval: Duration, timeout: Duration? = nil) {
    self.descriptor = descriptor
    self.interval = interval
    silenceLimits = SilenceLimits(delayed: Self.delayedAfter, locked: timeout)
    var ends: [Int32] = [-1, -1]
    pipeError = pipe(&ends) == 0 ? nil : errno
    stopSignal = (ends[0], ends[1])
    #if os(Linux)
      // 1031 is F_SETPIPE_SZ. It fails on what is no pipe, and then nothing is lost.
      _ = fcntl(descriptor, 1031, 1 << 20)
    #endif
  }

  deinit {
    close(stopSignal.read)
    close(stopSignal.write)
  }

  public func connect() async -> AsyncStream<TransportEvent> {
    let reader = LineReader(descriptor: descriptor, stop: stopSignal.read, interval: interval)
    let phase = Locked(Phase.opening)
    return AsyncStream { await self.next(phase: phase, reader) }
  }

  public func disconnect() async {
    let waiting = state.withLock { state in
      defer { (state.isStopped, state.subscribed) = (true, nil) }
      return state.subscribed
    }
    waiting?.resume()
    _ = write(stopSignal.write, [0], 1)
  }

  public func subscribe(_ subscription: Subscription) async {
    let waiting = state.withLock { state in
      defer { (state.subscription, state.subscribed) = (subscription, nil) }
      return state.subscribed
    }
    waiting?.resume()
  }

  public func unsubscribe(_ subscription: Subscription) async {
    state.withLock { if $0.subscription == subscription { $0.subscription = nil } }
  }

  private enum Phase { case opening, reading, over }

  private func next(phase: Locked<Phase>, _ reader: LineReader) async -> TransportEvent? {
    let now = phase.withLock { phase in
      defer { if phase == .opening { phase = .reading } }
      return phase
    }
    if now == .opening, let pipeError {
      phase.withLock { $0 = .over }
      let reason = LocalizedMessage.foreign(String(cString: strerror(pipeError)))
      return .state(.failed(FeedError(.feedUnreadable, reason, remedy: .remedyReadableFeed)))
    }
    if now == .opening { return .state(.live) }
    guard now == .reading, let subscription = await subscription() else { return nil }
    switch reader.read() {
    case .lines(let bytes):
      bytes.withUnsafeBufferPointer { bytes in state.withLock { $0.search.add(bytes) } }
      return .frame(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines))
    case .end:
      phase.withLock { $0 = .over }
      if state.withLock({ $0.search.hasFound }) { return .state(.ended) }
      return .state(.failed(FeedError(.feedWithoutMessages, remedy: .remedyGiveFeed)))
    case .failed(let why):
      phase.withLock { $0 = .over }
      return .state(.failed(why))
    case .stopped: return nil
    }
  }

  /// The subscription that lines belong to, once there is one; nil after `disconnect()`.
  private func subscription() async -> Subscription? {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.isStopped || state.subscription != nil { return true }
        state.subscribed = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
    return state.withLock { $0.isStopped ? nil : $0.subscription }
  }
}
