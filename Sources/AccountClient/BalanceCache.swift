import FeedClient
package import Logging

/// The last wallet of each user of one feed, on the disk, for a start without network.
///
/// Whatever is wrong with a file or the disk is logged, and otherwise as if nothing were there.
package struct BalanceCache: Sendable {
  private let directory: String
  private let address: String
  private let log: Logger

  /// A cache in a directory that is made, for its owner alone, when first needed; `BoardCache.directory` says where one
  /// belongs. `address` is the feed's.
  package init(directory: String, address: String, log: Logger = Logger(label: "toteboard.account")) {
    (self.directory, self.address, self.log) = (directory, address, log)
  }
}
