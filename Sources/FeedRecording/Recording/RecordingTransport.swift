import Localization
public import OddsFeed
import OddsModel
package import Platform

/// A transport that plays a recording at an adjustable speed. A subscription receives the messages of its own topic.
///
/// Reading an event waits, without blocking a thread, until it is due; requests take effect at once. At the end of the
/// recording the state is `ended`; a jump back makes it live again.
public final class RecordingTransport: FeedTransport {
  private struct State {
    var playback: RecordingPlayback
    /// The waiting reader; nil if none waits.
    var reader: CheckedContinuation<RecordingPlayback.Step, Never>?
  }

  public var updatesMayPrecedeDump: Bool { false }

  private let recording: Recording
  /// True if each message has the time at which it is due in place of its time of receipt.
  private let hasPositions: Bool
  private let clock: any AlarmClock
  private let state: Locked<State>

  /// Creates a transport. Playback starts at the beginning with the first subscription.
  public convenience init(recording: Recording, speed: PlaybackSpeed = .times(1)) {
    self.init(recording: recording, speed: speed, clock: DispatchAlarmClock())
  }

  package convenience init(recording: Recording, speed: PlaybackSpeed, clock: any AlarmClock) {
    self.init(RecordingPlayback(recording: recording, speed: speed), clock: clock, hasPositions: false)
  }

  private init(_ playback: RecordingPlayback, clock: any AlarmClock, hasPositions: Bool) {
    recording = playback.recording
    self.clock = clock
    self.hasPositions = hasPositions
    state = Locked(State(playback: playback))
  }

  /// The state of the playback.
  public var status: PlaybackStatus { state.withLock { $0.playback.status(at: clock.now) } }

  /// Pauses the playback. Does nothing if it is paused.
  public func pause() { ask { $0.setPaused(true, at: $1) } }

  /// Resumes the playback. Does nothing if it is playing.
  public func resume() { ask { $0.setPaused(false, at: $1) } }

  /// Pauses or resumes the playback.
  public func togglePause() { ask { $0.setPaused(!$0.isPaused, at: $1) } }

  /// Changes the speed. Does nothing for a recording without times.
  public func setSpeed(_ speed: PlaybackSpeed) { ask { $0.setSpeed(speed, at: $1) } }

  /// Jumps by a duration of the recording's own time, within its bounds. Readers receive at once the messages they lack
  /// at the new position; after a jump back, from the last dump before it. A jump back at full speed pauses the
  /// playback.
  public func seek(by step: Duration) { ask { $0.seek(by: step, at: $1) } }

  /// Jumps to a position of the recording's own time, within its bounds, as `seek(by:)` does.
  public func seek(to position: Duration) { ask { $0.seek(to: position, at: $1) } }

  /// The time of receipt of the first message that has one, in milliseconds since 1970; nil if none has one.
  package var begin: Int64? { recording.begin }

  /// Creates a transport that plays the same recording from its beginning, as fast as it is read, with the messages of
  /// all topics in the order of their times. It cannot jump.
  ///
  /// - Parameter hasPositions: True to give each message the time at which it is due, counted from `begin`, in place of
  ///   its time of receipt. They differ after a gap, or when the clock of the recorder was set back.
  package func ordered(hasPositions: Bool) -> RecordingTransport {
    RecordingTransport(
      RecordingPlayback(recording: recording, speed: .max, isOrdered: true), clock: DispatchAlarmClock(),
      hasPositions: hasPositions)
  }

  public func makeDecoder() -> any FeedDecoder { recording.format.makeDecoder() }

  public func connect() async -> AsyncStream<TransportEvent> {
    AsyncStream {
      await self.next()
    } onCancel: {
      self.ask { playback, _ in playback.stop() }
    }
  }

  public func disconnect() async { ask { playback, _ in playback.stop() } }

  public func subscribe(_ subscription: Subscription) async { ask { $0.subscribe(subscription, at: $1) } }

  public func unsubscribe(_ subscription: Subscription) async {
    ask { playback, _ in playback.unsubscribe(subscription) }
  }

  /// Performs a request, then resumes a waiting reader if there is a step for it.
  private func ask(_ change: (inout RecordingPlayback, Duration) -> Void) {
    let (reader, step) = state.withLock { state in
      let now = clock.now
      change(&state.playback, now)
      return takeStep(&state, at: now)
    }
    reader?.resume(returning: step)
  }

  /// Returns the waiting reader and its next step. The reader is nil if none waits or there is nothing for it yet.
  private func takeStep(
    _ state: inout State, at now: Duration
  ) -> (CheckedContinuation<RecordingPlayback.Step, Never>?, RecordingPlayback.Step) {
    guard let reader = state.reader else { return (nil, .over) }
    let step = state.playback.step(at: now)
    if case .rest(let time) = step {
      clock.setAlarm(at: time) { [weak self] in self?.ask { _, _ in } }
      return (nil, step)
    }
    state.reader = nil
    clock.setAlarm(at: nil) {}
    return (reader, step)
  }

  private func next() async -> TransportEvent? {
    let step = await withCheckedContinuation { continuation in
      let (reader, step) = state.withLock { state in
        precondition(state.reader == nil, "the events of a transport have one reader")
        state.reader = continuation
        return takeStep(&state, at: clock.now)
      }
      reader?.resume(returning: step)
    }
    switch step {
    case .state(let state): return .state(state)
    case .over, .rest: return nil
    case .lines(let subscription, let topic, let places, let afterReset):
      do {
        var bytes = try recording.read(topic, places, afterReset: afterReset)
        if hasPositions { bytes = recording.withPositions(bytes, topic, places) }
        return .frame(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines))
      } catch {
        let problem = FeedError(error.sentence, remedy: LocalizedMessage(.remedyPlayAgain))
        return .state(state.withLock { $0.playback.fail(problem) })
      }
    }
  }
}
