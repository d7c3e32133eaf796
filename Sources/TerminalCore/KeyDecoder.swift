/// Turns a terminal's bytes into keys, presses of the mouse and answers.
///
/// A pure state machine, fed byte by byte: however the bytes are cut into reads, the keys are the same. It keeps no
/// bytes, so nothing a terminal sends makes it grow.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case escape
    /// After ESC O.
    case applicationKey
    /// After ESC [, with what decides on the key; modifiers, the second number, are not looked at.
    case control(ControlSequence)
    /// After ESC [ [: the Linux console's F1 to F5.
    case consoleKey
    /// The coordinates of an old mouse report.
    case mouse(left: Int)
    /// A reply to some question (OSC, DCS, APC, PM, SOS), up to BEL or ESC \.
    case reply(ColorReplyParser)
    /// After an ESC in it.
    case replyEnd(ColorReplyParser)
    case character(value: UInt32, left: Int, least: UInt32)
  }

  private typealias Meaning = ControlSequence.Meaning

  private var state = State.ground
  /// Between the marks of what is pasted.
  private var isPasting = false

  /// A decoder that has seen nothing.
  package init() {}

  /// Whether a sequence has begun that may be a key by itself: `flush()` when 25 ms bring nothing more.
  package var isPending: Bool {
    switch state {
    case .ground: false
    case .reply(let reply): reply.isEmpty
    default: true
    }
  }

  /// What these bytes complete. Of what is pasted between its marks, those that are characters.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for byte in bytes {
      switch take(byte) {
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

  /// Ends what is pending: a lone ESC is the escape key, ESC with the start of a sequence that letter (with Alt).
  package mutating func flush() -> [Key] {
    guard isPending else { return [] }
    defer { state = .ground }
    switch state {
    case .escape, .replyEnd:
      // A paste whose end got lost must not swallow keys for ever.
      isPasting = false
      return [.escape]
    case .applicationKey: return [.character("O")]
    case .control(let sequence) where sequence.isEmpty: return [.character("[")]
    case .reply(let reply): return [.character(Character(Unicode.Scalar(reply.opener)))]
    default: return []
    }
  }

  private mutating func take(_ byte: UInt8) -> Meaning? {
    let before = state
    state = .ground
    switch before {
    case .ground:
      return takePlain(byte).map(Meaning.key)

    case .escape:
      return takeEscaped(byte).map(Meaning.key)

    case .applicationKey:
      // Some terminals put modifiers here, as in ESC O 5 A.
      if 0x30...0x3B ~= byte {
        state = .applicationKey
        return nil
      }
      return (byte >= 0x40 && byte < 0x7F ? Key(applicationKey: byte) : takePlain(byte)).map(Meaning.key)

    case .control(var sequence):
      switch byte {
      case 0x5B where sequence.isEmpty:
        state = .consoleKey
      case 0x4D where sequence.isEmpty:
        state = .mouse(left: 3)
      case 0x20...0x3F:
        sequence.append(byte)
        state = .control(sequence)
      case 0x40...0x7E:
        return sequence.meaning(final: byte)
      default:
        return takePlain(byte).map(Meaning.key)
      }
      return nil

    case .consoleKey:
      return 0x41...0x45 ~= byte ? .key(.function(Int(byte) - 0x40)) : nil

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
      return byte == 0x5C ? reply.answer.map(Meaning.answer) : takeEscaped(byte).map(Meaning.key)

    case .character(let value, let left, let least):
      guard 0x80...0xBF ~= byte else { return takePlain(byte).map(Meaning.key) }
      let value = value << 6 | UInt32(byte & 0x3F)
      guard left == 1 else {
        state = .character(value: value, left: left - 1, least: least)
        return nil
      }
      guard value >= max(least, 0xA0), let scalar = Unicode.Scalar(value) else { return nil }
      return .key(.character(Character(scalar)))
    }
  }

  private mutating func takePlain(_ byte: UInt8) -> Key? {
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

  private mutating func takeEscaped(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B:
      state = .escape
      return .escape
    case 0x4F: state = .applicationKey
    case 0x5B: state = .control(ControlSequence())
    case 0x50, 0x58, 0x5D...0x5F: state = .reply(ColorReplyParser(opener: byte))
    default: return takePlain(byte)
    }
    return nil
  }
}
