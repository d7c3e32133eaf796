/// The key hints in the footer.
struct Footer: Sendable {
  /// The bindings from left to right. Each has a hint.
  let bindings: [KeyBinding]
  /// Indices into `bindings`, in the order in which hints are kept if not all fit.
  let priority: [Int]

  static let feed = Footer(
    [.open, .find, .sort, .cycleOdds, .command, .space, .addAlert] + rest,
    priority: mostUsed + [.faster, .space, .addAlert] + leastUsed)
  static let recording = Footer(
    [.space, .left, .open, .find, .sort, .cycleOdds, .command, .addAlert] + rest,
    priority: [.quit, .help, .space, .left] + mostUsed.dropFirst(2) + [.addAlert] + leastUsed)

  private static let rest: [Command] = [
    .cycleThrottle, .faster, .channel(0), .freeze, .reconnect, .damage, .wholeScreen, .inspect, .write, .cycleTheme,
    .account, .logInOrOut, .endSession, .help, .quit,
  ]
  private static let mostUsed: [Command] = [
    .quit, .help, .account, .logInOrOut, .open, .find, .cycleThrottle, .endSession, .sort, .cycleOdds, .command,
  ]
  private static let leastUsed: [Command] = [
    .freeze, .reconnect, .channel(0), .inspect, .write, .cycleTheme, .damage, .wholeScreen,
  ]

  /// Selects the bindings by their first command.
  private init(_ shown: [Command], priority: [Command]) {
    bindings = shown.map { command in
      guard let binding = KeyBinding.all.first(where: { $0.commands[0].command == command && $0.hint != nil }) else {
        preconditionFailure("'\(command)' has no hint")
      }
      return binding
    }
    self.priority = priority.compactMap { shown.firstIndex(of: $0) }
  }
}
