/// The feed that a client reads. `OddsClient.init(_:)` throws an error if a value of a feed is invalid or out of range.
public struct FeedSource: Sendable {
  enum Kind: Sendable {
    case everyMatrix(EveryMatrixSource)
    case polymarket(address: String, caFile: String?)
    case betfair(BetfairSource)
    case simulated(matches: Int, rate: Double, seed: UInt64)
    case recording(path: String, speed: Double?)
  }

  let kind: Kind

  /// A feed of EveryMatrix over a WebSocket, or of `toteboard-server`.
  ///
  /// - Parameters:
  ///   - url: The address, such as `wss://HOST/v2`. Up to 16 addresses of one service are separated by commas; when the
  ///     connection to one is lost, the client goes on with another.
  ///   - realm: The WAMP realm; nil for the host of each address.
  ///   - token: The bearer token to send; nil if the feed needs none. An address without TLS (`ws://`) with a token is
  ///     an error, except on loopback.
  ///   - origin: The value of the `Origin` header; nil for the feed's own site.
  ///   - operatorID: The id of the operator whose matches and prices to select: letters, digits, - and _.
  ///   - language: The code of the language of names, as in the feed's topics: letters, digits, - and _.
  ///   - caFile: The path of a PEM file with root certificates to trust in addition to the system's.
  public static func everyMatrix(
    url: String, realm: String? = nil, token: String? = nil, origin: String? = nil, operatorID: String = "1",
    language: String = "en", caFile: String? = nil
  ) -> FeedSource {
    FeedSource(
      kind: .everyMatrix(
        EveryMatrixSource(
          url: url, realm: realm, token: token, origin: origin, operatorID: operatorID, language: language,
          caFile: caFile)))
  }

  /// The games of Polymarket, or of a server with the same protocol. Needs no account.
  ///
  /// - Parameters:
  ///   - address: `polymarket` for the public service, or `polymarket://HOST:PORT`. A connection to loopback uses no
  ///     TLS.
  ///   - caFile: The path of a PEM file with root certificates to trust in addition to the system's.
  public static func polymarket(address: String = "polymarket", caFile: String? = nil) -> FeedSource {
    FeedSource(kind: .polymarket(address: address, caFile: caFile))
  }

  /// Betfair's Exchange Stream, or a server with the same protocol.
  ///
  /// - Parameters:
  ///   - account: The account that logs in. Without access to live prices, its prices are delayed.
  ///   - address: `betfair` for Betfair's own stream, or `betfair://HOST:PORT`. A connection to loopback uses no TLS.
  ///   - identity: The login service, `https://HOST:PORT`; nil for Betfair's own. Required for another stream. This and
  ///     the other services may be `http://` on loopback.
  ///   - keepAlive: The service that extends a login session, `https://HOST:PORT`; nil for `identity`, or if that is
  ///     nil for Betfair's own.
  ///   - api: The betting API, which has the names of matches and markets, `https://HOST:PORT`; nil for Betfair's own,
  ///     or for `identity` with another stream.
  ///   - conflateMs: The time over which Betfair merges the updates of a market, in milliseconds, 0 to 120000; 0 if it
  ///     merges none. Above 5000, prices are `delayed`.
  ///   - caFile: The path of a PEM file with root certificates to trust in addition to the system's.
  public static func betfair(
    _ account: BetfairAccount, address: String = "betfair", identity: String? = nil, keepAlive: String? = nil,
    api: String? = nil, conflateMs: Int = 0, caFile: String? = nil
  ) -> FeedSource {
    FeedSource(
      kind: .betfair(
        BetfairSource(
          account: account, address: address, identity: identity, keepAlive: keepAlive, api: api,
          conflateMs: conflateMs, caFile: caFile)))
  }

  /// A simulated feed in this process. The same seed gives the same odds.
  ///
  /// - Parameters:
  ///   - matches: The number of matches, 1 to 20,000.
  ///   - rate: The number of odds updates a second, 0.1 to 100,000.
  ///   - seed: The seed of the random odds.
  public static func simulated(matches: Int = 100, rate: Double = 10, seed: UInt64 = 1) -> FeedSource {
    FeedSource(kind: .simulated(matches: matches, rate: rate, seed: seed))
  }

  /// A recording, as `toteboard record` writes it, or a file of Betfair's stream, also compressed as `.bz2`. Its
  /// updates end with the recording.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - speed: The speed of playback as a multiple of the original one, 0.01 to 1000; nil for as fast as the client
  ///     reads.
  public static func recording(path: String, speed: Double? = 1) -> FeedSource {
    FeedSource(kind: .recording(path: path, speed: speed))
  }
}

struct EveryMatrixSource: Sendable {
  let url: String
  let realm: String?
  let token: String?
  let origin: String?
  let operatorID: String
  let language: String
  let caFile: String?
}
