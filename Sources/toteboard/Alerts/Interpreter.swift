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
      names: ["su", "runuser", "script", "flock"], letters: ["c"], words: ["command", "session-command"],
      hasPlainOperands: true),
    Interpreter(names: ["env"], letters: ["S"], words: ["split-string"], hasPlainOperands: true),
  ]
  /// The programs that give all their arguments to a shell; that of ssh is on the other machine.
  private static let shellCallers: Set<String> = ["ssh", "watch", "parallel", "tmux"]

  /// Returns the argument that names an interpreter which could read another argument as a program text, or as the name
  /// of a program's file; nil if there is none.
  ///
  /// An interpreter can read as such: its first operand, the argument of an option that takes a program text, and such
  /// an option itself. Any argument can name an interpreter, because any program can start another one that is among
  /// its arguments.
  ///
  /// - Parameter before: The arguments before it, beginning with the program.
  static func reader(of argument: String, after before: ArraySlice<String>) -> String? {
    before.indices.first { index in
      let program = name(of: before[index])
      let rest = before[(index + 1)...]
      return shellCallers.contains(program)
        || all.contains { $0.names.contains(program) && $0.isScript(argument, after: rest) }
    }.map { before[$0] }
  }

  /// Returns the name of a program without its directory and its version: `python` of `/usr/bin/python3.11`.
  private static func name(of program: String) -> String {
    String((program.split(separator: "/").last ?? "").prefix { !$0.isNumber })
  }

  private func isScript(_ argument: String, after before: ArraySlice<String>) -> Bool {
    // NB: Also after an operand, which can be the value of an option: bash --rcfile FILE -c TEXT.
    let options = before.reversed().prefix { $0.hasPrefix("-") || $0.hasPrefix("+") }
    if options.contains(where: takesProgram) { return true }
    if hasPlainOperands { return takesProgram(argument) }
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
