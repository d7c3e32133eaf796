import Foundation
import Localization
import Testing

/// Checks that the texts of the board are in `Resources` and not in its sources.
@Suite("The sources and the texts")
struct SourceTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")
  /// The targets without localized texts: the server, tools that are not installed, the layout of manual pages, and
  /// the client library.
  private static let others = [
    "FeedServer", "toteboard-server", "toteboard-bench", "toteboard-load", "ManualPage", "OddsClient",
  ]
  /// The files with log messages, which are in English.
  private static let logged = ["BoardCache.swift", "CacheFile.swift"]

  /// The files with answers of the simulated server, which are in English like those of the real server.
  private static let answered = ["PlayerSession.swift"]

  private static let sources: [URL] = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)!
    .compactMap { $0 as? URL }
    .filter { file in
      file.pathExtension == "swift" && !(logged + answered).contains(file.lastPathComponent)
        && !others.contains { file.pathComponents.contains($0) }
    }

  @Test("The name of each message key is in the sources, after a dot")
  func keys() throws {
    let isPhrase = try Regex(#"\.([a-z][A-Za-z0-9]*)\b"#, as: (Substring, Substring).self)
    var usedKeys: Set<Substring> = []
    for file in Self.sources where file.lastPathComponent != "MessageKey.swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      usedKeys.formUnion(text.matches(of: isPhrase).map(\.output.1))
    }
    for phrase in MessageKey.allCases where !usedKeys.contains("\(phrase)") {
      Issue.record("'\(phrase)' is not used: delete it, also in Resources")
    }
  }

  @Test("Errors, help texts and remedies are not string literals")
  func literals() throws {
    let messageCalls = try Regex(
      #"\b(FeedError|CommandError|ValidationError|ConfigError|ArgumentHelp|Output\.send)\(\s*("+(?!(--)?\\\((CLILanguage|message))|(?!call)[a-z]+: ")"#
    )
    let labels = try Regex(#"\b(help|abstract|discussion|remedy|summary): "+[^"\\]"#)
    #expect(Self.sources.count > 100)
    for file in Self.sources {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: messageCalls) + text.matches(of: labels) {
        Issue.record("\(file.lastPathComponent): \(text[match.range])…: use a message key")
      }
    }
  }
}
