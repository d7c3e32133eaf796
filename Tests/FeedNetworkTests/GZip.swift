import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Compresses as a server does.
enum GZip {
  static func pack(_ bytes: [UInt8]) -> [UInt8] {
    let channel = EmbeddedChannel(handler: NIOHTTPRequestCompressor(encoding: .gzip))
    defer { _ = try? channel.finish() }
    var packed: [UInt8] = []
    do {
      try channel.writeOutbound(HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")))
      try channel.writeOutbound(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: bytes))))
      try channel.writeOutbound(HTTPClientRequestPart.end(nil))
      while let part = try channel.readOutbound(as: HTTPClientRequestPart.self) {
        if case .body(.byteBuffer(let buffer)) = part { packed += buffer.readableBytesView }
      }
    } catch { preconditionFailure("\(error)") }
    return packed
  }
}
