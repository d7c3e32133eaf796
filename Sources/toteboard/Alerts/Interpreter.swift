/// The programs that run a program text from their arguments, such as shells.
struct Interpreter {
  private let names: Set<String>
  /// The letters of the options that take a program text.
  private let letters: Set<Character>
  /// The long options that take a program text.
  private var words: Set<String> = []
  /// The letters of the options that take another value as the next argument.
  private var otherLetters: Set<Character> = []
  /// True if options can follow operands, none of which is a program text or the file of one.
  private var hasPlainOperands = false

  private static let all = [
    Interpreter(
      names: ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "csh", "tcsh", "busybox"],
      letters: ["c", "C"],
      words: ["command", "init-command"], otherLetters: ["o", "O"]),
    Interpreter(names: ["python", "pypy"], letters: ["c"], otherLetters: ["W", "X"]),
    Interpreter(names: ["perl", "ruby"], letters: ["e", "E"], otherLetters: ["I", "r"]),
    Interpreter(names: ["lua", "node", "nodejs", "osascript"], letters: ["e", "p"], words: ["eval", "print"]),
    Interpreter(names: ["php"], letters: ["r", "B", "R", "E"], words: ["run", "process-begin", "process-code"]),
    Interpreter(
      names: ["awk", "gawk", "mawk", "sed"], letters: ["e"], words: ["source", "expression"], otherLetters: ["v", "F"]),
    Interpreter(names: ["tclsh", "expect"], letters: ["c"]),
    Interpreter(
      names: ["su", "runuser", "script"], letters: ["c"], words: ["command", "session-command"], hasPlainOperands: true),
    Interpreter(names: ["env"], letters: ["S"], words: ["split-string"], hasPlainOperands: true),
  ]
  /// The programs that give all their arguments to a shell; that of ssh is on the other machine.
  private static let shellCallers: Set<String> = ["ssh", "watch", "parallel"]
  /// The programs that start another one, which is among their arguments.
  private static let launchers: Set<String> = [
    "env", "timeout", "nice", "ionice", "nohup", "setsid", "stdbuf", "time", "sudo", "doas", "su", "runuser", "script",
    "xargs", "chrt", "taskset", "flock", "systemd-run",
  ]

  /// Returns true if an argument of a command could be read as a program text, or as the name of a program's file.
  ///
  /// These are the first operand of an interpreter, the argument of an option that takes a program text, and such an
  /// option itself.
  ///
  /// - Parameter before: The arguments before it, beginning with the program.
  static func isScript(_ argument: String, after before: ArraySlice<String>) -> Bool {
    for index in before.indices {
      let name = name(of: before[index])
      if shellCallers.contains(name) { return true }
      let rest = before[(index + 1)...]
      if all.contains(where: { $0.names.contains(name) && $0.isScript(argument, after: rest) }) { return true }
      if index == before.startIndex, !launchers.contains(name) { return false }
    }
    return false
  }

  /// Returns the name of a program without its directory and its version: `python` of `/usr/bin/python3.11`.
  private static func name(of program: String) -> String {
    String((program.split(separator: "/").last ?? "").prefix { !$0.isNumber })
  }

  private func isScript(_ argument: String, after before: ArraySlice<String>) -> Bool {
    if hasPlainOperands { return takesProgram(argument) || before.last.map(takesProgram) ?? false }
    var before = before
    while let next = before.popFirst() {
      guard next.hasPrefix("-") || next.hasPrefix("+") else { return false }
      let takesOther = !next.hasPrefix("--") && next.last.map(otherLetters.contains) ?? false
      if takesOther, !takesProgram(next), before.popFirst() == nil { return false }
    }
    return argument.hasPrefix("-") ? takesProgram(argument) : true
  }

  /// Returns true if an option takes a program text.
  private func takesProgram(_ option: String) -> Bool {
    if option.hasPrefix("--") { return words.contains(String(option.dropFirst(2).prefix { $0 != "=" })) }
    return option.hasPrefix("-") && option.dropFirst().prefix { $0 != "{" }.contains(where: letters.contains)
  }
}
