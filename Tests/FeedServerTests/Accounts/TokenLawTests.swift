import AccountModel
import FeedSimulator
import JWTKit
import TestSupport
import Testing

@testable import FeedServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Validation of tokens")
struct TokenLawTests {
  private let now = AccountServer.startTime
  private let key = [UInt8](repeating: 1, count: 32)

  /// Returns a token with a payload and a valid signature.
  private func token(_ payload: String) async throws -> String {
    let keys = await JWTKeyCollection().add(hmac: HMACKey(from: key), digestAlgorithm: .sha256)
    let text = base64URL(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "." + base64URL(Data(payload.utf8))
    return text + "." + base64URL(Data(try await keys.getKey().sign(Array(text.utf8))))
  }

  private func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
  }

  @Test("a token with a valid signature is accepted if it expires within a year; no expiry is too large to compare")
  func expiry() async throws {
    let issuer = try await TokenIssuer(key: key)
    var random = SeededRandom(seed: 1)
    let (seconds, year): (Int64, Int64) = (now / 1000, 366 * 86_400)
    var times: [Int64] = [
      .min, .min + 1, -1 << 62, -seconds, -1, 0, 1, seconds - 1, seconds, seconds + 1, seconds + year,
      seconds + year + 1, .max / 1000, .max / 1000 + 1, 1 << 62, .max - 1, .max,
    ]
    for _ in 0..<500 {
      times.append(Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random))
      times.append(seconds + Int64.random(in: -2 * year...2 * year, using: &random))
    }
    for time in times {
      let token = try await token(#"{"sub":"p","sid":"s","iat":\#(random.next() >> 1),"exp":\#(time)}"#)
      let read = issuer.read(token[...], now: now)
      try #require((read?.sessionID == "s") == (time > seconds && time <= seconds + year), "\(time)")
    }
  }

  @Test("invalid claims are refused even with a valid signature")
  func claims() async throws {
    let issuer = try await TokenIssuer(key: key)
    let times = [
      "1e30", "-1e30", "1.5", "9223372036854775808", "1e400", "null", "true", #""99999999999""#, "[]", "{}", "NaN", "",
    ]
    var payloads = times.map { #"{"sub":"p","sid":"s","iat":0,"exp":\#($0)}"# }
    payloads += ["", "{}", "[]", "null", "{", String(repeating: "[", count: 500), "\u{0}", #"{"sub":"p","sid":"s"}"#]
    for payload in payloads {
      #expect(issuer.read(try await token(payload)[...], now: now) == nil, "\(payload)")
    }
  }

  @Test("a truncated, changed or random token is refused", arguments: 1...4)
  func forged(seed: UInt64) async throws {
    let issuer = try await TokenIssuer(key: key)
    let right = Array(try await token(#"{"sub":"p","sid":"s","iat":0,"exp":\#(now / 1000 + 60)}"#).utf8)
    #expect(issuer.read(String(decoding: right, as: UTF8.self)[...], now: now) != nil)
    var random = SeededRandom(seed: seed)
    func expectNone(_ bytes: [UInt8]) throws {
      let text = String(decoding: bytes, as: UTF8.self)
      try #require(issuer.read(text[...], now: now) == nil, "\(text)")
    }
    for count in right.indices { try expectNone(Array(right.prefix(count))) }
    for _ in 0..<1_000 {
      // NB: Not the last character, because two of its bits are unused.
      let place = Int.random(in: 0..<right.count - 1, using: &random)
      var changed = right
      changed[place] = UInt8(truncatingIfNeeded: random.next())
      if changed[place] != right[place] { try expectNone(changed) }
      try expectNone(
        (0..<Int.random(in: 0...1100, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }
}
