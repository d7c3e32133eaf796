/// An incremental parser of `text/event-stream` (WHATWG HTML, 9.2). Bytes may be split at any position.
struct ServerSentEvents {
  struct Event: Hashable {
    /// The type of the event. "message" if the stream does not name one.
    var type: String
    var data: [UInt8]
  }

  /// The bound on the length of a line and of an event's data, in bytes. A larger event is dropped and counted.
  let maxBytes: Int

  /// The id to send when the stream is opened again. Empty if no event had an id.
  private(set) var lastEventID: String
  /// The number of events that were too long.
  private(set) var oversized = 0

  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var type: [UInt8] = []
  private var id: String
  private var isTooLong = false
  private var isAfterCR = false
  /// The number of matched bytes of a byte order mark. Nil once the start of the stream has been checked.
  private var mark: Int? = 0

  /// Creates a parser for the start of a stream. The last id of the previous stream stays in effect.
  init(lastEventID: String = "", maxBytes: Int = 1 << 20) {
    self.lastEventID = lastEventID
    id = lastEventID
    self.maxBytes = maxBytes
  }

  /// Returns the events that these bytes complete. An incomplete event at the end of the stream is dropped.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      if mark != nil, !passesMark(byte) { continue }
      let isSecondHalf = isAfterCR && byte == 0x0A
      isAfterCR = byte == 0x0D
      if isSecondHalf { continue }
      guard byte == 0x0A || byte == 0x0D else {
        if line.count < maxBytes { line.append(byte) }
        if line.count == maxBytes { isTooLong = true }
        continue
      }
      if line.isEmpty { dispatch(&events) } else if line.count < maxBytes { field() }
      line.removeAll(keepingCapacity: line.count < 4096)
    }
    return events
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns false if the byte belongs to a byte order mark at the start of the stream.
  private mutating func passesMark(_ byte: UInt8) -> Bool {
    let known = mark ?? 0
    if byte == Self.byteOrderMark[known] {
      mark = known + 1 == Self.byteOrderMark.count ? nil : known + 1
      return false
    }
    // The bytes that resembled a mark begin a line.
    line = Array(Self.byteOrderMark.prefix(known))
    mark = nil
    return true
  }

  private mutating func field() {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "data":
      guard data.count + value.count < maxBytes else { return isTooLong = true }
      data += value
      data.append(0x0A)
    case "event": type = Array(value)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    // A comment has an empty name. Unknown names are ignored, and "retry" too: Reconnecting.md defines the delays.
    default: break
    }
  }

  private mutating func dispatch(_ events: inout [Event]) {
    lastEventID = id
    defer {
      data = []
      type = []
      isTooLong = false
    }
    if isTooLong { return oversized += 1 }
    guard !data.isEmpty else { return }
    events.append(Event(type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self), data: data.dropLast()))
  }
}
