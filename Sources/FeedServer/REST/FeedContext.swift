import Hummingbird
import NIOCore

/// A request, and the connection that it came on.
struct FeedContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Where it comes from, as logins are counted: of an IPv6 address the first half, which is one customer's.
  var network: String { channel.remoteAddress?.network ?? "" }
}

extension SocketAddress {
  /// The address, or the first half of one of IPv6 unless it stands for one of IPv4.
  var network: String {
    guard case .v6 = self else { return ipAddress ?? "" }
    return withSockAddr { address, size in
      // Before it stand family, port and flow.
      let bytes = UnsafeRawBufferPointer(start: address, count: size).dropFirst(8).prefix(16)
      let isVersion4 =
        bytes.prefix(10).allSatisfy { $0 == 0 } && bytes.dropFirst(10).prefix(2).allSatisfy { $0 == 0xFF }
      if isVersion4 { return bytes.suffix(4).map { "\($0)" }.joined(separator: ".") }
      return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
  }
}
