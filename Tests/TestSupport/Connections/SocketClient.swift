package import EveryMatrix
package import OddsModel

/// A WebSocket client that can violate the protocol.
package final class SocketClient {
  package enum ServerFrame: Equatable {
    case text(String)
    case ping
    case pong
    /// The code is 1005 if the frame has none.
    case close(UInt16, String)
    /// A frame of another kind, with its first byte.
    case other(UInt8)
    case end
  }

  package struct HandshakeError: Error {}

  package let raw: RawClient
  private var requests = 0
  package private(set) var invocations = 0

  /// Opens the socket.
  package convenience init(to port: Int, headers: [String] = [], reads: Bool = true) async throws {
    try await self.init(try await RawClient(to: port, reads: reads), headers: headers, reads: reads)
  }

  /// Opens the socket on a connection. Does not wait for the answer to the handshake if nothing is read.
  package init(_ raw: RawClient, headers: [String] = [], reads: Bool = true) async throws {
    self.raw = raw
    raw.send(Self.handshake(headers))
    if !reads { return }
    guard let answer = await raw.read(through: "\r\n\r\n"), answer.hasPrefix("HTTP/1.1 101") else {
      throw HandshakeError()
    }
  }

  /// Creates a client on a connection that is already a WebSocket.
  package init(withoutHandshake raw: RawClient) { self.raw = raw }

  /// Opens the socket and a session.
  package static func session(to port: Int, reads: Bool = true) async throws -> SocketClient {
    let client = try await SocketClient(to: port, reads: reads)
    client.send(.hello(realm: "test"))
    if reads { _ = await client.text() }
    return client
  }

  package static func handshake(_ headers: [String] = [], protocols: String? = "wamp.2.json", path: String = "/v2")
    -> String
  {
    var lines = [
      "GET \(path) HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    if let protocols { lines.append("Sec-WebSocket-Protocol: \(protocols)") }
    return (lines + headers + ["", ""]).joined(separator: "\r\n")
  }

  package func send(_ message: WAMPMessage) { send(String(decoding: message.text, as: UTF8.self)) }

  package func send(_ text: String) { send(0x81, Array(text.utf8)) }

  /// Sends a frame with that first byte, masked or not.
  package func send(_ first: UInt8, _ content: [UInt8], isMasked: Bool = true) {
    raw.send(Self.frame(first, content, mask: isMasked ? Self.mask : nil))
  }

  package static let mask: [UInt8] = [0x5A, 0x01, 0xFF, 0x33]

  /// Returns the bytes of a frame with that first byte. The number of bytes of the encoded length is 1, 3 or 9; by
  /// default it is the smallest possible.
  package static func frame(
    _ first: UInt8, _ content: [UInt8], mask: [UInt8]? = mask, lengthBytes: Int? = nil
  ) -> [UInt8] {
    let bit: UInt8 = mask == nil ? 0 : 0x80
    var frame = [first]
    switch lengthBytes ?? (content.count < 126 ? 1 : content.count <= 0xFFFF ? 3 : 9) {
    case 1: frame.append(bit | UInt8(content.count))
    case 3: frame += [bit | 126, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
    default: frame += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: content.count >> (56 - 8 * $0)) }
    }
    guard let mask else { return frame + content }
    return frame + mask + content.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// Returns the next frame of the server.
  package func next() async -> ServerFrame {
    guard let head = await raw.read(2) else { return .end }
    var count = Int(head[1])
    if count > 125 {
      guard let long = await raw.read(count == 126 ? 2 : 8) else { return .end }
      count = long.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let content = await raw.read(count) else { return .end }
    switch head[0] {
    case 0x81: return .text(String(decoding: content, as: UTF8.self))
    case 0x89: return .ping
    case 0x8A: return .pong
    case 0x88:
      let code = content.count < 2 ? 1005 : UInt16(content[0]) << 8 | UInt16(content[1])
      return .close(code, String(decoding: content.dropFirst(2), as: UTF8.self))
    default: return .other(head[0])
    }
  }

  /// Returns the next text, after any pings; nil if another frame arrives.
  package func text() async -> String? {
    while true {
      switch await next() {
      case .text(let text): return text
      case .ping: continue
      default: return nil
      }
    }
  }

  /// Returns the next text that is not an update. Answers updates, and applies them to a replica.
  package func nextReply(_ replica: inout FeedReplica) async -> String? {
    while let text = await text() {
      guard let update = update(of: text) else { return text }
      replica.apply(update)
    }
    return nil
  }

  /// Answers the next invocation. Returns its message; nil if the connection ends.
  package func nextUpdate() async -> String? {
    while let text = await text() {
      if let update = update(of: text) { return String(decoding: update, as: UTF8.self) }
    }
    return nil
  }

  /// Applies the next update to a replica. Returns false if there is none.
  package func receiveUpdate(_ replica: inout FeedReplica) async -> Bool {
    guard let update = await nextUpdate() else { return false }
    replica.apply(Array(update.utf8))
    return true
  }

  private func update(of text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    let message = bytes.withUnsafeBufferPointer { try? WAMPMessage.parse($0) }
    guard case .invocation(let request, _, let range?) = message else { return nil }
    invocations += 1
    send(.yield(request: request))
    return Array(bytes[range])
  }

  /// Registers a topic. Returns the id of the registration; nil if the server refuses it or the connection ends.
  package func register(_ topic: Topic) async -> UInt64? {
    requests += 1
    send(.register(request: UInt64(requests), procedure: topic.path))
    while let text = await text() {
      let message = Array(text.utf8).withUnsafeBufferPointer { try? WAMPMessage.parse($0) }
      if case .registered(_, let registration) = message { return registration }
      if case .error = message { return nil }
    }
    return nil
  }

  /// Requests a dump, and applies it and all earlier messages to a replica. Returns the dump; nil if there is none.
  package func dump(of topic: Topic, _ replica: inout FeedReplica) async -> String? {
    requestDump(of: topic)
    return await receiveDump(&replica)
  }

  package func requestDump(of topic: Topic) {
    requests += 1
    send(.call(request: UInt64(requests), procedure: WAMPMessage.dumpProcedure, topic: topic.path))
  }

  /// Applies the requested dump and all earlier messages to a replica. Returns the dump; nil if there is none.
  package func receiveDump(_ replica: inout FeedReplica) async -> String? {
    guard let text = await nextReply(&replica) else { return nil }
    let bytes = Array(text.utf8)
    let message = bytes.withUnsafeBufferPointer { try? WAMPMessage.parse($0) }
    guard case .result(_, let range?) = message else { return nil }
    replica.apply(Array(bytes[range]))
    return String(decoding: bytes[range], as: UTF8.self)
  }
}
