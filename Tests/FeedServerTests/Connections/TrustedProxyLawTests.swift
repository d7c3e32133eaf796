import NIOHTTP1
import TestSupport
import Testing

@testable import FeedServer

/// Compares the address of a client behind reverse proxies with that of a slow reference.
@Suite struct TrustedProxyLawTests {
  /// A range of addresses as the text of its leading bits.
  private struct Reference {
    let prefix: String

    func contains(_ address: IPAddress) -> Bool { Self.bits(address).hasPrefix(prefix) }

    static func bits(_ address: IPAddress) -> String {
      address.bytes.map { byte in String((0..<8).map { byte & (0x80 >> UInt8($0)) == 0 ? "0" : "1" }) }.joined()
    }
  }

  private static func address(_ random: inout SeededRandom) -> String {
    // Few different addresses, so that many are equal or in a range.
    func number() -> Int { Int.random(in: 0...3, using: &random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "2001:db8:0:\(number())::\(number())"
    case 1: return "::ffff:10.\(number()).0.\(number())"
    default: return "\(Bool.random(using: &random) ? 10 : 192).\(number()).0.\(number())"
    }
  }

  private static func range(_ random: inout SeededRandom) throws -> (AddressRange, Reference) {
    let text = address(&random)
    let bits = Reference.bits(try #require(IPAddress(text)))
    let isVersion4 = !text.contains(":")
    // The shortest prefix that has all bits of the address, or a longer one.
    let shortest = max(isVersion4 ? 96 : 0, 128 - bits.reversed().prefix { $0 == "0" }.count)
    let length = Int.random(in: shortest...128, using: &random)
    let range = try AddressRange("\(text)/\(isVersion4 ? length - 96 : length)")
    return (range, Reference(prefix: String(bits.prefix(length))))
  }

  /// Returns an entry of the header and its address, or nil if the entry is not an address.
  private static func entry(_ random: inout SeededRandom) -> (text: String, address: IPAddress?) {
    let garbage = [
      "", "unknown", "_hidden", "10.0.0", "10.0.0.1:", "10.0.0.1:x", "10.0.0.1:65536", "[10.0.0.1]", "[::1", "::1]",
      "fe80::1%eth0", "1.2.3.4.5", "[::1]:", "[::1]80", "a;b",
    ]
    if Int.random(in: 0..<8, using: &random) == 0 { return (garbage.randomElement(using: &random)!, nil) }
    let address = address(&random)
    let isVersion4 = !address.contains(":")
    let forms =
      isVersion4
      ? [address, "\(address):65535", " \(address)\t"] : [address, "[\(address)]", "[\(address)]:1", "\t\(address) "]
    return (forms.randomElement(using: &random)!, IPAddress(address))
  }

  @Test(
    "The client is the leftmost address with only addresses of trusted proxies to its right", arguments: 1...300)
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 {
      let ranges = try (0..<Int.random(in: 0...4, using: &random)).map { _ in try Self.range(&random) }
      let proxies = TrustedProxies(ranges.map(\.0))
      let entries = (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.entry(&random) }
      var headers = HTTPHeaders()
      var rest = entries.map(\.text)[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        headers.add(name: "X-Forwarded-For", value: rest.prefix(count).joined(separator: ","))
        headers.add(name: "Forwarded", value: "for=1.1.1.1")
        rest = rest.dropFirst(count)
      }
      let peer = try #require(IPAddress(Self.address(&random)))
      let chain = entries.map(\.address) + [peer]
      func isTrusted(_ address: IPAddress?) -> Bool {
        address.map { a in ranges.contains { $0.1.contains(a) } } ?? false
      }
      let place = chain.indices.first { chain[$0] != nil && chain[($0 + 1)...].allSatisfy(isTrusted) }
      #expect(proxies.client(of: headers, from: peer) == chain[try #require(place)])
    }
  }

  @Test("Headers that a client sends never change its address", arguments: 1...100)
  func forged(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let proxies = TrustedProxies([try AddressRange("10.0.0.0/8"), try AddressRange("2001:db8::/32")])
    let client = try #require(IPAddress("198.51.100.7"))
    // The client's list, then what the proxies add: the client's address, and those of all proxies but the last.
    var list = (0..<Int.random(in: 0...5, using: &random)).map { _ in Self.entry(&random).text }
    list.append("198.51.100.7")
    let chain = (0..<Int.random(in: 1...3, using: &random)).map { "10.0.0.\($0)" }
    list += chain.dropLast()
    let headers = HTTPHeaders([("x-forwarded-for", list.joined(separator: ", "))])
    #expect(proxies.client(of: headers, from: try #require(IPAddress(chain.last!))) == client)
    // Without a proxy, the list is ignored.
    #expect(proxies.client(of: headers, from: client) == client)
  }

  @Test("Invalid ranges are rejected with the reason")
  func ranges() {
    for text in ["", "/", "x", "10.0.0", "10.0.0.0.0/8", "[::1]", "fe80::1%lo", "10.0.0.1:80", " 10.0.0.1"] {
      #expect(throws: AddressRange.ParsingError.noAddress, "\(text)") { try AddressRange(text) }
    }
    for text in [
      "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8", "::/99999999999999999999",
    ] {
      #expect(throws: AddressRange.ParsingError.noPrefixLength, "\(text)") { try AddressRange(text) }
    }
    for text in ["10.0.0.1/8", "0.0.0.1/0", "fd00::1/8", "::1/127", "::ffff:10.0.0.0/96"] {
      #expect(throws: AddressRange.ParsingError.bitsAfterPrefix, "\(text)") { try AddressRange(text) }
    }
    #expect(throws: Never.self) {
      try ["0.0.0.0/0", "::/0", "::1", "10.0.0.0/8", "::ffff:10.0.0.0/104"].map { try AddressRange($0) }
    }
  }
}
