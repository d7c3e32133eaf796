/// What follows ESC [ up to its last byte, as far as it decides on a key: the first number.
struct ControlSequence: Sendable {
  private(set) var isEmpty = true
  private var number = 0
  private var isInFirstNumber = true
  private var isPrivate = false

  mutating func append(_ byte: UInt8) {
    isEmpty = false
    switch byte {
    case 0x30...0x39 where isInFirstNumber:
      number = min(number * 10 + Int(byte & 0x0F), 1000)
    case 0x30...0x3B:
      isInFirstNumber = false
    default:
      // SGR mouse reports (<) and the answers to mode and attribute questions (? > $).
      isPrivate = true
    }
  }

  /// The key that the sequence means with that last byte; nil for mouse reports, paste markers and the unknown.
  func key(final byte: UInt8) -> Key? {
    guard !isPrivate else { return nil }
    switch byte {
    case 0x7E: return Key(number: number)
    case 0x5A: return .backTab
    // NB: ESC [ 24 ; 80 R is where the cursor is, ESC [ 1 ; 5 R is F3 with Ctrl.
    case 0x52 where number > 1: return nil
    case 0x41...0x44, 0x46, 0x48, 0x50...0x53: return Key(applicationKey: byte)
    default: return nil
    }
  }
}

extension Key {
  /// The key whose last byte that is after ESC O, and mostly after ESC [ too.
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

  /// The key of ESC [ number ~.
  fileprivate init?(number: Int) {
    switch number {
    case 1, 7: self = .home
    case 2: self = .insert
    case 3: self = .delete
    case 4, 8: self = .end
    case 5: self = .pageUp
    case 6: self = .pageDown
    // The numbers leave out 16 and 22, as the keyboard of the VT220 had gaps there.
    case 11...15: self = .function(number - 10)
    case 17...21: self = .function(number - 11)
    case 23...24: self = .function(number - 12)
    default: return nil
    }
  }
}
