package import ArgumentParser

/// The arguments of a program, before they are parsed.
package struct ArgumentList {
  /// A use of `help` or `--version` together with something that it would ignore.
  package enum Misuse: Hashable {
    /// The command to show help for is none of `commands`.
    case unknownCommand(String, commands: [String])
    /// Another argument stands beside an option that must be alone.
    case notAlone(option: String, other: String)
  }

  private let arguments: [String]

  package init(_ arguments: [String]) { self.arguments = arguments }

  /// The arguments with each value that begins with a minus sign joined to its option by `=`. Otherwise the parser
  /// reads such a value as an option and reports that the value is missing. `-h` remains a request for help.
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

  /// The names of the given options, without their values.
  package var options: [String] {
    arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
  }

  /// Returns all values of an option.
  package func values(of option: String) -> [String] {
    let known = arguments.prefix { $0 != "--" }
    return known.indices.compactMap { index in
      if known[index] == option { return known.indices.contains(index + 1) ? known[index + 1] : nil }
      return known[index].hasPrefix("\(option)=") ? String(known[index].dropFirst(option.count + 1)) : nil
    }
  }

  /// Returns the misuse of `help` or `--version`, which the parser would silently accept. Nil if there is none.
  ///
  /// - Parameter allowed: The options that are valid beside `help` and `--version`.
  package func misuse(of root: any ParsableCommand.Type, allowing allowed: Set<String> = []) -> Misuse? {
    let rest = without(allowed)
    if rest.first == "help" {
      let commands = root.configuration.subcommands.map { $0._commandName } + ["help"]
      let names = rest.dropFirst().prefix { !$0.hasPrefix("-") }
      for (index, name) in names.enumerated() where index > 0 || !commands.contains(name) {
        return .unknownCommand(name, commands: commands)
      }
    }
    let isHelp = rest.contains("--help") || rest.contains("-h")
    if rest.contains("--version"), !isHelp, let other = rest.first(where: { $0 != "--version" }) {
      return .notAlone(option: "--version", other: other)
    }
    return nil
  }

  /// Returns the arguments without these options and their values.
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
