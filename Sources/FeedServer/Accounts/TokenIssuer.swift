import AccountModel
import FeedSimulator
import JWTKit

/// Creates and verifies the tokens of sessions: JWTs signed with HMAC-SHA-256.
struct TokenIssuer: Sendable {
  private struct Claims: JWTPayload {
    /// The player's id.
    let sub: String
    /// The session's id.
    let sid: String
    /// The time of issue, in seconds since 1970.
    let iat: Int64
    let exp: Int64

    func verify(using algorithm: some JWTAlgorithm) {}
  }

  /// The maximum length of a token, in bytes. A longer text is rejected unparsed.
  private static let longestToken = 1024
  /// The maximum time from now to the expiry of a token, in seconds: 366 days.
  private static let longestLifetime: Int64 = 366 * 86_400

  private let keys: JWTKeyCollection
  // NB: Kept beside the collection, which is an actor: a WebSocket handshake verifies its token synchronously.
  private let algorithm: any JWTAlgorithm

  /// Creates an issuer that signs with `key`, of at least 32 bytes, or with a random key if `key` is nil.
  init(key: [UInt8]?) async throws {
    let key = key ?? (0..<AccountOptions.shortestKey).map { _ in .random(in: 0...255) }
    keys = await JWTKeyCollection().add(hmac: HMACKey(from: key), digestAlgorithm: .sha256)
    algorithm = try await keys.getKey()
  }

  /// Returns a token that expires with the session. A renewal of the session does not extend it.
  func token(of session: PlayerSession, now: Int64) async throws -> Secret {
    Secret(
      try await keys.sign(
        Claims(sub: session.playerID, sid: session.id, iat: now / 1000, exp: (session.expiresAt + 999) / 1000)))
  }

  /// Returns the ids in a token and its time of issue in milliseconds since 1970, or nil if it is forged or expired.
  /// Does not check that the session is still open.
  func read(_ token: Substring, now: Int64) -> (playerID: String, sessionID: String, issuedAt: Int64)? {
    let bytes = Array(token.utf8)
    let seconds = now / 1000
    let parser = DefaultJWTParser()
    // NB: The parser also accepts the other alphabet of base64, and so several texts of one token.
    guard bytes.count <= Self.longestToken, bytes.allSatisfy(Self.isTokenByte),
      let end = bytes.lastIndex(of: UInt8(ascii: ".")),
      let (header, claims, signature) = try? parser.parse(bytes, as: Claims.self), header.alg == algorithm.name,
      (try? algorithm.verify(signature, signs: bytes[..<end])) == true,
      // NB: `exp` can be any number, so do not calculate with it.
      (seconds + 1)...(seconds + Self.longestLifetime) ~= claims.exp
    else { return nil }
    // NB: `iat` can be any number too.
    return (claims.sub, claims.sid, min(max(claims.iat, 0), claims.exp) * 1000)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
