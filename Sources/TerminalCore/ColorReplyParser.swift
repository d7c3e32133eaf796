/// A parser of a terminal's reply after ESC and its opener, such as ESC ]. Recognizes only the background colour.
///
/// Consumes byte by byte and stores only numbers, so that memory is constant for a reply of any length.
struct ColorReplyParser: Sendable {
  /// The start of `11;rgb:0000/8080/ffff`, the reply to OSC 11. With `rgba:` a fourth number follows.
  private static let head = Array("11;rgb".utf8)

  /// The byte after ESC.
  let opener: UInt8
  private(set) var isEmpty = true
  private var isOther: Bool
  private var headCount = 0
  /// True after the colon.
  private var isInNumbers = false
  private var numbers = SIMD4<UInt32>()
  private var digits = SIMD4<UInt32>()
  private var index = 0

  init(opener: UInt8) {
    self.opener = opener
    isOther = opener != UInt8(ascii: "]")
  }

  mutating func append(_ byte: UInt8) {
    isEmpty = false
    if isOther { return }
    if headCount < Self.head.count {
      isOther = byte != Self.head[headCount]
      headCount += 1
    } else if !isInNumbers {
      // NB: also accepts more than one `a`. No terminal sends that, and it is harmless.
      isInNumbers = byte == UInt8(ascii: ":")
      isOther = !isInNumbers && byte != UInt8(ascii: "a")
    } else if byte == UInt8(ascii: "/") {
      index += 1
      isOther = index > 3
    } else if let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digits[index] < 4 {
      numbers[index] = numbers[index] << 4 | UInt32(digit)
      digits[index] += 1
    } else {
      isOther = true
    }
  }

  /// The answer of the complete reply; nil for a reply of any other kind.
  var answer: TerminalAnswer? {
    guard !isOther, index >= 2, (0...index).allSatisfy({ digits[$0] > 0 }) else { return nil }
    func byte(_ index: Int) -> UInt8 { UInt8(numbers[index] * 255 / ((1 << (4 * digits[index])) - 1)) }
    return .background(.rgb(byte(0), byte(1), byte(2)))
  }
}
