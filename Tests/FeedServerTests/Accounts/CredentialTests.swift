import AccountModel
import FeedSimulator
import NIOCore
import Testing

@testable import FeedServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Tokens, passwords and networks of clients")
struct CredentialTests {
  private let now = AccountServer.startTime

  // MARK: Tokens

  private func session() throws -> PlayerSession {
    var accounts = SimulatedAccounts(seed: 1, timeToLive: 60_000)
    accounts.addPlayer(named: "anna", now: now)
    let id = try #require(accounts.playerID(named: "anna"))
    let begun = accounts.logIn(id, now: now)
    return try #require(begun).session
  }

  private func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

  private func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
  }

  @Test("a token identifies its player and session until it expires, and is valid only with its key")
  func token() async throws {
    let (issuer, session) = (try await TokenIssuer(key: key(1)), try session())
    let token = try await issuer.token(of: session, now: now).text
    let read = try #require(issuer.read(token[...], now: now + 59_999))
    #expect(read.playerID == session.playerID && read.sessionID == session.id)
    #expect(issuer.read(token[...], now: now + 60_000) == nil)
    #expect(try await TokenIssuer(key: key(1)).read(token[...], now: now) != nil)
    #expect(try await TokenIssuer(key: key(2)).read(token[...], now: now) == nil)
    #expect(try await TokenIssuer(key: nil).read(token[...], now: now) == nil)
  }

  @Test("a token that was tampered with is rejected")
  func tampered() async throws {
    let (issuer, session) = (try await TokenIssuer(key: key(1)), try session())
    let parts = try await issuer.token(of: session, now: now).text.split(separator: ".").map(String.init)
    let claims = #"{"sub":"\#(session.playerID)","sid":"\#(session.id)","iat":0,"exp":99999999999}"#
    let none = base64(#"{"alg":"none","typ":"JWT"}"#)
    for forged in [
      "\(none).\(base64(claims)).", "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])",
      "\(parts[0]).\(base64(claims)).\(parts[2])", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
      "\(base64(#"{"alg":"HS512"}"#)).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).\(parts[2].dropLast(2))",
      "..", "", ".", "a.b.c", parts.joined(separator: ".") + "." + parts[2], String(repeating: "a.", count: 4000),
    ] {
      #expect(issuer.read(forged[...], now: now) == nil, "\(forged.prefix(60))")
    }
  }

  // MARK: Passwords

  @Test("a hash matches only its password, can be read from its text, and has a random salt")
  func hash() throws {
    let hash = try PasswordHash(of: Secret("hush"), cost: .light)
    #expect(hash.matches(Secret("hush")) && !hash.matches(Secret("hush ")) && !hash.matches(Secret("")))
    #expect(
      hash.text.hasPrefix("$scrypt$ln=10,r=8,p=1$") && !hash.text.contains("hush")
        && !hash.text.contains("="[...] + "$"))
    let read = try #require(PasswordHash(hash.text[...]))
    #expect(read.text == hash.text && read.matches(Secret("hush")))
    #expect(try PasswordHash(of: Secret("hush"), cost: .light).text != hash.text)
  }

  /// RFC 7914, §12.
  @Test("a hash of the scrypt test vector matches its password")
  func scrypt() throws {
    let key: [UInt8] = [
      0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB, 0xFD, 0xA8, 0xFB,
      0xBA, 0x90, 0x4F, 0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2, 0xD5, 0x43, 0x29, 0x55, 0x61, 0x3F,
      0x0F, 0xCF, 0x62, 0xD4, 0x97, 0x05, 0x24, 0x2A, 0x9A, 0xF9, 0xE6, 0x1E, 0x85, 0xDC, 0x0D, 0x65, 0x1E, 0x40, 0xDF,
      0xCF, 0x01, 0x7B, 0x45, 0x57, 0x58, 0x87,
    ]
    let salt = Data("SodiumChloride".utf8).base64EncodedString().replacing("=", with: "")
    let text = "$scrypt$ln=14,r=8,p=1$\(salt)$\(Data(key).base64EncodedString().replacing("=", with: ""))"
    #expect(try #require(PasswordHash(text[...])).matches(Secret("pleaseletmein")))
  }

  @Test(
    "malformed hashes and hashes with excessive costs are rejected",
    arguments: [
      "", "hush", "$scrypt$", "$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAA$",
      "$scrypt$ln=10,r=8$AAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=0,r=8,p=1$AAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=20,r=32,p=1$AAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$argon2id$ln=10,r=8,p=1$AAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=10,r=8,p=1$!!!!!!!!!!!!$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=10,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
    ])
  func noHash(text: String) { #expect(PasswordHash(text[...]) == nil) }

  @Test("a users file is read line by line, and errors name what is invalid")
  func users() throws {
    let hash = try PasswordHash(of: Secret("hush"), cost: .light).text
    let text = "# ours\n\n anna:\(hash) \nben@example.com:\(hash)\n"
    let list = try UserList(file: text)
    let otherEnds = text.map { $0 == "\n" ? "\r\n" : String($0) }.joined()
    for file in [text, otherEnds, "# ours\r\nanna:\(hash)\nben@example.com:\(hash)\r\n"] {
      #expect(try UserList(file: file).names == ["anna", "ben@example.com"])
    }
    #expect(list.accepts(Secret("hush"), of: "anna") && !list.accepts(Secret("hush"), of: "eve"))
    #expect(!list.accepts(Secret("x"), of: "anna"))
    for (file, fault) in [
      ("anna:\(hash)\nben", UserListError.line(2)), ("#\r\nanna:\(hash)\r\nben", .line(3)), ("anna:hush", .line(1)),
      ("# nobody", .none), ("", .none),
      ("a b:\(hash)", .name("a b", line: 1)), ("a:\(hash)\na:\(hash)", .twice("a", line: 2)),
    ] {
      #expect(throws: fault) { try UserList(file: file) }
    }
    #expect("\(UserListError.line(2))".contains("line 2"))
    #expect(!UserList().accepts(Secret("x"), of: "anna"))
  }

  @Test("a password check costs the same for any name, even if the hashes in the list have different costs")
  func costs() throws {
    let (light, lighter) = (PasswordHash.Cost.light, PasswordHash.Cost(logarithm: 4, blockSize: 8, parallelism: 1))
    var list = UserList()
    list.add("anna", try PasswordHash(of: Secret("one"), cost: light))
    list.add("ben", try PasswordHash(of: Secret("two"), cost: light))
    list.add("demo", try PasswordHash(of: Secret("three"), cost: lighter))
    for name in ["anna", "ben", "demo", "nobody"] {
      #expect(list.checks(of: name).map(\.hash.cost) == [light, lighter])
      for password in ["one", "two", "three"] {
        let isRight = [("anna", "one"), ("ben", "two"), ("demo", "three")].contains { $0 == (name, password) }
        #expect(list.accepts(Secret(password), of: name) == isRight, "\(name) \(password)")
      }
    }
  }

  // MARK: Addresses

  @Test(
    "an IPv6 address is reduced to its network, and an IPv4 address is unchanged",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "20:1:d:b8:0:1:0:2"),
      ("2001:db8:1:2::1", "20:1:d:b8:0:1:0:2"),
      ("::ffff:192.0.2.7", "192.0.2.7"), ("::1", "0:0:0:0:0:0:0:0"),
    ])
  func networks(address: String, network: String) throws {
    #expect(try SocketAddress(ipAddress: address, port: 1).network == network)
  }
}
