import HTTPTypes
import NIOCore
import NIOHTTP1

/// The addresses of the reverse proxies whose entries in the header `X-Forwarded-For` are trusted.
///
/// Each proxy adds the address of its peer at the end of the list. Therefore only the last entries, those that trusted
/// proxies have added, can be believed: a client can send any list itself.
package struct TrustedProxies: Hashable, Sendable {
  private static let header = "x-forwarded-for"

  private let ranges: [AddressRange]

  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Returns the address of the client of a request: the last address in the chain that is not that of a trusted proxy.
  /// If the entry of a trusted proxy is missing or not an address, it is that proxy's address.
  ///
  /// - Parameter peer: The address of the connection.
  func client(of headers: HTTPHeaders, from peer: IPAddress) -> IPAddress {
    var client = peer
    guard contains(client) else { return client }
    for field in headers[Self.header].reversed() {
      for entry in field.split(separator: ",", omittingEmptySubsequences: false).reversed() {
        guard let address = Self.address(entry) else { return client }
        client = address
        if !contains(client) { return client }
      }
    }
    return client
  }

  /// Parses an entry: an address, perhaps with a port. One of version 6 is in brackets if it has a port.
  private static func address(_ entry: Substring) -> IPAddress? {
    var text = entry.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let port = text[text.index(after: end)...]
      guard port.isEmpty || isPort(port) else { return nil }
      text = text[..<end].dropFirst()
      return text.contains(":") ? IPAddress(text) : nil
    }
    guard let colon = text.firstIndex(of: ":"), text[..<colon].contains(".") else {
      return IPAddress(text)
    }
    return isPort(text[colon...]) ? IPAddress(text[..<colon]) : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && text.utf8.dropFirst().allSatisfy { 0x30...0x39 ~= $0 } && UInt16(text.dropFirst()) != nil
  }
}

/// The header in which `HTTPAdmissionHandler` passes the network of the client on. It replaces what a client sends.
enum ClientNetwork {
  static let header = "toteboard-client-network"
  static let fieldName = HTTPField.Name(header)!
}
