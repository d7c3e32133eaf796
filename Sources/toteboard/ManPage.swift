import ArgumentParser
import Dashboard

/// `toteboard man-page`: the manual page, made from the options and the key table.
struct ManPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man-page", abstract: "Print the manual page in roff.", shouldDisplay: false)

  mutating func run() throws {
    var page = [".TH TOTEBOARD 1 \"\" \"toteboard \(Toteboard.configuration.version)\" \"User Commands\""]
    page += [".SH NAME", "toteboard \\- live sports odds in a terminal"]
    for (title, command) in [
      ("BOARD", Toteboard.self as any ParsableCommand.Type), ("LIST", List.self), ("CHANGES", Changes.self),
      ("RECORD", Record.self), ("INSPECT", Inspect.self),
    ] {
      page += [".SH \(title)", ".nf", Self.escaped(Toteboard.helpMessage(for: command, columns: 76)), ".fi"]
    }
    page.append(".SH KEYS")
    for binding in KeyBinding.all { page += [".TP", ".B \(Self.escaped(binding.label))", Self.escaped(binding.help)] }
    page += [".SH EXIT STATUS", "0 on success, 1 when something failed, 2 for wrong usage, 128 plus the number of the"]
    page += ["signal where one ended it."]
    try Output.send((page.joined(separator: "\n") + "\n").utf8)
  }

  /// Text that roff leaves as it is.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let body = line.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
      return body.hasPrefix(".") || body.hasPrefix("'") ? "\\&\(body)" : body
    }.joined(separator: "\n")
  }
}
