import Testing

@testable import toteboard

@Suite("Time zones")
struct ZoneTests {
  @Test("Time zones are recognized by their names", arguments: [("local", Zone.local), ("UTC", .utc), ("utc", .utc)])
  func names(name: String, zone: Zone) { #expect(Zone(name) == zone) }

  @Test(
    "Time zones with invalid names are rejected",
    arguments: ["", "/", "Europe", "Europe/Pariss", "/etc/passwd", "../../../etc/passwd", "a b"])
  func none(name: String) { #expect(Zone(name) == nil) }

  @Test("UTC has an offset of 0")
  func utc() { #expect(Zone.utc.install()(1_750_752_000_000) == 0) }
}
