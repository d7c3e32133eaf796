import AccountModel
import FeedClient
package import Logging
import OddsFeed
import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The last wallet of each user of one feed, on the disk, for a start without network.
///
/// Whatever is wrong with a file or the disk is logged, and otherwise as if nothing were there.
package struct BalanceCache: Sendable {
  private static let mostBytes = 4096

  private let directory: String
  private let address: String
  private let log: Logger

  /// A cache in a directory that is made, for its owner alone, when first needed; `BoardCache.directory` says where one
  /// belongs. `address` is the feed's.
  package init(directory: String, address: String, log: Logger = Logger(label: "toteboard.account")) {
    var log = log
    log[metadataKey: "category"] = "account"
    (self.directory, self.address, self.log) = (directory, address, log)
  }

  func read(_ user: String) -> DatedWallet? {
    do {
      guard let bytes = try PrivateFile.read(path(user), mostBytes: Self.mostBytes) else { return nil }
      let stored = try StoredWallet.read(bytes) { "cached wallet" }
      return stored.key == key(user) ? stored.dated : nil
    } catch {
      log.warning("the cached wallet '\(path(user))' is ignored: \(error)")
      return nil
    }
  }

  /// Saves a wallet in place of what was saved of the user before.
  func save(_ wallet: DatedWallet, of user: String) {
    do {
      try PrivateFile.makeDirectory(directory)
      try PrivateFile.replace(path(user), with: StoredWallet(key: key(user), dated: wallet).json)
    } catch {
      log.warning("the wallet cannot be saved in '\(directory)': \(error)")
    }
  }

  func remove(_ user: String) { unlink(path(user)) }

  private func path(_ user: String) -> String { "\(directory)/wallet-\(key(user)).json" }

  /// The feed and the user, told by a hash alone.
  private func key(_ user: String) -> String {
    var hash = FNV1aHash()
    hash.add(Array("\(address)\n\(user)".utf8))
    return hash.hex
  }
}

/// A wallet as it is cached.
private struct StoredWallet: Decodable {
  let key: String
  let dated: DatedWallet

  init(key: String, dated: DatedWallet) { (self.key, self.dated) = (key, dated) }

  private enum Key: String, CodingKey {
    case of, savedAt
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    key = try fields.decode(String.self, forKey: .of)
    dated = DatedWallet(wallet: try Wallet(from: decoder), asOf: try fields.knownTime(.savedAt))
  }

  /// NB: amounts stand in quotes: they are digits that no reader may round.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("of", key)
      json.field("savedAt", dated.asOf)
      json.field("currency", dated.wallet.currency)
      json.field("Real", "\(dated.wallet.real)")
      json.field("Bonus", "\(dated.wallet.bonus)")
    }
    json.newline()
    return json.bytes
  }
}
