import NIOCore

/// An IP address. One of version 4 and its form `::ffff:a.b.c.d` are equal.
package struct IPAddress: Hashable, Sendable {
  /// The 16 bytes; for version 4 those of `::ffff:a.b.c.d`.
  let bytes: [UInt8]

  /// Parses `192.0.2.1` or `2001:db8::1`, without a port and without brackets. Returns nil if the text is no address.
  package init?(_ text: some StringProtocol) {
    // The longest form. A zone (`%eth0`) has no meaning on another machine.
    guard text.utf8.count <= 45, !text.contains("%"), let address = try? SocketAddress(ipAddress: String(text), port: 0)
    else { return nil }
    self.init(address)
  }

  /// Returns nil if the address is not one of the Internet.
  init?(_ address: SocketAddress) {
    let offset: Int
    switch address {
    // The family and the port precede an address of version 4; the flow information precedes one of version 6, too.
    case .v4: offset = 4
    case .v6: offset = 8
    case .unixDomainSocket: return nil
    }
    let isVersion4 = offset == 4
    let part = address.withSockAddr { address, size in
      Array(UnsafeRawBufferPointer(start: address, count: size).dropFirst(offset).prefix(isVersion4 ? 4 : 16))
    }
    bytes = isVersion4 ? Self.mapped + part : part
  }

  private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  var isVersion4: Bool { bytes.starts(with: Self.mapped) }

  /// The network of the address, by which clients are limited: the address itself, or for version 6 the first 64 bits,
  /// which usually belong to one customer.
  var network: String {
    if isVersion4 { return bytes.suffix(4).map { "\($0)" }.joined(separator: ".") }
    return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
  }
}

extension SocketAddress {
  /// The network of the address; empty if it is not one of the Internet.
  var network: String { IPAddress(self)?.network ?? "" }
}

/// The addresses that begin with the same bits.
package struct AddressRange: Hashable, Sendable {
  package enum ParsingError: Error, Hashable, Sendable {
    case noAddress
    case noPrefixLength
    /// The address has bits after the prefix.
    case bitsAfterPrefix
  }

  private let first: IPAddress
  /// The number of equal bits of `IPAddress.bytes`.
  private let prefix: Int

  /// Parses an address, or an address and the number of its leading bits: `192.0.2.1`, `10.0.0.0/8`, `fd00::/8`.
  package init(_ text: some StringProtocol) throws(ParsingError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else { throw .noAddress }
    // `::ffff:10.0.0.0/104` counts the bits of version 6.
    let isVersion4 = address.isVersion4 && !parts[0].contains(":")
    let bits = isVersion4 ? 32 : 128
    var length = bits
    if parts.count > 1 {
      guard parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(parts[1]), 0...bits ~= number else {
        throw .noPrefixLength
      }
      length = number
    }
    first = address
    prefix = length + 128 - bits
    for (index, byte) in address.bytes.enumerated() where byte & ~mask(of: index) != 0 { throw .bitsAfterPrefix }
  }

  func contains(_ address: IPAddress) -> Bool {
    address.bytes.indices.allSatisfy { (address.bytes[$0] ^ first.bytes[$0]) & mask(of: $0) == 0 }
  }

  /// The bits of a byte that are part of the prefix.
  private func mask(of index: Int) -> UInt8 {
    let count = min(8, max(0, prefix - 8 * index))
    return count == 0 ? 0 : 0xFF << UInt8(8 - count)
  }
}
