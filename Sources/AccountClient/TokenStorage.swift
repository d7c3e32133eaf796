import AccountModel
import CLibrary
import JSONText
import Localization
package import OddsModel
import Platform

/// A store of sessions across runs of the program: one file per feed and user, readable by its owner alone.
package struct TokenStorage: Sendable {
  private static let maxBytes = 64 << 10

  private let directory: String
  private let address: String
  private let user: String

  /// Creates a storage of the sessions at a feed. The directory is created for its owner alone on first use.
  ///
  /// - Parameter user: The user whose session is read at the start.
  /// - Throws: `FeedError` if others could change the directory.
  package init(directory: String, address: String, user: String) throws(FeedError) {
    self.directory = directory
    self.address = address
    self.user = user
    try checkDirectory()
  }

  /// Returns the session that was last saved. Nil if there is none.
  ///
  /// - Throws: `FeedError` if the file cannot be decoded, or if others can read or change it.
  func read() throws(FeedError) -> StoredSession? {
    try checkDirectory()
    let path = path(user)
    let bytes: [UInt8]?
    do throws(PrivateFileError) {
      bytes = try PrivateFile.read(path, maxBytes: Self.maxBytes, isSecret: true)
    } catch { throw problem(error, path) }
    guard let bytes else { return nil }
    do throws(AccountError) {
      let stored = try StoredSession.read(bytes) { "session" }
      return stored.address == address && stored.session.user == user ? stored : nil
    } catch { throw FeedError(.accountNotKept, path, error.sentence, remedy: .accountLookAtDisk) }
  }

  /// Saves a session and replaces the previous one of its user.
  func save(_ session: AccountSession, _ token: Secret) throws(FeedError) {
    let path = path(session.user)
    do throws(PrivateFileError) {
      try PrivateFile.makeDirectory(directory)
    } catch { throw problem(error, path) }
    try checkDirectory()
    do throws(PrivateFileError) {
      try PrivateFile.replace(path, with: StoredSession(address: address, session: session, token: token).json)
    } catch { throw problem(error, path) }
  }

  func remove(_ user: String) { unlink(path(user)) }

  private func path(_ user: String) -> String {
    let key = FNV1aHash("\(address)\n\(user)".utf8)
    return "\(directory)/session-\(key.hex).json"
  }

  /// Throws if others can change the directory, because they could replace the session's file.
  private func checkDirectory() throws(FeedError) {
    var status = stat()
    guard lstat(directory, &status) == 0 else { return }
    let isOurLink = status.st_uid == geteuid() || status.st_uid == 0
    guard status.st_mode & S_IFMT != S_IFLNK || isOurLink && stat(directory, &status) == 0,
      status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else { throw problem(.notPrivate, directory) }
  }

  private func problem(_ failure: PrivateFileError, _ path: String) -> FeedError {
    failure == .notPrivate
      ? FeedError(.accountNotPrivate, path, remedy: .accountMakePrivate)
      : FeedError(.accountNotKept, path, failure.sentence, remedy: .accountLookAtDisk)
  }
}

/// The stored form of a session.
struct StoredSession: Decodable {
  var address: String
  var session: AccountSession
  var token: Secret

  init(address: String, session: AccountSession, token: Secret) {
    self.address = address
    self.session = session
    self.token = token
  }

  private enum Key: String, CodingKey {
    case feed, user, userId, sessionId, since, expiresAt, token
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    address = try fields.decode(String.self, forKey: .feed)
    token = try Secret(token: fields.decode(String.self, forKey: .token), from: "")
    session = AccountSession(
      user: try fields.decode(String.self, forKey: .user), userID: try fields.decode(String.self, forKey: .userId),
      sessionID: try fields.decodeIfPresent(String.self, forKey: .sessionId),
      since: try fields.knownTime(.since),
      expiresAt: fields.contains(.expiresAt) ? try fields.knownTime(.expiresAt) : nil)
  }

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("feed", address)
      json.field("user", session.user)
      json.field("userId", session.userID)
      json.field("sessionId", optional: session.sessionID)
      json.field("since", session.since)
      if let expiresAt = session.expiresAt { json.field("expiresAt", expiresAt) }
      json.field("token", token.text)
    }
    json.newline()
    return json.bytes
  }
}
