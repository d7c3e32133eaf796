/// The programs that run a program text from their arguments, such as shells.
struct Interpreter {
  private let names: Set<String>
  /// The letters of the options whose argument is a program text.
  private let letters: Set<Character>
  /// The long options whose argument is a program text.
  private let words: Set<String>
  /// True if the first operand is the file of a program.
  private let readsFile: Bool

  private static let all = [
    Interpreter(
      names: ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "csh", "tcsh", "busybox"],
      letters: ["c", "C"], words: ["command", "init-command"], readsFile: true),
    Interpreter(names: ["python", "pypy"], letters: ["c"], words: [], readsFile: true),
    Interpreter(
      names: ["perl", "ruby", "lua", "node", "nodejs", "osascript"], letters: ["e", "E", "p"],
      words: ["eval", "print"], readsFile: true),
    Interpreter(
      names: ["php"], letters: ["r", "B", "R", "E"], words: ["run", "process-begin", "process-code"], readsFile: true),
    Interpreter(
      names: ["su", "runuser", "script"], letters: ["c"], words: ["command", "session-command"], readsFile: false),
    Interpreter(names: ["env"], letters: ["S"], words: ["split-string"], readsFile: false),
  ]
  /// The programs that give all their arguments to a shell; that of ssh is on the other machine.
  private static let shellCallers: Set<String> = ["ssh", "watch", "parallel"]

  /// Returns true if an argument of a command could be read as a program text, or as the file of one.
  ///
  /// That is the first operand of an interpreter; an argument after options of which one takes a program text; and an
  /// argument that is such an option itself. All arguments are searched for an interpreter: a program that starts another
  /// one, such as `env` or `timeout`, comes before it.
  ///
  /// - Parameter before: The arguments before it, beginning with the program.
  static func isScript(_ argument: String, after before: ArraySlice<String>) -> Bool {
    before.indices.contains { place in
      let name = name(of: before[place])
      if shellCallers.contains(name) { return true }
      return all.contains { $0.names.contains(name) && $0.isScript(argument, after: before[(place + 1)...]) }
    }
  }

  /// Returns the name of a program without its directory and its version: `python` of `/usr/bin/python3.11`.
  private static func name(of program: String) -> String {
    let name = program.split(separator: "/").last ?? ""
    return String(name.prefix { !$0.isNumber })
  }

  private static func isOption(_ argument: String) -> Bool { argument.hasPrefix("-") && argument != "-" }

  private func isScript(_ argument: String, after before: ArraySlice<String>) -> Bool {
    if takesProgram(argument) || readsFile && before.allSatisfy(Self.isOption) { return true }
    return before.reversed().prefix(while: Self.isOption).contains(where: takesProgram)
  }

  /// Returns true if an option takes a program text.
  private func takesProgram(_ option: String) -> Bool {
    if option.hasPrefix("--") { return words.contains(String(option.dropFirst(2).prefix { $0 != "=" })) }
    return option.hasPrefix("-") && option.dropFirst().prefix { $0 != "{" }.contains(where: letters.contains)
  }
}
