import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The remote end of a connection, which a test controls byte by byte.
struct Peer {
  /// A frame from the client, unmasked.
  struct Frame: Equatable {
    var opcode: UInt8
    var bytes: [UInt8]
    var isMasked = true

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  let channel: any Channel
  private var incoming: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  let sender: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var buffer = ByteBuffer()

  init(
    _ channel: any Channel, _ incoming: NIOAsyncChannelInboundStream<ByteBuffer>,
    _ outgoing: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.channel = channel
    self.incoming = incoming.makeAsyncIterator()
    sender = outgoing
  }

  func send(_ bytes: [UInt8]) async throws { try await sender.write(ByteBuffer(bytes: bytes)) }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Returns the lines of the next request, up to the blank one; empty at the end.
  mutating func request() async throws -> [String] {
    while true {
      let text = String(buffer: buffer)
      if let end = text.range(of: "\r\n\r\n") {
        buffer.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
        return text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
      }
      guard try await more() else { return [] }
    }
  }

  /// Accepts the request for a WebSocket. Returns the lines of the request.
  @discardableResult
  mutating func accept(subprotocol: String? = "wamp.2.json") async throws -> [String] {
    let lines = try await request()
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    for line in lines.dropFirst() {
      let colon = line.firstIndex(of: ":")!
      head.headers.add(name: String(line[..<colon]), value: String(line[line.index(colon, offsetBy: 2)...]))
    }
    let loop = EmbeddedChannel()
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    var answer = try await upgrader.buildUpgradeResponse(
      channel: loop, upgradeRequest: head, initialResponseHeaders: [:]
    )
    .get()
    if let subprotocol { answer.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
    let fields = answer.map { "\($0.name): \($0.value)\r\n" }.joined()
    try await send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\n\(fields)\r\n")
    return lines
  }

  /// Returns the client's next frame; nil at the end.
  mutating func frame() async throws -> Frame? {
    while true {
      if let frame = parsed() { return frame }
      guard try await more() else { return nil }
    }
  }

  private mutating func parsed() -> Frame? {
    var rest = buffer
    guard let first = rest.readInteger(as: UInt8.self), let second = rest.readInteger(as: UInt8.self) else {
      return nil
    }
    var length = Int(second & 0x7F)
    if length == 126 {
      guard let word = rest.readInteger(as: UInt16.self) else { return nil }
      length = Int(word)
    } else if length == 127 {
      guard let word = rest.readInteger(as: UInt64.self) else { return nil }
      length = Int(word)
    }
    let isMasked = second & 0x80 != 0
    guard let mask = rest.readBytes(length: isMasked ? 4 : 0), var bytes = rest.readBytes(length: length) else {
      return nil
    }
    if isMasked { for index in bytes.indices { bytes[index] ^= mask[index % 4] } }
    buffer = rest
    return Frame(opcode: first & 0x0F, bytes: bytes, isMasked: isMasked)
  }

  /// Ends the connection with a reset, as after a crash of the machine.
  func reset() async throws {
    try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    try await channel.close().get()
  }

  /// Waits for the client to end the connection.
  mutating func end() async throws {
    while try await more() {}
  }

  /// Returns the next bytes; nil at the end.
  mutating func next() async throws -> ByteBuffer? {
    if buffer.readableBytes > 0 {
      defer { buffer = ByteBuffer() }
      return buffer
    }
    return try await incoming.next()
  }

  private mutating func more() async throws -> Bool {
    guard let bytes = try await incoming.next() else { return false }
    buffer.writeImmutableBuffer(bytes)
    return true
  }

  /// Returns a frame as a server sends it.
  static func frame(_ opcode: UInt8, _ bytes: [UInt8], isLast: Bool = true, isMasked: Bool = false) -> [UInt8] {
    var frame = ByteBuffer(bytes: [opcode | (isLast ? 0x80 : 0)])
    let mask: UInt8 = isMasked ? 0x80 : 0
    switch bytes.count {
    case ..<126: frame.writeInteger(mask | UInt8(bytes.count))
    case ..<65536:
      frame.writeInteger(mask | 126)
      frame.writeInteger(UInt16(bytes.count))
    default:
      frame.writeInteger(mask | 127)
      frame.writeInteger(UInt64(bytes.count))
    }
    if isMasked { frame.writeInteger(UInt32(0)) }
    frame.writeBytes(bytes)
    return [UInt8](buffer: frame)
  }

  static func text(_ text: String, isLast: Bool = true) -> [UInt8] { frame(1, Array(text.utf8), isLast: isLast) }

  static func close(_ code: UInt16?, _ reason: String = "") -> [UInt8] {
    frame(8, (code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []) + Array(reason.utf8))
  }
}

extension String {
  fileprivate func range(of other: String) -> Range<Index>? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(other) { return at..<index(at, offsetBy: other.count) }
      at = index(after: at)
    }
    return nil
  }
}
