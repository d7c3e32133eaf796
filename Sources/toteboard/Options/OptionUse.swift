import ArgumentParser
import Localization
import ProgramArguments
import TerminalCore

/// The commands on which each option has an effect. The parser accepts the main command's options with every command;
/// an option without effect is rejected here.
enum OptionUse {
  /// A command, by its name in messages.
  enum Command: String, CaseIterable {
    case board = "toteboard"
    case plain = "toteboard --plain"
    case list = "toteboard list"
    case changes = "toteboard changes"
    case record = "toteboard record"
    case inspect = "toteboard inspect"
    case config = "toteboard config"
    case history = "toteboard history"
    case chart = "toteboard chart"
    case `import` = "toteboard import"
    case alerts = "toteboard alerts"
    case follow = "toteboard alerts --follow"
    case manPage = "toteboard man-page"

    /// Creates the command; nil for a request for help.
    init?(_ command: any ParsableCommand, isPlain: Bool) {
      if command is Toteboard {
        self = isPlain ? .plain : .board
      } else if let alerts = command as? AlertsCommand, alerts.follow {
        self = .follow
      } else {
        self.init(rawValue: "toteboard \(type(of: command)._commandName)")
      }
    }
  }

  /// The commands of each option of `toteboard` itself. The parser rejects an option of another command alone, such as
  /// `--append`.
  static let commands: [String: [Command]] = {
    let readers: [Command] = [.board, .plain, .list, .changes, .record, .follow]
    let stores: [Command] = [.board, .plain, .list, .changes, .inspect, .follow]
    let groups: [([String], [Command])] = [
      (["--feed", "--matches", "--rate", "--seed", "--channel", "--config"], readers),
      (["--realm", "--origin", "--operator", "--feed-language", "--ca-file", "--token", "--token-file"], readers),
      (["--betfair-app-key-file", "--betfair-identity", "--betfair-keep-alive", "--betfair-api"], readers),
      (["--betfair-conflate-ms"], readers),
      (["--client-cert", "--client-key"], readers),
      (["--login", "--password-fd", "--password"], readers),
      (["--pipe-timeout"], [.board, .plain, .changes, .follow]),
      (["--pending-limit", "--pending-timeout"], stores + [.import]),
      (["--language"], Command.allCases),
      (["--filter", "--odds", "--throttle", "--zone", "--speed"], [.board, .plain]),
      (["--no-history"], [.board, .plain]),
      (["--plain"], [.plain]),
      (
        [
          "--theme", "--sort", "--columns", "--group", "--reverse", "--fps", "--fresh", "--no-mouse", "--low-bandwidth",
        ], [.board]
      ),
      (["--stay-logged-in", "--demo-account"], [.board]),
    ]
    return groups.reduce(into: [:]) { table, group in group.0.forEach { table[$0] = group.1 } }
  }()

  /// Throws if one of the options has no effect on the command.
  static func check(_ options: [String], of command: any ParsableCommand) throws {
    guard let command = Command(command, isPlain: options.contains("--plain")) else { return }
    for option in options {
      guard let others = commands[option], !others.contains(command) else { continue }
      let list = LocalizedMessage.list(others.map { LocalizedMessage(.quotedWords, $0.rawValue) })
      throw ValidationError(.usageNoEffect, option, command.rawValue, list)
    }
  }

  /// Throws if there is more than one feed. The parser itself would use the last one.
  static func checkFeeds(_ feeds: [String]) throws {
    if feeds.count > 1 { throw ValidationError(.usageTwoFeeds, feeds[0].cleaned) }
  }
}
