/// The bytes after ESC [ without the final byte, reduced to up to three numbers and a kind.
struct ControlSequence: Sendable {
  enum Meaning {
    case key(Key)
    case mouse(MousePress)
    case answer(TerminalAnswer)
    case pasteBegins, pasteEnds
  }

  private enum Kind {
    case plain, mouse, other
    /// Replies that start with `?`: device attributes, or with `$` the state of a mode.
    case answer, modeAnswer
  }

  private(set) var isEmpty = true
  private var numbers = SIMD3<Int>()
  private var index = 0
  private var kind = Kind.plain

  mutating func append(_ byte: UInt8) {
    defer { isEmpty = false }
    switch byte {
    case 0x30...0x39: if index < 3 { numbers[index] = min(numbers[index] * 10 + Int(byte & 0x0F), 100_000) }
    case 0x3B: index += 1
    // A colon begins subparameters. They, and what follows, are ignored.
    case 0x3A: index = 3
    // A mouse report in SGR form.
    case 0x3C where isEmpty: kind = .mouse
    case 0x3F where isEmpty: kind = .answer
    case 0x24 where kind == .answer: kind = .modeAnswer
    // Other replies, such as those with `>`, and unknown sequences.
    default: kind = .other
    }
  }

  /// Returns the meaning of the sequence with its final byte; nil for a sequence that is unknown or not needed.
  func meaning(final byte: UInt8) -> Meaning? {
    switch kind {
    case .plain: plain(final: byte)
    case .mouse: byte == 0x4D ? MousePress(report: (numbers[0], numbers[1], numbers[2])).map(Meaning.mouse) : nil
    // The attributes themselves are not needed; the reply only marks the end of the answers.
    case .answer: byte == 0x63 ? .answer(.end) : nil
    // 1 and 2: set and reset. 0: unknown mode. 3 and 4: permanently set or reset, so unusable.
    case .modeAnswer: byte == 0x79 ? .answer(.mode(numbers[0], isKnown: 1...2 ~= numbers[1])) : nil
    case .other: nil
    }
  }

  private func plain(final byte: UInt8) -> Meaning? {
    switch byte {
    case 0x7E where numbers[0] == 200: .pasteBegins
    case 0x7E where numbers[0] == 201: .pasteEnds
    case 0x7E: Key(number: numbers[0]).map(Meaning.key)
    case 0x5A: .key(.backTab)
    // NB: ESC [ 24 ; 80 R reports the cursor position, while ESC [ 1 ; 5 R is Ctrl-F3.
    case 0x52 where numbers[0] > 1: nil
    case 0x41...0x44, 0x46, 0x48, 0x50...0x53: Key(applicationKey: byte).map(Meaning.key)
    default: nil
    }
  }
}

extension MousePress {
  /// Creates a press from the numbers of a report: the button with its modifiers, then column and row, from 1. Nil for
  /// a movement and for buttons beyond the usual three and the wheel.
  fileprivate init?(report: (code: Int, column: Int, row: Int)) {
    guard report.column > 0, report.row > 0, report.code & 32 == 0, report.code < 128 else { return nil }
    let button: Button
    switch report.code & 0b100_0011 {
    case 0: button = .left
    case 1: button = .middle
    case 2: button = .right
    case 64: button = .wheelUp
    case 65: button = .wheelDown
    default: return nil
    }
    self.init(button, row: report.row - 1, column: report.column - 1)
  }
}

extension Key {
  /// Creates the key with the given final byte after ESC O, and in most cases also after ESC [.
  init?(applicationKey byte: UInt8) {
    switch byte {
    case 0x41: self = .up
    case 0x42: self = .down
    case 0x43: self = .right
    case 0x44: self = .left
    case 0x46: self = .end
    case 0x48: self = .home
    case 0x4D: self = .enter
    case 0x50...0x53: self = .function(Int(byte) - 0x4F)
    default: return nil
    }
  }

  /// Creates the key of ESC [ number ~.
  fileprivate init?(number: Int) {
    switch number {
    case 1, 7: self = .home
    case 2: self = .insert
    case 3: self = .delete
    case 4, 8: self = .end
    case 5: self = .pageUp
    case 6: self = .pageDown
    // 16 and 22 are skipped: the keyboard of the VT220 has gaps there.
    case 11...15: self = .function(number - 10)
    case 17...21: self = .function(number - 11)
    case 23...24: self = .function(number - 12)
    default: return nil
    }
  }
}
