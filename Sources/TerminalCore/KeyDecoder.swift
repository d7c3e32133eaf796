/// A decoder from the terminal's bytes to keys, mouse presses and answers.
///
/// A pure state machine. The result does not depend on how the bytes are split into reads. Stores no bytes.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case escape
    /// After ESC O.
    case applicationKey
    /// After ESC [, with the numbers so far. Ignores modifiers, the second number.
    case control(ControlSequence)
    /// After ESC [ [, which starts F1 to F5 on the Linux console.
    case consoleKey
    /// The coordinates of a mouse report in the old form; `left` bytes are missing.
    case mouse(left: Int)
    /// A reply (OSC, DCS, APC, PM, SOS), up to BEL or ESC \.
    case reply(ColorReplyParser)
    /// After an ESC inside a reply.
    case replyEnd(ColorReplyParser)
    case character(value: UInt32, left: Int, least: UInt32)
  }

  private typealias Meaning = ControlSequence.Meaning

  private var state = State.ground
  /// True between the start and end marks of a bracketed paste.
  private var isPasting = false

  package init() {}

  /// True if the pending input may be complete. The caller calls `flush()` if no more bytes arrive within 25 ms, or
  /// 500 ms while an answer of the terminal is pending.
  package var isPending: Bool {
    switch state {
    case .ground: false
    case .reply(let reply): reply.isEmpty
    default: true
    }
  }

  /// Returns the events that these bytes complete. Inside a bracketed paste, only characters are keys.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for byte in bytes {
      switch consume(byte) {
      case .key(let key)?: if !isPasting || key.isCharacter { events.append(.key(key)) }
      case .mouse(let press)?: events.append(.mouse(press))
      case .answer(let answer)?: if !isPasting { events.append(.answer(answer)) }
      case .pasteBegins?: isPasting = true
      case .pasteEnds?: isPasting = false
      case nil: break
      }
    }
    return events
  }

  /// Resolves the pending input: a lone ESC is the escape key; ESC with the first byte of a sequence is that letter.
  /// Drops any other pending input.
  package mutating func flush() -> [Key] {
    guard isPending else { return [] }
    defer { state = .ground }
    switch state {
    case .escape, .replyEnd:
      // Leaves paste mode, because a paste whose end mark was lost would suppress keys forever.
      isPasting = false
      return [.escape]
    case .applicationKey: return [.character("O")]
    case .control(let sequence) where sequence.isEmpty: return [.character("[")]
    case .reply(let reply): return [.character(Character(Unicode.Scalar(reply.opener)))]
    default: return []
    }
  }

  private mutating func consume(_ byte: UInt8) -> Meaning? {
    let before = state
    state = .ground
    switch before {
    case .ground: return decodePlain(byte).map(Meaning.key)
    case .escape: return decodeEscaped(byte).map(Meaning.key)

    case .applicationKey:
      // Some terminals send modifiers here, as in ESC O 5 A.
      if 0x30...0x3B ~= byte {
        state = .applicationKey
        return nil
      }
      return (byte >= 0x40 && byte < 0x7F ? Key(applicationKey: byte) : decodePlain(byte)).map(Meaning.key)

    case .control(var sequence):
      switch byte {
      case 0x5B where sequence.isEmpty: state = .consoleKey
      case 0x4D where sequence.isEmpty: state = .mouse(left: 3)
      case 0x20...0x3F:
        sequence.append(byte)
        state = .control(sequence)
      case 0x40...0x7E: return sequence.meaning(final: byte)
      default: return decodePlain(byte).map(Meaning.key)
      }
      return nil

    case .consoleKey: return 0x41...0x45 ~= byte ? .key(.function(Int(byte) - 0x40)) : nil

    case .mouse(let left):
      if left > 1 { state = .mouse(left: left - 1) }
      return nil

    case .reply(var reply):
      switch byte {
      case 0x07: return reply.answer.map(Meaning.answer)
      case 0x18, 0x1A: break
      case 0x1B: state = .replyEnd(reply)
      default:
        reply.append(byte)
        state = .reply(reply)
      }
      return nil

    case .replyEnd(let reply):
      return byte == 0x5C ? reply.answer.map(Meaning.answer) : decodeEscaped(byte).map(Meaning.key)

    case .character(let value, let left, let least):
      guard 0x80...0xBF ~= byte else { return decodePlain(byte).map(Meaning.key) }
      let value = value << 6 | UInt32(byte & 0x3F)
      guard left == 1 else {
        state = .character(value: value, left: left - 1, least: least)
        return nil
      }
      guard value >= max(least, 0xA0), let scalar = Unicode.Scalar(value) else { return nil }
      return .key(.character(Character(scalar)))
    }
  }

  private mutating func decodePlain(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B: state = .escape
    case 0x08, 0x7F: return .backspace
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
    case 0xC2...0xDF: state = .character(value: UInt32(byte & 0x1F), left: 1, least: 0x80)
    case 0xE0...0xEF: state = .character(value: UInt32(byte & 0x0F), left: 2, least: 0x800)
    case 0xF0...0xF4: state = .character(value: UInt32(byte & 0x07), left: 3, least: 0x10000)
    default: break
    }
    return nil
  }

  private mutating func decodeEscaped(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B:
      state = .escape
      return .escape
    case 0x4F: state = .applicationKey
    case 0x5B: state = .control(ControlSequence())
    case 0x50, 0x58, 0x5D...0x5F: state = .reply(ColorReplyParser(opener: byte))
    default: return decodePlain(byte)
    }
    return nil
  }
}
