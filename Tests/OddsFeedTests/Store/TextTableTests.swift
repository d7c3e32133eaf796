import TestSupport
import Testing

@testable import OddsFeed

@Suite("The table of texts")
struct TextTableTests {
  @Test("gives texts the same number if they are equal after the repair of invalid UTF-8", arguments: Laws.seeds(20))
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = TextTable()
    var numbers: [[UInt8]: TextID] = [:]
    let bytes: [UInt8] = [0x41, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80, 0xFF]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in bytes.randomElement(using: &random)! }
      let repaired = String(decoding: text, as: UTF8.self)
      let number = table.id(text[...])
      #expect(table[number] == repaired)
      #expect(numbers[Array(repaired.utf8), default: number] == number)
      numbers[Array(repaired.utf8)] = number
    }
    #expect(Set(numbers.values).count == numbers.count)
  }
}
