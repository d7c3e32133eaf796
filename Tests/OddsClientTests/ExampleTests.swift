import TestSupport
import Testing

@Suite("The examples of the documentation")
struct ExampleTests {
  /// The compiled examples, without their indentation.
  private static var compiled: Set<String> {
    get throws {
      let text = try RepositoryFile.text("Tests/OddsClientTests/Examples.swift")
      var examples: Set<String> = []
      var lines: [Substring]?
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("// example:") {
          lines = []
        } else if code == "// end" {
          examples.insert((lines ?? []).map { $0.dropFirst(4) }.joined(separator: "\n"))
          lines = nil
        } else {
          lines?.append(line)
        }
      }
      return examples
    }
  }

  @Test(
    "are compiled by the tests",
    arguments: ["GettingStarted", "Providers", "Freshness", "TestingWithRecordings"])
  func pages(page: String) throws {
    let text = try RepositoryFile.text("Sources/OddsClient/OddsClient.docc/\(page).md")
    let blocks = text.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "\n```").first }
    #expect(!blocks.isEmpty)
    let compiled = try Self.compiled
    for block in blocks { #expect(compiled.contains(String(block)), "\(block)") }
  }
}
