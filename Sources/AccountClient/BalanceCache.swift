import AccountModel
import CLibrary
import JSONText
package import Logging
import Platform

/// A disk cache of the last wallet of each user of one feed, for a start without a network.
///
/// Errors of files and of the disk are logged and treated like an empty cache.
package struct BalanceCache: Sendable {
  private static let maxBytes = 4096

  private let directory: String
  private let address: String
  private let log: Logger

  /// Creates a cache for a feed. The directory is created for its owner alone on first use.
  package init(directory: String, address: String, log: Logger = Logger(label: "toteboard.account")) {
    var log = log
    log[metadataKey: "category"] = "account"
    self.directory = directory
    self.address = address
    self.log = log
  }

  func read(_ user: String) -> DatedWallet? {
    do {
      guard let bytes = try PrivateFile.read(path(user), maxBytes: Self.maxBytes) else { return nil }
      let stored = try StoredWallet.read(bytes) { "cached wallet" }
      return stored.key == key(user) ? stored.dated : nil
    } catch {
      log.warning("the cached wallet '\(path(user))' is ignored: \(error)")
      return nil
    }
  }

  /// Saves a wallet and replaces the previous one of the user.
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

  /// Returns a hash of the feed and the user, so that neither name is stored.
  private func key(_ user: String) -> String { FNV1aHash("\(address)\n\(user)".utf8).hex }
}

/// The stored form of a wallet.
private struct StoredWallet: Decodable {
  let key: String
  let dated: DatedWallet

  init(key: String, dated: DatedWallet) {
    self.key = key
    self.dated = dated
  }

  private enum Key: String, CodingKey {
    case of, savedAt
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    key = try fields.decode(String.self, forKey: .of)
    dated = DatedWallet(wallet: try Wallet(from: decoder), asOf: try fields.knownTime(.savedAt))
  }

  /// NB: amounts are strings, because a JSON reader may round numbers.
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
