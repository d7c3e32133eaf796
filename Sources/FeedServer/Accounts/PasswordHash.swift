package import AccountModel
import Crypto
import CryptoExtras
import FoundationCore

/// A password hash in the form `$scrypt$ln=15,r=8,p=1$SALT$KEY`, salt and key in base64 without padding.
package struct PasswordHash: Sendable {
  /// The cost of a hash: 128·r·2^ln bytes of memory, and a time in proportion to r·2^ln·p.
  package struct Cost: Hashable, Sendable {
    let logarithm: Int
    let blockSize: Int
    let parallelism: Int

    /// The default cost: 32 MiB and about a tenth of a second.
    package static let usual = Cost(logarithm: 15, blockSize: 8, parallelism: 1)
    /// A low cost, for a password that is public anyway.
    package static let light = Cost(logarithm: 10, blockSize: 8, parallelism: 1)

    /// True if the parameters are in range and a hash needs at most 256 MiB.
    var isBearable: Bool {
      1...20 ~= logarithm && 1...32 ~= blockSize && 1...16 ~= parallelism && blockSize << logarithm <= 1 << 21
    }
  }

  let cost: Cost
  private let salt: [UInt8]
  private let key: [UInt8]

  /// Hashes a password with a random salt.
  package init(of password: Secret, cost: Cost = .usual) throws {
    self.cost = cost
    salt = (0..<16).map { _ in .random(in: 0...255) }
    key = try Self.key(password, salt, cost, bytes: 32)
  }

  /// Parses a hash, or returns nil if the text is not one or its cost is too high (see `Cost.isBearable`).
  package init?(_ text: Substring) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
    let numbers = parts[2].split(separator: ",").compactMap { part -> (Substring, Int)? in
      let pair = part.split(separator: "=")
      return pair.count == 2 ? Int(pair[1]).map { (Substring(pair[0]), $0) } : nil
    }
    guard numbers.map(\.0) == ["ln", "r", "p"] else { return nil }
    cost = Cost(logarithm: numbers[0].1, blockSize: numbers[1].1, parallelism: numbers[2].1)
    guard cost.isBearable, let salt = Self.bytes(parts[3]), let key = Self.bytes(parts[4]), salt.count >= 8,
      16...64 ~= key.count
    else { return nil }
    self.salt = salt
    self.key = key
  }

  package var text: String {
    "$scrypt$ln=\(cost.logarithm),r=\(cost.blockSize),p=\(cost.parallelism)$\(Self.text(salt))$\(Self.text(key))"
  }

  /// Returns true if the hash is that of `password`. Takes the same time for a wrong password as for the right one. Do
  /// not call on an event loop: it blocks.
  func matches(_ password: Secret) -> Bool {
    guard let other = try? Self.key(password, salt, cost, bytes: key.count) else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(key, other) { difference |= one ^ other }
    return difference == 0
  }

  private static func key(_ password: Secret, _ salt: [UInt8], _ cost: Cost, bytes: Int) throws -> [UInt8] {
    let key = try KDF.Scrypt.deriveKey(
      from: Array(password.text.utf8), salt: salt, outputByteCount: bytes, rounds: 1 << cost.logarithm,
      blockSize: cost.blockSize, parallelism: cost.parallelism)
    return key.withUnsafeBytes { Array($0) }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }

  private static func bytes(_ text: Substring) -> [UInt8]? {
    Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)).map { Array($0) }
  }
}
