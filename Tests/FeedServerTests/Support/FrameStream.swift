import TestSupport

@testable import FeedServer

/// A random stream of a client's frames: their bytes and their contents.
struct FrameStream {
  private(set) var bytes: [UInt8] = []
  private(set) var frames: [ClientFrame] = []
  var random: SeededRandom
  /// The maximum size of a message, in bytes.
  private let limit: Int

  init(seed: UInt64, limit: Int) {
    random = SeededRandom(seed: seed)
    self.limit = limit
  }

  mutating func add(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Adds text messages, some of them in fragments with control frames between them.
  mutating func addMessages(_ count: Int) {
    for _ in 0..<count {
      addControlFrames()
      let text = text()
      let cuts = (0..<pick([0, 0, 0, 1, 3])).map { _ in Int.random(in: 0...text.count, using: &random) }.sorted()
      let bounds = [0] + cuts + [text.count]
      for part in 1..<bounds.count {
        let isLast = part == bounds.count - 1
        addFrame((isLast ? 0x80 : 0) | (part == 1 ? 1 : 0), Array(text[bounds[part - 1]..<bounds[part]]))
        frames.append(isLast ? .text(text) : .part)
        if !isLast { addControlFrames() }
      }
    }
  }

  mutating func addClose() {
    let code = pick([nil, 1000, 1001, 1011, 3000, 4999] as [UInt16?])
    let reason = Array(pick(["", "so long", "à bientôt"]).utf8)
    addFrame(0x88, code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] + reason } ?? [])
    frames.append(.close(code))
  }

  /// Changes, removes, inserts or repeats some bytes, most of them near the beginning, where heads are frequent.
  mutating func damage() {
    for _ in 0..<pick([1, 1, 3]) where !bytes.isEmpty {
      let index = Int.random(in: 0..<min(bytes.count, pick([2, 20, bytes.count])), using: &random)
      let end = min(bytes.count, index + pick([1, 2, 9]))
      switch pick([0, 0, 0, 1, 2, 3]) {
      case 0: bytes[index] ^= 1 << pick([0, 1, 2, 3, 4, 5, 6, 7])
      case 1: bytes.removeSubrange(index..<end)
      case 2: bytes.insert(contentsOf: (index..<end).map { _ in .random(in: 0...255, using: &random) }, at: index)
      default: bytes.insert(contentsOf: bytes[index..<end], at: end)
      }
    }
  }

  private mutating func addControlFrames() {
    while pick([true, false, false]) {
      let content = (0..<pick([0, 1, 4, 4, 4, 125])).map { _ in UInt8.random(in: 0...255, using: &random) }
      let isPing = pick([true, false])
      addFrame(isPing ? 0x89 : 0x8A, content)
      frames.append(isPing ? .ping(content) : .pong)
    }
  }

  private mutating func addFrame(_ first: UInt8, _ content: [UInt8]) {
    bytes += SocketClient.frame(first, content, mask: (0..<4).map { _ in .random(in: 0...255, using: &random) })
  }

  /// Returns text that is short, at the limit, or near a length at which the encoding of the length changes.
  private mutating func text() -> [UInt8] {
    let count = pick([true] + Array(repeating: false, count: 30)) ? limit : pick([0, 1, 7, 7, 30, 125, 126, 300])
    var text: [UInt8] = []
    while text.count < count {
      let next = Array(pick(["a", "a", "[", "é", "€", "🏇"]).utf8)
      text += text.count + next.count <= count ? next : [0x20]
    }
    return text
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
}
