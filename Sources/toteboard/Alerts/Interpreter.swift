/// The programs that run a program text from their arguments, such as shells.
struct Interpreter {
  /// The meaning of the arguments that are no options.
  private enum Operands {
    /// The first one is a program text or the file of one. All arguments after it are data.
    case script
    /// As `script`, but options can follow.
    case scriptAmongOptions
    /// None is a program text or the file of one, and options can follow.
    case data
    /// The first one that assigns no variable is a program to be started. All arguments after it are its own.
    case command
  }

  private let names: Set<String>
  /// The letters of the options that take a program text.
  private var letters: Set<Character> = []
  /// The long options that take a program text.
  private var words: Set<String> = []
  /// The letters of the options that take another value, which is the next argument if the letter is the last one.
  private var otherLetters: Set<Character> = []
  /// The long options that take another value as the next argument.
  private var otherWords: Set<String> = []
  private var operands = Operands.script

  private static let shell = Interpreter(
    names: [
      "sh", "bash", "rbash", "dash", "ash", "hush", "ksh", "mksh", "yash", "zsh", "fish", "csh", "tcsh", "busybox",
      "pwsh", "nu", "xonsh", "elvish",
    ],
    letters: ["c", "C"], words: ["command", "commands", "init-command"], otherLetters: ["o", "O"],
    otherWords: ["rcfile", "init-file", "emulate"])
  private static let all = [
    shell,
    Interpreter(names: ["python", "ipython", "pypy"], letters: ["c"], otherLetters: ["W", "X"]),
    Interpreter(names: ["perl", "raku", "ruby"], letters: ["e", "E"], otherLetters: ["I", "r"]),
    Interpreter(
      names: ["lua", "luajit", "node", "nodejs", "bun", "osascript", "julia", "Rscript", "octave", "gnuplot"],
      letters: ["e", "p"], words: ["eval", "print"], otherLetters: ["l", "r", "C"],
      otherWords: ["require", "import", "loader", "experimental-loader", "conditions"]),
    Interpreter(
      names: ["php"], letters: ["r", "B", "R", "E"], words: ["run", "process-begin", "process-code"],
      otherLetters: ["d", "c"]),
    Interpreter(
      names: ["awk", "gawk", "mawk"], letters: ["e"], words: ["source"], otherLetters: ["v", "F", "i", "l", "W"],
      otherWords: ["assign", "field-separator", "include", "load"]),
    Interpreter(
      names: ["sed"], letters: ["e"], words: ["expression"], otherLetters: ["l"], otherWords: ["line-length"],
      operands: .scriptAmongOptions),
    Interpreter(names: ["tclsh", "expect", "guile", "gjs"], letters: ["c"]),
    Interpreter(
      names: ["su", "runuser", "script", "flock", "capsh", "nix-shell"], letters: ["c"],
      words: ["command", "session-command", "run"], operands: .data),
    Interpreter(
      names: ["env"], letters: ["S"], words: ["split-string"], otherLetters: ["u", "C", "a"],
      otherWords: ["unset", "chdir", "argv0"], operands: .command),
  ]
  /// The programs that give their arguments to a shell, or one that is on another machine as with ssh.
  private static let shellCallers: Set<String> = ["ssh", "mosh", "adb", "watch", "parallel", "tmux", "screen", "sg"]

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
      if isShellName(after: before[..<index]) { return false }
      let program = name(of: before[index])
      if shellCallers.contains(program) { return true }
      let rest = before[(index + 1)...]
      return all.contains {
        $0.names.contains(program) && $0.isScript(argument, after: rest, isStarted: index == before.startIndex)
      }
    }.map { before[$0] }
  }

  /// Returns true if the next argument is the name that a shell gives to its program text, `$0`: `sh -c TEXT sh`.
  private static func isShellName(after before: ArraySlice<String>) -> Bool {
    before.indices.contains { index in
      shell.names.contains(name(of: before[index])) && shell.endsWithText(before[(index + 1)...])
    }
  }

  /// Returns the name of a program without its directory and its version, and without an option before it: `python` of
  /// `/usr/bin/python3.11`, and `sh` of `--command=sh`.
  private static func name(of program: String) -> String {
    String((program.split { $0 == "/" || $0 == "=" }.last ?? "").prefix { !$0.isNumber })
  }

  /// - Parameter isStarted: True if the interpreter is the program of the command. Otherwise other arguments can be
  ///   between its name and its options: `docker run --entrypoint sh IMAGE -c TEXT`.
  private func isScript(_ argument: String, after before: ArraySlice<String>, isStarted: Bool) -> Bool {
    if operands == .command { return isCommand(argument, after: before) }
    if isStarted, operands == .script, let first = before.first, !isOption(first) { return false }
    // NB: Also after an operand, which can be the value of an option: bash --rcfile FILE -c TEXT.
    if before.reversed().prefix(while: isOption).contains(where: takesProgram) { return true }
    if operands == .data { return takesProgram(argument) }
    var before = before
    while let next = before.popFirst() {
      guard isOption(next) else { return false }
      if takesOther(next), !takesProgram(next), before.popFirst() == nil { return false }
    }
    return isOption(argument) ? takesProgram(argument) : true
  }

  /// Returns true if an argument names the program to be started, or is a part of an option that names it.
  private func isCommand(_ argument: String, after before: ArraySlice<String>) -> Bool {
    var before = before
    while let next = before.popFirst() {
      // The text of `env -S` can be the start of a command that the next arguments continue.
      if isOption(next), takesProgram(next) { return true }
      guard isOption(next) || next.contains("=") else { return false }
      if takesOther(next), before.popFirst() == nil { return false }
    }
    return isOption(argument) ? takesProgram(argument) : !argument.prefix { $0 != "{" }.contains("=")
  }

  /// Returns true if the arguments are options, of which one takes a program text, and then the text.
  private func endsWithText(_ arguments: ArraySlice<String>) -> Bool {
    var (rest, hasText) = (arguments, false)
    while let next = rest.popFirst() {
      if !isOption(next) { return hasText && rest.isEmpty }
      if takesProgram(next) { hasText = true }
      if takesOther(next) { _ = rest.popFirst() }
    }
    return false
  }

  private func isOption(_ argument: String) -> Bool { argument.hasPrefix("-") || argument.hasPrefix("+") }

  /// Returns true if an option takes a program text. Long options can be shortened.
  private func takesProgram(_ option: String) -> Bool {
    if option.hasPrefix("--") {
      let word = option.dropFirst(2).prefix { $0 != "=" }
      return !word.isEmpty && words.contains { $0.hasPrefix(word) }
    }
    return option.hasPrefix("-") && option.dropFirst().prefix { $0 != "{" }.contains(where: letters.contains)
  }

  /// Returns true if an option takes another value, which is the next argument.
  private func takesOther(_ option: String) -> Bool {
    if option.hasPrefix("--") { return otherWords.contains(String(option.dropFirst(2))) }
    return isOption(option) && option.firstIndex(where: otherLetters.contains) == option.indices.last
  }
}
