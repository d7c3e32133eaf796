import TestSupport
import Testing

extension EndToEndTests {
  /// A recording of the Betfair stream through the real program.
  @Suite("A Betfair recording", .serialized)
  struct BetfairFileTests {
    private static let text: String = {
      var options = BetfairStream.Options()
      options.isMatch = true
      options.hasNames = true
      options.markets = 2
      return String(decoding: BetfairStream(seed: 3, options: options).text, as: UTF8.self)
    }()

    @Test("It is recognized in a file and in a pipe, and listed with status, sides, sizes and amounts")
    func list() throws {
      let file = TemporaryFile(Self.text)
      let listed = try Headless.run(["list", "--format", "json", "--feed", file.path])
      #expect(listed.status == .exit(0) && listed.error == "")
      let parts = [
        #""name":"Ajax v Porto","home":"Ajax","away":"Porto","sportId":"1""#, #""status":"ended""#,
        #""exchange":{"status":"closed","inPlay":true,"betDelay":5,"winners":1,"totalMatched":"#, #""currency":"GBP""#,
        #""backs":[{"odds":"#, #""lays":[{"odds":"#, #""name":"The Draw","key":"draw""#, #""status":"resolved""#,
      ]
      for part in parts { #expect(listed.output.contains(part), "\(part)") }
      let piped = try Headless.run(["list", "--format", "json", "--feed", "-"], input: Self.text)
      #expect(piped.output == listed.output)
    }

    @Test("Its changes are printed, and a copy that record makes is played like the original")
    func changes() throws {
      let file = TemporaryFile(Self.text)
      let changes = try Headless.run(["changes", "--format", "text", "--feed", file.path])
      #expect(changes.status == .exit(0))
      for part in ["Ajax v Porto: new, pending", "suspended since", "Ajax v Porto: ended"] {
        #expect(changes.output.contains(part), "\(part)")
      }
      let folder = TemporaryDirectory()
      let copy = folder.path + "/copy"
      #expect(try Headless.run(["record", copy, "--feed", file.path]).status == .exit(0))
      let lists = try [file.path, copy].map { try Headless.run(["list", "--format", "csv", "--feed", $0]).output }
      #expect(lists[0] == lists[1] && lists[0].contains("Ajax v Porto"))
    }

    @Test("A historical file, which has no image of all markets, is imported into the history")
    func historical() throws {
      let text = Self.text.replacing(#""ct":"SUB_IMAGE","#, with: "").replacing(#""img":true,"#, with: "")
      let folder = TemporaryDirectory()
      let file = TemporaryFile(text)
      let imported = try Headless.run(["import", file.path], environment: ["XDG_DATA_HOME": folder.path])
      #expect(imported.status == .exit(0))
      let history = try Headless.run(["history", "--format", "csv"], environment: ["XDG_DATA_HOME": folder.path])
      #expect(history.output.split(whereSeparator: \.isNewline).count > 10)
    }

    @Test("It is inspected, and a damaged compressed file is an error with its name")
    func inspect() throws {
      let file = TemporaryFile(Self.text)
      let report = try Headless.run(["inspect", "--format", "json", file.path])
      #expect(report.status == .exit(0) && report.output.contains(#""dumps":1"#))
      let damaged = TemporaryFile("BZh9 is not a compressed file")
      let failed = try Headless.run(["list", "--feed", damaged.path])
      #expect(failed.status == .exit(1))
      #expect(failed.error.contains("'\(damaged.path)': the feed's file is damaged: it cannot be decompressed"))
    }
  }
}
