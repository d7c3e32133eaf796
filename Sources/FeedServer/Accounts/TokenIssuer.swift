import FeedSimulator
import JWTKit
import OddsFeed

/// Makes the tokens of sessions, and reads them: JWT, signed with HMAC and SHA-256.
struct TokenIssuer: Sendable {
  private struct Claims: JWTPayload {
    /// The player's id.
    let sub: String
    /// The session's id.
    let sid: String
    /// In seconds since 1970.
    let iat: Int64
    let exp: Int64

    func verify(using algorithm: some JWTAlgorithm) {}
  }

  /// A longer text is none of ours.
  private static let longestToken = 1024

  private let keys: JWTKeyCollection
  // NB: the key itself, as the collection is an actor, and a handshake is looked at where nothing can be awaited.
  private let algorithm: any JWTAlgorithm

  /// One that signs with a key of 32 bytes or more; a new one where none is given.
  init(key: [UInt8]?) async throws {
    let key = key ?? (0..<AccountOptions.shortestKey).map { _ in .random(in: 0...255) }
    keys = await JWTKeyCollection().add(hmac: HMACKey(from: key), digestAlgorithm: .sha256)
    algorithm = try await keys.getKey()
  }

  /// A token that is good as long as the session is, unless that is renewed.
  func token(of session: PlayerSession, now: Int64) async throws -> Secret {
    Secret(
      try await keys.sign(
        Claims(sub: session.playerID, sid: session.id, iat: now / 1000, exp: (session.expiresAt + 999) / 1000)))
  }

  /// Whom a token is of, by itself: whether the session goes on is for others to say.
  func read(_ token: Substring, now: Int64) -> (playerID: String, sessionID: String)? {
    let bytes = Array(token.utf8)
    let parser = DefaultJWTParser()
    guard bytes.count <= Self.longestToken, let end = bytes.lastIndex(of: UInt8(ascii: ".")),
      let (header, claims, signature) = try? parser.parse(bytes, as: Claims.self), header.alg == algorithm.name,
      (try? algorithm.verify(signature, signs: bytes[..<end])) == true, now < claims.exp * 1000
    else { return nil }
    return (claims.sub, claims.sid)
  }
}
