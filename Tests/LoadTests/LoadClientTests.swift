import EveryMatrix
import NIOCore
import NIOEmbedded
import OddsModel
import Testing

@testable import toteboard_load

@Suite("The client that measures the load")
struct LoadClientTests {
  @Test(
    "An update that comes while a dump is awaited is answered, and only the RESULT is taken for the dump",
    arguments: [100, 70_000], [100, 70_000])
  func updateBeforeDump(updateSize: Int, dumpSize: Int) throws {
    for readSize in [7, 5000, 1_000_000] {
      let gauge = Gauge()
      let client = LoadClient(topics: [Topic(path: "/a"), Topic(path: "/b")], gauge: gauge, countsUpdates: false)
      let channel = EmbeddedChannel(handler: client)
      func receive(_ bytes: ByteBuffer) throws {
        var rest = bytes
        while let part = rest.readSlice(length: min(readSize, rest.readableBytes)), part.readableBytes > 0 {
          try channel.writeInbound(part)
        }
      }
      func sent() throws -> String {
        var bytes = ByteBuffer()
        while var part = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&part) }
        return String(buffer: bytes)
      }
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try receive(ByteBuffer(string: "HTTP/1.1 101 Switching Protocols\r\n\r\n"))
      for message in [
        WAMPMessage.welcome(session: 1).text, WAMPMessage.registered(request: 1, registration: 11).text,
        WAMPMessage.result(request: 2, payload: Self.payload(100)),
        WAMPMessage.registered(request: 3, registration: 12).text,
      ] { try receive(Self.frame(message)) }
      #expect(try sent().contains(#"{"topic":"/b"}"#))
      let head = WAMPMessage.invocationHead(request: 9, registration: 11)
      try receive(Self.frame(head + Self.payload(updateSize) + [UInt8(ascii: "]")]))
      #expect(try sent().hasSuffix("[70,9,{}]"))
      #expect(gauge.live == 0)
      try receive(Self.frame(WAMPMessage.result(request: 4, payload: Self.payload(dumpSize))))
      #expect(gauge.live == 1)
      _ = try channel.finish()
    }
  }

  /// Returns a payload of a little more than `size` bytes.
  private static func payload(_ size: Int) -> [UInt8] {
    Array(#"{"version":"1","text":"\#(String(repeating: "x", count: size))"}"#.utf8)
  }

  /// Returns a text frame of a server.
  private static func frame(_ text: [UInt8]) -> ByteBuffer {
    var frame = ByteBuffer(bytes: [0x81])
    if text.count < 126 {
      frame.writeInteger(UInt8(text.count))
    } else if text.count < 1 << 16 {
      frame.writeInteger(126 as UInt8)
      frame.writeInteger(UInt16(text.count))
    } else {
      frame.writeInteger(127 as UInt8)
      frame.writeInteger(UInt64(text.count))
    }
    frame.writeBytes(text)
    return frame
  }
}
