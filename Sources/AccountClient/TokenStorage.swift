package import OddsFeed

/// Where a session stays between two runs of the program: a file for its owner alone, one for each feed and user.
package struct TokenStorage: Sendable {
  private let directory: String
  private let address: String
  private let user: String

  /// A storage in a directory that is made, for its owner alone, when first needed. `address` is the feed's; `user` is whose
  /// session is looked for at the start. The problem tells why the directory is not one for secrets.
  package init(directory: String, address: String, user: String) throws(FeedProblem) {
    (self.directory, self.address, self.user) = (directory, address, user)
  }

  /// Where such files belong: `toteboard` in `$XDG_STATE_HOME`, which has to be an absolute path, else in `~/.local/state`;
  /// nil where there is no home either.
  package static func directory(_ environment: (String) -> String?) -> String? {
    if let base = environment("XDG_STATE_HOME"), base.hasPrefix("/") { return "\(base)/toteboard" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state/toteboard"
  }
}
