import OddsModel
import Testing

struct ISOTimeTests {
  @Test("A time is read back as it was written, with any time zone")
  func times() {
    for time: Int64 in [0, 1, 951_782_400_000, 1_750_000_000_123, 4_102_444_799_999, 253_402_300_799_999] {
      #expect(ISOTime.milliseconds(ISOTime.text(time)) == time)
    }
    #expect(ISOTime.milliseconds("1970-01-01T02:00:00.5+02:00") == 500)
    #expect(ISOTime.milliseconds("1969-12-31T20:30:00-0330") == 0)
    for text in ["", "1970-01-01", "1970-13-01T00:00:00Z", "1970-01-01T00:00:00", "1970-01-01T00:00:00.Z"] {
      #expect(ISOTime.milliseconds(text) == nil, "\(text)")
    }
  }
}
