import TestSupport
import Testing

extension EndToEndTests {
  @Suite struct InspectTests {
    @Test("inspect prints the content of a feed as a table and as JSON, and errors with their line numbers")
    func inspect() throws {
      let table = try Headless.run(["inspect", "-"], input: sampleFeed)
      #expect(table.status == .exit(0))
      #expect(table.output.contains("BETTING_OFFER") && table.output.contains("line 3: no JSON: no JSON"))
      let json = try Headless.run(["inspect", "--format", "json", "-"], input: sampleFeed)
      #expect(json.output.contains(#"{"kind":"unparsable","count":1}"#))
    }

    @Test("A missing file is an error that names the file")
    func missing() throws {
      let run = try Headless.run(["inspect", "/nowhere/feed.jsonl"])
      #expect(run.status == .exit(1))
      #expect(run.error.contains("/nowhere/feed.jsonl"))
    }
  }
}
