import CLibrary
import Localization
public import OddsFeed
import OddsModel
package import Platform

/// A feed of JSON lines from a pipe, a file or a terminal. It is a single channel: every subscription receives all
/// lines.
///
/// Reading an event blocks the thread until one arrives, so it must run on a `FeedExecutor`, or on the
/// `readingExecutor`. Unread data stays in the pipe. Data after a pause is read at once; continuous data is read every
/// `interval`, because one large read costs far less than many small ones.
public final class NDJSONTransport: FeedTransport, ThreadSharingTransport {
  /// The duration of silence after which the feed counts as delayed.
  public static let delayedAfter = Duration.seconds(10)

  public var updatesMayPrecedeDump: Bool { false }
  public let silenceLimits: SilenceLimits?

  private let descriptor: Int32
  private let interval: Duration
  private let stopSignal: (read: Int32, write: Int32)
  /// The error that prevented creation of the stop pipe; the feed fails with it.
  private let pipeError: Int32?
  private let format: any FeedFormat
  private let state: Locked<State>

  private struct State {
    var subscriptions: [Subscription] = []
    var subscribed: CheckedContinuation<Void, Never>?
    /// The frames with the last lines read, for the subscriptions that have not received them.
    var frames: [TransportFrame] = []
    var isStopped = false
    var search: MessageSearch
    /// The thread with other work that reads the feed while it is quiet; nil if there is none.
    var thread: (any InputThread)?
  }

  /// Creates a feed from an open file descriptor, which the caller must close.
  ///
  /// - Parameters:
  ///   - interval: The shortest time between two reads.
  ///   - timeout: The duration of silence after which prices are locked until the next line; nil for never.
  package init(descriptor: Int32, format: any FeedFormat, interval: Duration, timeout: Duration? = nil) {
    self.descriptor = descriptor
    self.format = format
    state = Locked(State(search: MessageSearch(format)))
    self.interval = interval
    silenceLimits = SilenceLimits(delayed: Self.delayedAfter, locked: timeout)
    var ends: [Int32] = [-1, -1]
    pipeError = pipe(&ends) == 0 ? nil : errno
    stopSignal = (ends[0], ends[1])
    #if os(Linux)
      // 1031 is F_SETPIPE_SZ. It fails harmlessly if the descriptor is not a pipe.
      _ = fcntl(descriptor, 1031, 1 << 20)
    #endif
  }

  deinit {
    close(stopSignal.read)
    close(stopSignal.write)
  }

  public func makeDecoder() -> any FeedDecoder { format.makeDecoder() }

  /// Reads the feed on a thread with other work while little data comes and the thread does not block. Has no effect on
  /// a feed that is neither a pipe nor a socket, whose reads may block even if poll(2) has announced data. Call before
  /// `connect()`.
  package func read(on thread: any InputThread) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    guard [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
    state.withLock { $0.thread = thread }
  }

  /// True if the feed is the controlling terminal of this process.
  package var isOwnTerminal: Bool { tcgetsid(descriptor) == getsid(0) }

  package var readingExecutor: (any TaskExecutor)? { state.withLock { $0.thread?.tasks } }

  public func connect() async -> AsyncStream<TransportEvent> {
    let reader = LineReader(descriptor: descriptor, stop: stopSignal.read, interval: interval)
    let phase = Locked(Phase.opening)
    return AsyncStream { await self.next(phase: phase, reader) }
  }

  public func disconnect() async {
    let waiting = state.withLock { state in
      defer {
        state.isStopped = true
        state.subscribed = nil
      }
      return state.subscribed
    }
    waiting?.resume()
    _ = write(stopSignal.write, [0], 1)
  }

  public func subscribe(_ subscription: Subscription) async {
    let waiting = state.withLock { state in
      state.subscriptions.append(subscription)
      return state.subscribed.take()
    }
    waiting?.resume()
  }

  public func unsubscribe(_ subscription: Subscription) async {
    state.withLock { $0.subscriptions.removeAll { $0 == subscription } }
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
    guard now == .reading else { return nil }
    if let frame = state.withLock({ $0.frames.popLast() }) { return .frame(frame) }
    guard await isSubscribed() else { return nil }
    switch await reader.read(on: state.withLock { $0.thread }) {
    case .lines(let bytes):
      bytes.withUnsafeBufferPointer { bytes in state.withLock { $0.search.add(bytes) } }
      let frame = state.withLock { state in
        state.frames = state.subscriptions.reversed().map {
          TransportFrame(subscription: $0, bytes: bytes, framing: .lines)
        }
        return state.frames.popLast()
      }
      // The last subscription may have ended while the lines were read. They are lost then, as those before the first.
      return frame.map(TransportEvent.frame) ?? .alive()
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

  /// Waits for a subscription that receives the lines. Returns false after `disconnect()`.
  private func isSubscribed() async -> Bool {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.isStopped || !state.subscriptions.isEmpty { return true }
        state.subscribed = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
    return state.withLock { !$0.isStopped }
  }
}
