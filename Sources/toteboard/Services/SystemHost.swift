import Dashboard
import Localization
import OddsHistory
import Platform
import TerminalCore

/// The host of the dashboard: watches the user's configuration and writes the files.
final class SystemHost: BoardHost {
  private struct State {
    /// The effective configuration, including the command line's options.
    var configuration: Configuration
    var actions: [Action] = []
    var onChange: @Sendable () -> Void = {}
    var watch: ConfigWatch?
  }

  private let state: Locked<State>
  private let file: ConfigFile?
  /// The state of the file before it was read.
  private let fileState: FileState?
  /// The template of the feed's channels; nil if the feed defines its own.
  private let template: TopicTemplate?
  private let isASCII: Bool
  private let home: String?
  private let saver: SessionSaver?
  private let alerts = Locked<AlertDelivery?>(nil)
  /// Applies the command line's options to a configuration.
  private let effective: @Sendable (Configuration) -> Configuration

  /// Creates a host for a feed that starts with `configuration`, which includes the options.
  init(
    file: ConfigFile?, since fileState: FileState?, configuration: Configuration, feed: String,
    template: TopicTemplate?, isASCII: Bool, environment: [String: String],
    effective: @escaping @Sendable (Configuration) -> Configuration
  ) {
    state = Locked(State(configuration: configuration))
    self.file = file
    self.fileState = fileState
    self.template = template
    self.isASCII = isASCII
    self.effective = effective
    home = environment["HOME"]
    saver = XDGDirectory.state.path(environment).map { SessionSaver(SessionFile(directory: $0, feed: feed)) }
  }

  /// Returns the saved session of this feed; nil if there is none or if it is not to be used. An error becomes a
  /// message for the dashboard.
  func savedSession(isUsed: Bool = true) -> BoardSession? {
    guard let saver else { return nil }
    guard isUsed else {
      saver.readOthers()
      return nil
    }
    do throws(SessionFileError) { return try saver.read() } catch {
      send([.messageReceived(StatusMessage(error.sentence, isWarning: true))])
      return nil
    }
  }

  func start(onChange: @escaping @Sendable () -> Void) async {
    state.withLock { $0.onChange = onChange }
    guard let file else { return }
    let watch = ConfigWatch(file.path, since: fileState) { [weak self] in self?.reload(file) }
    state.withLock { $0.watch = watch }
  }

  func drain() -> [Action] {
    state.withLock { state in
      defer { state.actions = [] }
      return state.actions
    }
  }

  func write(_ frame: Frame, to path: String) async -> StatusMessage { ScreenFile(path, home: home).write(frame) }

  func save(_ session: BoardSession) { saver?.schedule(session) }

  /// Hands the alerts of the board to a delivery from now on.
  func setAlerts(_ delivery: AlertDelivery?) { alerts.withLock { $0 = delivery } }

  func deliver(_ reports: [AlertReport]) { alerts.withLock { $0 }?.deliver(reports) }

  func stop() async {
    state.withLock { $0.watch.take() }?.cancelAtExit()
    saver?.finish()
    await alerts.withLock { $0 }?.finish()
  }

  private func reload(_ file: ConfigFile) {
    let new: Configuration
    do throws(ConfigError) {
      // A missing file leaves the last configuration in force: an editor may be about to replace it.
      guard let text = try file.text() else { return }
      new = effective(try ConfigReader.configuration(text))
    } catch { return send([.messageReceived(StatusMessage(error.sentence(file.path), isWarning: true))]) }
    let old = state.withLock { state in
      defer { state.configuration = new }
      return state.configuration
    }
    var actions: [Action] = []
    if new.settings != old.settings { actions.append(.settingsChanged(new.settings)) }
    if let template {
      let channels = new.channels(template)
      if channels != old.channels(template) {
        actions.append(.channelsChanged(isASCII ? channels.map(\.inASCII) : channels))
      }
    }
    actions.append(.messageReceived(StatusMessage(Self.note(old, new))))
    send(actions)
  }

  /// Shows a warning on the dashboard.
  func warn(_ sentence: LocalizedMessage) { send([.messageReceived(StatusMessage(sentence, isWarning: true))]) }

  /// Shows the opening prices that the history has.
  func apply(_ openings: OpeningBatch) { send([.openingsRead(openings)]) }

  private func send(_ actions: [Action]) {
    state.withLock { state in
      state.actions += actions
      return state.onChange
    }()
  }

  /// Returns the message that the file was read, with the changed settings that take effect only at the next start.
  private static func note(_ old: Configuration, _ new: Configuration) -> LocalizedMessage {
    var open = old
    open.apply(whileOpen: new)
    let later = Setting.all.filter { $0.text(open) != $0.text(new) }.map(\.key)
    return later.isEmpty
      ? LocalizedMessage(.configReloaded) : LocalizedMessage(.configTakenLater, LocalizedMessage.list(later))
  }
}
