import Localization
import TestSupport
import Testing

@testable import toteboard

@Suite("The command template of alerts")
struct CommandTemplateTests {
  @Test("Values are inserted as data, not as options, placeholders or code")
  func data() throws {
    let entry = AlertLogEntry.sample("-rf", "{match} {{x}} $(id) `id`; 'a' \"b\"")
    func arguments(_ source: String...) throws -> [String] { try CommandTemplate(source).arguments(for: entry) }
    #expect(try arguments("rm", "{match}") == ["rm", " -rf"])
    #expect(try arguments("rm", "--", "{match}") == ["rm", "--", "-rf"])
    #expect(try arguments("rm", "-n{match}", "x{match}") == ["rm", "-n-rf", "x-rf"])
    #expect(try arguments("n", "{text}") == ["n", "{match} {{x}} $(id) `id`; 'a' \"b\""])
    #expect(
      try arguments("n", "{{match}}", "{", "}", "{}", "{1}", "a{{b") == ["n", "{match}", "{", "}", "{}", "{1}", "a{b"])
    #expect(try arguments("n", "{rule}: {matchId}{odds}") == ["n", "rule 1: 100"])
    #expect(CommandTemplate.variables(for: entry).contains("TOTEBOARD_MATCH=-rf"))
    #expect(CommandTemplate.variables(for: entry).contains("TOTEBOARD_MATCH_ID=100"))
    #expect(CommandTemplate.variables(for: entry).contains("TOTEBOARD_PREVIOUS_ODDS="))
  }

  @Test("An argument begins with '-' only if its template does, or after '--'")
  func options() throws {
    var random = SeededRandom(seed: 3)
    let pieces = ["-", "--", "{match}", "{text}", "a", " ", "{{", "é"]
    let values = ["-rf", "--", "-", "{match}", "{text}", "", "x", "--x=1"]
    for _ in 0..<2000 {
      let source =
        ["p"]
        + (0..<Int.random(in: 0...4, using: &random)).map { _ in
          (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
        }
      let (match, text) = (values.randomElement(using: &random)!, values.randomElement(using: &random)!)
      let arguments = try CommandTemplate(source).arguments(for: .sample(match, text))
      #expect(arguments.count == source.count)
      let end = source.firstIndex(of: "--") ?? source.count
      for (index, (written, given)) in zip(source, arguments).enumerated() {
        #expect(!given.hasPrefix("-") || written.hasPrefix("-") || index > end, "\(source) \(arguments)")
        let plain = Self.replaced(written, match: match, text: text)
        #expect(given == plain || given == " \(plain)", "\(source) \(arguments)")
      }
    }
  }

  /// Replaces the placeholders from the left, each once.
  private static func replaced(_ text: String, match: String, text value: String) -> String {
    var (rest, result) = (text[...], "")
    while let first = rest.first {
      let known = [("{{", "{"), ("}}", "}"), ("{match}", match), ("{text}", value)].first { rest.hasPrefix($0.0) }
      result += known?.1 ?? String(first)
      rest = rest.dropFirst(known?.0.count ?? 1)
    }
    return result
  }

  @Test(
    "A command that would run a value, or has an unknown placeholder, is refused with a remedy",
    arguments: [
      ([], "name it first"), ([""], "name it first"), (["{match}"], "the name of a program"),
      (["./{match}", "a"], "the name of a program"), (["n", "{mach}"], "{match}"), (["n", "{mach}"], "'{mach}'"),
      (["sh", "-c", "echo {match}"], "$TOTEBOARD_MATCH"), (["/bin/bash", "-lc", "{text}"], "$TOTEBOARD_MATCH"),
      (["env", "A=1", "timeout", "3", "sh", "-c", "x{text}"], "$TOTEBOARD_MATCH"),
      (["python3", "-c", "{text}"], "$TOTEBOARD_MATCH"), (["perl", "-ne", "{text}"], "$TOTEBOARD_MATCH"),
      (["ssh", "host", "{text}"], "$TOTEBOARD_MATCH"), (["watch", "echo {text}"], "$TOTEBOARD_MATCH"),
      (["sh", "-ce", "{text}"], "$TOTEBOARD_MATCH"), (["sh", "-c", "-e", "{text}"], "$TOTEBOARD_MATCH"),
      (["bash", "-c", "--", "{text}"], "$TOTEBOARD_MATCH"), (["sh", "{match}"], "$TOTEBOARD_MATCH"),
      (["bash", "-o", "pipefail", "-c", "-e", "{text}"], "$TOTEBOARD_MATCH"),
      (["python3.11", "-cprint('{text}')"], "$TOTEBOARD_MATCH"), (["python3", "-u", "{match}"], "$TOTEBOARD_MATCH"),
      (["node", "--eval={text}"], "$TOTEBOARD_MATCH"), (["su", "user", "--command", "{text}"], "$TOTEBOARD_MATCH"),
      (["bash", "-o", "pipefail", "{match}"], "$TOTEBOARD_MATCH"), (["sh", "+x", "{match}"], "$TOTEBOARD_MATCH"),
      (["bash", "-c", "-o", "pipefail", "{text}"], "$TOTEBOARD_MATCH"), (["awk", "{text}"], "$TOTEBOARD_MATCH"),
      (["env", "-S", "sh -c {text}"], "$TOTEBOARD_MATCH"), (["env", "-Ssh -c {text}"], "$TOTEBOARD_MATCH"),
      (["bash", "--rcfile", "f", "-c", "{text}"], "'bash'"), (["node", "-r", "m", "-e", "{text}"], "'node'"),
      (["bash", "--rcfile", "f", "-c", "-e", "{text}"], "'bash'"), (["busybox", "sh", "-c", "{text}"], "'sh'"),
      (["flock", "f", "-c", "{text}"], "'flock'"), (["tmux", "display-message", "{text}"], "'tmux'"),
      (["notify-send", "-a", "sh", "{text}"], "'sh'"), (["notify-send", "watch", "{match}"], "a script of your own"),
      (["env", "-S", "sh -c", "{text}"], "'env'"), (["env", "-u", "X", "A=1", "-", "--split=x {text}"], "'env'"),
      (["env", "A=1", "{match}"], "'env'"), (["su", "user", "--comm", "{text}"], "'su'"),
      (["bash", "--rcfile", "f", "{match}"], "'bash'"), (["node", "--import", "m", "{match}"], "'node'"),
      (["gawk", "-i", "inplace", "{text}", "f"], "'gawk'"), (["awk", "-vname=v", "{text}"], "'awk'"),
      (["sed", "f", "-e", "{text}"], "'sed'"), (["adb", "shell", "echo", "{text}"], "'adb'"),
      (["docker", "run", "--entrypoint=sh", "image", "-c", "{text}"], "'--entrypoint=sh'"),
    ])
  func refusals(source: [String], remedy: String) {
    let error = #expect(throws: CommandTemplateError.self) { try CommandTemplate(source) }
    let text = error.map { Catalog.english.text($0.sentence) } ?? ""
    #expect(text.contains("alert_command") && text.contains(remedy), "\(text)")
  }

  /// The commands that run a value.
  private static let running = [
    ["sh", "-c", "{text}"], ["/bin/bash", "-lc", "{text}"], ["bash", "-o", "pipefail", "-c", "-e", "{text}"],
    ["sh", "{match}"], ["python3.11", "-cprint('{text}')"], ["perl", "-ne", "{text}"], ["node", "--eval={text}"],
    ["awk", "{text}"], ["su", "user", "--command", "{text}"], ["env", "-S", "sh -c {text}"], ["ssh", "host", "{text}"],
  ]

  @Test("A command that would run a value is refused behind any other program and its arguments")
  func launchers() {
    var random = SeededRandom(seed: 5)
    let words = ["setpriv", "strace", "flock", "pkexec", "x", "/bin/sh", "python3", "-c", "-f", "--reuid", "--", "1"]
    for command in Self.running {
      for _ in 0..<200 {
        let before = (0..<Int.random(in: 0...5, using: &random)).map { _ in words.randomElement(using: &random)! }
        // The text of another shell may precede, to which the command is data.
        if let shell = before.firstIndex(of: "/bin/sh"), before[shell...].contains("-c") { continue }
        #expect(throws: CommandTemplateError.self, "\(before + command)") { try CommandTemplate(before + command) }
      }
    }
  }

  @Test("A value is allowed after the script of a shell, or where it is not run as code")
  func allowed() throws {
    for source in [
      ["sh", "-c", "echo \"$1\"", "x", "{match}"], ["grep", "-c", "{match}"], ["sh", "a.sh", "{match}"],
      ["node", "a.js", "--title", "{match}"], ["env", "A={match}", "notify"],
      ["notify-send", "show", "{match}"], ["python3", "n.py", "-c={match}"], ["awk", "-v", "name={match}", "f"],
      ["python3", "-m", "notify", "{text}"], ["python3", "n.py", "-c", "{text}"],
      ["perl", "n.pl", "-title", "{match}"],
      ["python3", "-u", "n.py", "{text}"], ["env", "LANG=C", "notify-send", "{text}"],
      ["env", "-u", "X", "LANG=C", "curl", "-fsS", "-d", "{text}", "https://ntfy.sh/topic"],
      ["sh", "-c", "echo \"$1\"", "sh", "{match}"],
      ["timeout", "5", "bash", "-euo", "pipefail", "-c", "echo \"$1\"", "bash", "{match}"],
      ["osascript", "-l", "JavaScript", "n.js", "{text}"],
    ] {
      _ = try CommandTemplate(source)
    }
  }
}
