import Localization
public import OddsModel
import Platform

/// The addresses of a Polymarket server: `polymarket` for the public service, or `polymarket://HOST[:PORT]`.
public struct PolymarketAddress: Hashable, Sendable {
  /// The WebSocket of the market channel.
  public let market: FeedAddress
  /// The WebSocket of the sports channel.
  public let sports: FeedAddress
  /// An address whose host serves Gamma.
  public let gamma: FeedAddress
  /// The name of the server for the screen.
  public let name: String

  /// Returns true if a text is meant as the address of a Polymarket server.
  public static func isMeant(by text: String) -> Bool { text == publicName || text.lowercased().hasPrefix(scheme) }

  private static let publicName = "polymarket"
  private static let scheme = "polymarket://"

  /// Parses an address. A server on loopback is connected to without TLS.
  ///
  /// - Throws: A `FeedError` that names the value and the remedy.
  public init(_ text: String) throws(FeedError) {
    if text == Self.publicName {
      market = try FeedAddress("wss://ws-subscriptions-clob.polymarket.com/ws/market")
      sports = try FeedAddress("wss://sports-api.polymarket.com/ws")
      gamma = try FeedAddress("wss://gamma-api.polymarket.com")
      name = "Polymarket"
      return
    }
    let problem = FeedError(
      .addressPolymarket, FeedAddress.withoutUser(text).printable(), remedy: .remedyPolymarketAddress)
    guard Self.isMeant(by: text) else { throw problem }
    let server = text.dropFirst(Self.scheme.count)
    guard !server.contains(where: { "/?#@,".contains($0) }) else { throw problem }
    do throws(FeedError) {
      let scheme = try FeedAddress("wss://\(server)").isLoopback ? "ws" : "wss"
      market = try FeedAddress("\(scheme)://\(server)/ws/market")
      sports = try FeedAddress("\(scheme)://\(server)/ws")
      gamma = try FeedAddress("\(scheme)://\(server)")
    } catch { throw problem }
    name = market.host
  }
}
