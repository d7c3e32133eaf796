/// What is sent as `text/event-stream` (WHATWG HTML, 9.2): bytes in, however they are cut, and events out.
struct ServerSentEvents {
  struct Event: Hashable {
    /// "message" where the stream does not say.
    var type: String
    var data: [UInt8]
  }

  /// No line, and no data of an event, may be longer; an event that is, is left out and counted.
  let mostBytes: Int

  /// What to ask for when the stream is opened again; empty where no event had an id.
  private(set) var lastEventID: String
  /// How long the server wants its clients to wait before they come back, in milliseconds.
  ///
  /// NB: parsed and not heeded: Reconnecting.md says how long we wait.
  private(set) var retry: Int?
  /// Events that were too long.
  private(set) var oversized = 0

  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var type: [UInt8] = []
  private var id: String
  private var isTooLong = false
  private var isAfterCR = false
  /// How much of a byte order mark has come; nil once it is known whether there is one.
  private var mark: Int? = 0

  /// A stream from its beginning. The last event's id stays when the next stream begins.
  init(lastEventID: String = "", mostBytes: Int = 1 << 20) {
    (self.lastEventID, id, self.mostBytes) = (lastEventID, lastEventID, mostBytes)
  }

  /// The events that end in these bytes. What the stream ends without is no event.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      if mark != nil, !passesMark(byte) { continue }
      let isSecondHalf = isAfterCR && byte == 0x0A
      isAfterCR = byte == 0x0D
      if isSecondHalf { continue }
      guard byte == 0x0A || byte == 0x0D else {
        if line.count < mostBytes { line.append(byte) }
        if line.count == mostBytes { isTooLong = true }
        continue
      }
      if line.isEmpty { dispatch(&events) } else if line.count < mostBytes { field() }
      line.removeAll(keepingCapacity: line.count < 4096)
    }
    return events
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// True where the byte is not of a mark at the very beginning.
  private mutating func passesMark(_ byte: UInt8) -> Bool {
    let known = mark ?? 0
    if byte == Self.byteOrderMark[known] {
      mark = known + 1 == Self.byteOrderMark.count ? nil : known + 1
      return false
    }
    // What looked like a mark is the beginning of a line.
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
      guard data.count + value.count < mostBytes else { return isTooLong = true }
      data += value
      data.append(0x0A)
    case "event": type = Array(value)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      guard !value.isEmpty, value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return }
      retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
    // A comment has no name; other names mean nothing.
    default: break
    }
  }

  private mutating func dispatch(_ events: inout [Event]) {
    lastEventID = id
    defer { (data, type, isTooLong) = ([], [], false) }
    if isTooLong { return oversized += 1 }
    guard !data.isEmpty else { return }
    events.append(
      Event(type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self), data: data.dropLast()))
  }
}
