/// What follows ESC ] or another opener of a reply: of all that can be, the colour behind a terminal's text is looked for.
///
/// Takes byte by byte and keeps numbers, so that no reply is too long for it.
struct ColorReplyParser: Sendable {
  /// Of `11;rgb:0000/8080/ffff`, which is how a terminal answers OSC 11; with `rgba:` a fourth number follows.
  private static let head = Array("11;rgb".utf8)

  /// The byte behind ESC.
  let opener: UInt8
  private(set) var isEmpty = true
  private var isOther: Bool
  private var headCount = 0
  /// Whether the colon has come.
  private var isInNumbers = false
  private var numbers = SIMD4<UInt32>()
  private var digits = SIMD4<UInt32>()
  private var place = 0

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
      // NB: an `a` more than one is no terminal's, and does no harm.
      isInNumbers = byte == UInt8(ascii: ":")
      isOther = !isInNumbers && byte != UInt8(ascii: "a")
    } else if byte == UInt8(ascii: "/") {
      place += 1
      isOther = place > 3
    } else if let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digits[place] < 4 {
      numbers[place] = numbers[place] << 4 | UInt32(digit)
      digits[place] += 1
    } else {
      isOther = true
    }
  }

  /// What it answers, now that it is over.
  var answer: TerminalAnswer? {
    guard !isOther, place >= 2, (0...place).allSatisfy({ digits[$0] > 0 }) else { return nil }
    func byte(_ place: Int) -> UInt8 {
      UInt8(numbers[place] * 255 / ((1 << (4 * digits[place])) - 1))
    }
    return .background(.rgb(byte(0), byte(1), byte(2)))
  }
}
