import Localization
public import OddsFeed
import Platform

/// Plays a recording at its own pace, or faster, or slower. A subscription gets its own topic's messages.
///
/// Pulling an event waits, without blocking a thread, until its time has come; what is asked meanwhile takes effect at
/// once. At the recording's end the line's state is `ended`, and a jump back makes it live again.
public final class RecordingTransport: FeedTransport {
  private struct State {
    var playback: RecordingPlayback
    /// The reader, where it waits.
    var reader: CheckedContinuation<RecordingPlayback.Step, Never>?
  }

  public var updatesMayPrecedeDump: Bool { false }

  private let recording: Recording
  private let clock: any AlarmClock
  private let state: Locked<State>

  /// Plays a recording from its beginning as soon as somebody subscribes.
  public convenience init(recording: Recording, speed: PlaybackSpeed = .times(1)) {
    self.init(recording: recording, speed: speed, clock: DispatchAlarmClock())
  }

  package init(recording: Recording, speed: PlaybackSpeed, clock: any AlarmClock) {
    self.recording = recording
    self.clock = clock
    state = Locked(State(playback: RecordingPlayback(recording: recording, speed: speed)))
  }

  /// Where the play stands.
  public var status: PlaybackStatus { state.withLock { $0.playback.status(at: clock.now) } }

  /// Pauses the play where it is; harmless where it is paused.
  public func pause() { ask { $0.setPaused(true, at: $1) } }

  /// Goes on playing; harmless where it is playing.
  public func resume() { ask { $0.setPaused(false, at: $1) } }

  /// Pauses, or goes on.
  public func togglePause() { ask { $0.setPaused(!$0.isPaused, at: $1) } }

  /// Plays at another speed from now on. A recording without times has no pace to change.
  public func setSpeed(_ speed: PlaybackSpeed) { ask { $0.setSpeed(speed, at: $1) } }

  /// Jumps, by the recording's own time, at most to its ends. Readers get at once what they lack at the new position;
  /// behind the old one, beginning with the last dump before it. A jump back at full speed pauses there.
  public func seek(by step: Duration) { ask { $0.seek(by: step, at: $1) } }

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

  /// Does what is asked, and lets a reader that waits look again.
  private func ask(_ change: (inout RecordingPlayback, Duration) -> Void) {
    let (reader, step) = state.withLock { state in
      let now = clock.now
      change(&state.playback, now)
      return takeStep(&state, at: now)
    }
    reader?.resume(returning: step)
  }

  /// What the reader that waits is to be given; nobody, where there is none or it has to wait on.
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
        let bytes = try recording.read(topic, places, afterReset: afterReset)
        return .frame(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines))
      } catch {
        let problem = FeedError(error.sentence, remedy: LocalizedMessage(.remedyPlayAgain))
        return .state(state.withLock { $0.playback.fail(problem) })
      }
    }
  }
}
