/// The arguments of a program, before they are parsed.
package struct ArgumentList {
  /// A use of `help` or `--version` that asks for something else besides.
  package enum Misuse: Hashable {
    /// `help` names no command.
    case unknownCommand(String)
    /// There is another argument beside an option that is given alone.
    case notAlone(option: String, other: String)
  }

  private let arguments: [String]

  package init(_ arguments: [String]) { self.arguments = arguments }

  /// The arguments with each value that begins with a minus sign joined to its option by `=`. The parser takes it for an
  /// option otherwise, and says that the value is missing. `-h` stays a request for help.
  package var joiningNegativeValues: [String] {
    var joined: [String] = []
    var canJoin = false
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return joined + arguments[index...] }
      if canJoin, argument.hasPrefix("-"), !argument.hasPrefix("--"), argument != "-", argument != "-h" {
        joined[joined.count - 1] += "=\(argument)"
        canJoin = false
      } else {
        joined.append(argument)
        canJoin = argument.hasPrefix("--") && !argument.contains("=")
      }
    }
    return joined
  }

  /// The names of the options that are given, without their values.
  package var options: [String] {
    arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
  }

  /// What is wrong beside `help` or `--version`, which would be answered all the same; nil where nothing is. `commands` are
  /// what help is given of, `allowed` the options that are of use to both.
  package func misuse(commands: [String], allowing allowed: Set<String> = []) -> Misuse? {
    let rest = without(allowed)
    if rest.first == "help" {
      let names = rest.dropFirst().prefix { !$0.hasPrefix("-") }
      for (index, name) in names.enumerated() where index > 0 || !commands.contains(name) {
        return .unknownCommand(name)
      }
    }
    let isHelp = rest.contains("--help") || rest.contains("-h")
    if rest.contains("--version"), !isHelp, let other = rest.first(where: { $0 != "--version" }) {
      return .notAlone(option: "--version", other: other)
    }
    return nil
  }

  /// The arguments but for these options and their values.
  private func without(_ options: Set<String>) -> [String] {
    var rest: [String] = []
    var isValue = false
    for argument in arguments {
      defer { isValue = !isValue && options.contains(argument) }
      if isValue || options.contains(String(argument.prefix { $0 != "=" })) { continue }
      rest.append(argument)
    }
    return rest
  }
}
