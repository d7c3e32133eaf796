import AccountModel
import Dispatch
import EveryMatrix
import Localization
import OddsModel
import Platform
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// A running board whose screen, input, feed and account are controlled by a test.
final class RuntimeHarness: Sendable {
  private let recorder = EventRecorder<String>()
  private let limits = EventRecorder<Int>()
  let input: MemoryInput
  let account: HarnessAccount
  private let canReconnect: Bool
  private let settings: BoardSettings
  private let update: ChannelUpdate?
  private let history: (any PriceHistorySource)?
  private let matchGate: Gate?
  private let logsScreen: Bool

  /// Creates a harness whose feed delivers `update`, if any, and nothing else. A slow account that is suspended does
  /// not report that its connections are closed before it is resumed. With `matchGate` the feed has topics of matches,
  /// each of which passes that gate before it is open.
  init(
    isSlow: Bool = false, canReconnect: Bool = false, settings: BoardSettings = .withoutMouse,
    update: ChannelUpdate? = nil, history: (any PriceHistorySource)? = nil, matchGate: Gate? = nil,
    logsScreen: Bool = false
  ) {
    self.canReconnect = canReconnect
    self.settings = settings
    self.update = update
    self.history = history
    self.matchGate = matchGate
    self.logsScreen = logsScreen
    input = MemoryInput()
    account = HarnessAccount(isSlow: isSlow)
  }

  /// The recorded calls of the account and of the screen, and the stops of the process, in order. Without
  /// `logsScreen`, the calls of the screen are those of `report(_:)`.
  var log: [String] { recorder.elements }

  /// The limits of matches outside the screen with which the channel was read.
  var drainLimits: [Int] { limits.elements }

  /// Returns once a word has been recorded the given number of times.
  func waitFor(_ word: String, times: Int = 1) async throws {
    try await recorder.wait { $0.count { $0 == word } >= times }
  }

  func run(_ script: (RuntimeHarness) async throws -> Void) async throws {
    input.onSuspend { [recorder] in recorder.add("stopped") }
    account.onCall { [recorder] in recorder.add($0) }
    let size = Size(rows: 24, columns: 80)
    let state = BoardState(
      size: size, channels: BoardChannel.standard(matches: 1, words: .english), feedName: "",
      catalog: EveryMatrixCatalog(), canReconnect: canReconnect, readsHistory: history != nil, words: .english,
      settings: settings)
    let screen = LoggingScreen(size) { [recorder, logsScreen] in
      if logsScreen || $0.hasPrefix("reports") { recorder.add($0) }
    }
    let feed = HarnessFeed(update: Locked(update), matchGate: matchGate) { [limits] in
      limits.add($0)
    } onMatchClose: { [recorder] in
      recorder.add("match closed")
    }
    let runtime = BoardRuntime(
      state: state, screen: screen, input: input, service: feed, account: account, history: history,
      executor: SerialQueueExecutor(), framesPerSecond: 60,
      clock: BoardClock(wall: { 0 }, zone: { _ in 0 }))
    let running = Task { await runtime.run() }
    try await waitFor("start")
    // After the delay with which a board reports that it waits for its first dump.
    input.advance(by: .seconds(1))
    try await script(self)
    input.send(.hangUp)
    try await running.cancellableValue
  }
}

extension BoardSettings {
  static var withoutMouse: BoardSettings {
    var settings = BoardSettings()
    settings.usesMouse = false
    return settings
  }
}

private final class SerialQueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "toteboard.harness")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private final class LoggingScreen: Screen {
  let size: Size
  let glyphs = GlyphSet.unicode
  private let record: (String) -> Void

  init(_ size: Size, record: @escaping (String) -> Void) {
    self.size = size
    self.record = record
  }

  func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport {
    if whole { record("whole") }
    return PaintReport(bytes: 0)
  }

  func report(_ reports: InputModes) { record("reports \(reports.rawValue)") }
  func ask(_ request: TerminalRequest) { record("\(request)") }
  func use(_ theme: Theme) { record("use \(theme.name)") }
  func apply(_ answer: TerminalAnswer) { record("\(answer)") }
}

/// The input of a terminal, with a manual clock.
final class MemoryInput: TerminalInput {
  private struct State {
    var now = Duration.zero
    var events: [TerminalEvent] = []
    var isWoken = false
    var waiting: (deadline: Duration?, continuation: CheckedContinuation<[TerminalEvent], Never>)?
    var onSuspend: @Sendable () -> Void = {}
  }

  private let state = Locked(State())

  func onSuspend(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onSuspend = call } }
  func suspend() { state.withLock { $0.onSuspend }() }
  func now() -> Duration { state.withLock { $0.now } }
  func send(_ event: TerminalEvent) { change { $0.events.append(event) } }
  func wake() { change { $0.isWoken = true } }
  func advance(by time: Duration) { change { $0.now += time } }

  func wait(until deadline: Duration?) async -> [TerminalEvent] {
    await withCheckedContinuation { continuation in
      change { $0.waiting = (deadline, continuation) }
    }
  }

  private func change(_ change: (inout sending State) -> Void) {
    let (waiting, events) = state.withLock { state -> (CheckedContinuation<[TerminalEvent], Never>?, [TerminalEvent]) in
      change(&state)
      guard let waiting = state.waiting else { return (nil, []) }
      let isDue = waiting.deadline.map { $0 <= state.now } ?? false
      guard isDue || state.isWoken || !state.events.isEmpty else { return (nil, []) }
      defer { (state.waiting, state.events, state.isWoken) = (nil, [], false) }
      return (waiting.continuation, state.events)
    }
    waiting?.resume(returning: events)
  }
}

final class HarnessAccount: AccountService {
  private struct State {
    var status: AccountStatus? = .live()
    var onChange: @Sendable () -> Void = {}
    var onCall: @Sendable (String) -> Void = { _ in }
    var onClosed: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  private let isSlow: Bool
  let canEndSession = true

  init(isSlow: Bool) { self.isSlow = isSlow }

  func onCall(_ call: @escaping @Sendable (String) -> Void) { state.withLock { $0.onCall = call } }

  func change(to status: AccountStatus) {
    state.withLock { $0.status = status }
    state.withLock { $0.onChange }()
  }

  private func record(_ word: String) { state.withLock { $0.onCall }(word) }

  func start(onChange: @escaping @Sendable () -> Void) {
    state.withLock { $0.onChange = onChange }
    onChange()
    record("start")
  }

  func drain() -> AccountStatus? { state.withLock { $0.status.take() } }
  func logIn(user: String, password: Secret) { record("login") }
  func logOut() { record("logout") }
  func retry() { record("retry") }
  func goHome() { record("home") }
  func endSession() { record("end") }

  func resume() {
    record("resume")
    state.withLock { $0.onClosed.take() }?()
  }

  func stop() async { record("stop") }

  func suspend(onClosed: @escaping @Sendable () -> Void) {
    record("suspend")
    if isSlow { state.withLock { $0.onClosed = onClosed } } else { onClosed() }
  }
}

private struct HarnessFeed: FeedService {
  struct Channel: OpenChannel {
    let update: Locked<ChannelUpdate?>
    let onDrain: @Sendable (Int) -> Void
    var onClose: @Sendable () -> Void = {}

    func drain(prioritizing wanted: @autoclosure () -> [MatchID], limit: Int) -> ChannelUpdate? {
      onDrain(limit)
      return update.withLock { $0.take() }
    }

    func status() -> OpenTopic { .loaded }
    func match(_ id: MatchID) -> Match? { nil }
    func health() async -> ChannelHealth { .sample() }
    func close() async { onClose() }
  }

  let update: Locked<ChannelUpdate?>
  /// Nil if the feed has no topics of matches.
  let matchGate: Gate?
  /// Called with the limit of each drain.
  let onDrain: @Sendable (Int) -> Void
  /// Called when the topic of a match is closed.
  let onMatchClose: @Sendable () -> Void

  func connect() async {}
  func disconnect() async {}
  func reconnect() async {}
  func reauthenticate() async {}
  func open(_ topic: Topic, onPending: @escaping @Sendable () -> Void) async -> any OpenChannel {
    Channel(update: update, onDrain: onDrain)
  }

  func openMatch(
    _ id: MatchID, of topic: Topic, onPending: @escaping @Sendable () -> Void
  ) async -> (any OpenChannel)? {
    guard let matchGate else { return nil }
    await matchGate.pass()
    return Channel(update: Locked(nil), onDrain: { _ in }, onClose: onMatchClose)
  }

  func setRate(_ updatesPerSecond: Double) async {}
  func address() -> CurrentAddress? { nil }
  func playback() -> Playback? { nil }
  func togglePause() {}
  func seek(by step: Duration) {}
  func seek(to position: Duration) {}
}
