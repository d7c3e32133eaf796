import JSONText
import Testing

@Suite("The values of JSON numbers")
struct JSONValueTests {
  private func integer(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBufferPointer(JSONValue.integer) }

  @Test("A number with an exponent is a whole number only if its fraction is zero")
  func exponents() {
    for mantissa in -1200...1200 as ClosedRange<Int64> {
      for power in -4...4 {
        let tenThousandths = (0..<power + 4).reduce(mantissa) { product, _ in product * 10 }
        let whole = tenThousandths % 10_000 == 0 ? tenThousandths / 10_000 : nil
        #expect(integer("\(mantissa)e\(power)") == whole)
      }
    }
  }

  @Test(
    "A fraction of zeros is allowed in a whole number, any other is not",
    arguments: [("3.0", 3), ("3.5", nil), ("3.0e1", 30), ("5e-64", nil), ("0e-64", 0), ("1e19", nil)]
      as [(String, Int64?)])
  func fractions(text: String, value: Int64?) { #expect(integer(text) == value) }

  @Test("An exponent without digits before it is no number", arguments: ["e5", "-e5", "E0"])
  func noDigits(text: String) { #expect(integer(text) == nil) }
}
