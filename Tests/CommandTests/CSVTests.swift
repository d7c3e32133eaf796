import Testing

@testable import toteboard

/// Fields of comma-separated values that a spreadsheet would read as formulas.
struct CSVTests {
  @Test(
    "A field that is a formula begins with an apostrophe",
    arguments: [
      ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"), ("-1+2", "'-1+2"),
      ("-2+3+cmd|'!A0", "'-2+3+cmd|'!A0"), ("=A,B", "\"'=A,B\""), ("＝1", "'＝1"), ("-1.5 Ajax", "'-1.5 Ajax"),
      ("\u{FE0F}=1", "'=1"), ("\t=1", "\u{FFFD}=1"), ("\r=1", "\u{FFFD}=1"),
    ])
  func formula(field: String, expected: String) { #expect(CSV.line([field]) == expected + "\r\n") }

  @Test(
    "A field with a comma or a quote is quoted, also if a combining mark follows the comma or quote",
    arguments: [
      ("A,B", "\"A,B\""), ("A\"B", "\"A\"\"B\""), ("A,\u{301}B", "\"A,\u{301}B\""),
      ("A\"\u{301}B", "\"A\"\"\u{301}B\""), (",", "\",\""), ("\"\"", "\"\"\"\"\"\""),
    ])
  func quoted(field: String, expected: String) { #expect(CSV.line([field]) == expected + "\r\n") }

  @Test(
    "Other fields stay as they are",
    arguments: [
      "", "2.45", "+150", "-110", "-1.5", "5/2", "-", "=", "2026-01-31T12:00:00.000Z", "1-0", "Ajax = Porto", "'Ajax",
      "1.200000001", "浦和",
    ])
  func others(field: String) { #expect(CSV.line([field]) == field + "\r\n") }
}
