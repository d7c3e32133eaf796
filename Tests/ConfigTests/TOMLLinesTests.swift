import TOMLKit
import Testing

@testable import toteboard

@Suite("Line numbers in TOML", .timeLimit(.minutes(45)))
struct TOMLLinesTests {
  @Test("All forms of strings, lists and tables have the right line, even with brackets in strings")
  func forms() {
    let text = """
      # [no.table] = 1
      a = "[x] # no comment" # a comment ]
      "b c" = '\\'
      d.e.f = 1
      long = \"\"\"
      [in]
      key = 1 \\\"\"\" \"\"\"\"
      raw = '''
      [in]
      '' '''
      list = [ # [
        "]", { g = "}" },
      ]
      inline = { h = [1,
        2], i = 3 }
      [table."x.y"]
      k = 1
      [[array]]
      l = 1

      [[array]]
      l = 2
      [array.sub]
      m = 1
      [[array.deep]]
      n = 1
      [[array.deep]]
      n = 2
      """
    #expect(throws: Never.self) { try TOMLTable(string: text) }
    let lines = TOMLLines(text)
    #expect(lines["a"] == 2 && lines["b c"] == 3 && lines["d", "e", "f"] == 4 && lines["d"] == 4)
    #expect(lines["long"] == 5 && lines["in"] == nil && lines["raw"] == 8 && lines["list"] == 11)
    #expect(
      lines["inline", "i"] == 15 && lines["inline", "h"] == 14 && lines["table", "x.y"] == 16
        && lines["table", "x.y", "k"] == 17)
    #expect(lines["array"] == 18 && lines["array", "0", "l"] == 19 && lines["array", "1"] == 21)
    #expect(lines["array", "1", "l"] == 22 && lines["array", "1", "sub", "m"] == 24)
    #expect(lines["array", "1", "deep", "0", "n"] == 26 && lines["array", "1", "deep", "1", "n"] == 28)
    #expect(lines["array", "1", "deep", "1", "other"] == 27 && lines["nothing"] == nil)
  }

  @Test("Both kinds of line endings are accepted", arguments: ["\n", "\r\n"])
  func ends(end: String) {
    let lines = TOMLLines(["", "a = 1", "[t]", "b = [", "1 ]", "c = 2"].joined(separator: end))
    #expect(lines["a"] == 2 && lines["t"] == 3 && lines["t", "b"] == 4 && lines["t", "c"] == 6)
  }

  @Test(
    "Reading invalid text ends; the key in it, if there is one, has line 1",
    arguments: [
      "[", "[[", "=", "a", "a =", "\"", "'''", "a = \"\\", "[a", "a.", "]", "a = {", "a = [", "a = [{", "a = [\"\\",
      "a = {b", "a = {b = ", "a = {b = [1", "a = [}", "a = {]", "a = [=,]", "a = {=,}", "a = [1 2]", "a = {\"b",
      "a = \(String(repeating: "[", count: 1000))", "a = \(String(repeating: "{b=", count: 1000))",
    ])
  func anything(text: String) {
    #expect(TOMLLines(text)["a"] == (text.contains("a") ? 1 : nil))
  }
}
