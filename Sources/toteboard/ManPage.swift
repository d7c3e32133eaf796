import ArgumentParser
import Dashboard
import ManualPage
import Wording

/// `toteboard man-page`: the manual page, made from the options and the key table.
struct ManPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man-page", abstract: "Print the manual page in roff.", shouldDisplay: false)

  @OptionGroup var speech: SpeechOption

  mutating func run() throws {
    let root = Toteboard.self
    let page = ManualPage(
      root, summary: "live sports odds in a terminal",
      [
        .init("BOARD", command: root, of: root), .init("LIST", command: List.self, of: root),
        .init("CHANGES", command: Changes.self, of: root), .init("RECORD", command: Record.self, of: root),
        .init("INSPECT", command: Inspect.self, of: root),
        .init("KEYS", list: KeyBinding.all.map { (Speech.words.text($0.label), Speech.words($0.help)) }),
        .init("ENVIRONMENT", list: Self.environment), .init("FILES", list: Self.files),
        .init("EXIT STATUS", list: Self.status),
      ])
    try Output.send(page.roff.utf8)
  }

  private static let environment = [
    (Credentials.variable, "The token to show to a networked feed, where no option gives one."),
    (
      "https_proxy, http_proxy, no_proxy",
      "The proxy to wss:// and to ws://, such as http://HOST:3128, and the hosts that are reached without it."
    ),
    ("NO_COLOR", "No colors, where it is set and not empty."),
    ("XDG_CONFIG_HOME, XDG_CACHE_HOME", "Where the files below are, instead of ~/.config and ~/.cache."),
  ]

  private static let files = [
    ("~/.config/toteboard/config.toml", "The channels of networked feeds, besides the usual ones."),
    ("~/.cache/toteboard", "What boards of networked feeds showed last, to begin with."),
  ]

  private static let status = [
    ("0", "All went well."), ("1", "Something failed."), ("2", "Wrong usage."),
    ("128 and more", "128 plus the number of the signal that ended it."),
  ]
}
