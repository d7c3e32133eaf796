import AccountModel
import OddsModel
import TestSupport
import Testing

@testable import AccountClient

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The storage of sessions")
struct TokenStorageTests {
  private let directory = TemporaryDirectory()
  private static let session = AccountSession(user: "alice", userID: "u1", sessionID: "s1", since: 5, expiresAt: 9)
  private static let token = Secret("sEcrEt")

  private var state: String { "\(directory.path)/a/toteboard" }
  private var files: [String] { directory.names(in: "a/toteboard") }
  private var file: String { "\(state)/\(files[0])" }

  private func storage(_ user: String = "alice", at address: String = "wss://odds.example") throws -> TokenStorage {
    try TokenStorage(directory: state, address: address, user: user)
  }

  private func saved() throws -> TokenStorage {
    let storage = try storage()
    try storage.save(Self.session, Self.token)
    return storage
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("A session is stored per feed and user, and is read back as it was saved")
  func saves() throws {
    #expect(try storage().read() == nil)
    let storage = try saved()
    let stored = try #require(try storage.read())
    #expect(stored.session == Self.session && stored.token == Self.token)
    #expect(try self.storage("bob").read() == nil)
    #expect(try self.storage(at: "wss://other.example").read() == nil)
    storage.remove("alice")
    #expect(try storage.read() == nil && files.isEmpty)
  }

  @Test("File and directory are private to their owner, and the file name does not reveal the user")
  func modes() throws {
    let before = umask(0)
    defer { umask(before) }
    _ = try saved()
    try saved().save(Self.session, Self.token)
    #expect(mode(file) == 0o600 && mode(state) == 0o700)
    #expect(files.count == 1 && !files[0].contains("alice"))
  }

  @Test("A file that others can read or change is refused", arguments: [0o640, 0o604, 0o620, 0o602] as [mode_t])
  func openFile(mode: mode_t) throws {
    let storage = try saved()
    chmod(file, mode)
    let problem = #expect(throws: FeedError.self) { try storage.read() }
    #expect(problem?.message == "other users can read or change '\(file)', so it is not used for sessions")
  }

  @Test("A symbolic link is refused, and is replaced by the next save")
  func link() throws {
    let storage = try saved()
    let other = "\(directory.path)/other"
    let path = file
    rename(path, other)
    symlink(other, path)
    #expect(throws: FeedError.self) { try storage.read() }
    // A save replaces the link and leaves its target in place.
    try storage.save(Self.session, Secret("new"))
    #expect(try storage.read()?.token == Secret("new") && mode(path) == 0o600)
    #expect(directory.names().contains("other"))
  }

  @Test(
    "A directory that others can change is refused before anything is saved there",
    arguments: [0o770, 0o707, 0o777] as [mode_t])
  func openDirectory(mode: mode_t) throws {
    let storage = try saved()
    chmod(state, mode)
    #expect(throws: FeedError.self) { try storage.read() }
    #expect(throws: FeedError.self) { try storage.save(Self.session, Self.token) }
    #expect(throws: FeedError.self) { try self.storage() }
  }

  @Test("A directory or a link of another user is refused", .enabled(if: geteuid() == 0))
  func foreignDirectory() throws {
    _ = try saved()
    chown(state, 65_534, 65_534)
    #expect(throws: FeedError.self) { try storage() }
    chown(state, 0, 0)
    rename(state, "\(state)-real")
    symlink("\(state)-real", state)
    #expect(throws: Never.self) { try storage() }
    lchown(state, 65_534, 65_534)
    #expect(throws: FeedError.self) { try storage() }
  }

  @Test("A damaged file is an error, and is replaced by the next session")
  func damaged() throws {
    let storage = try saved()
    truncate(file, 9)
    #expect(throws: FeedError.self) { try storage.read() }
    try storage.save(Self.session, Self.token)
    #expect(try storage.read()?.token == Self.token)
  }
}

@Suite("The cache of the last wallet")
struct BalanceCacheTests {
  private let directory = TemporaryDirectory()
  private let log = AccountLogRecorder()
  private static let wallet = DatedWallet(wallet: AccountMachineHarness.wallet(3), asOf: 7)

  private func cache(_ address: String = "wss://odds.example") -> BalanceCache {
    BalanceCache(directory: "\(directory.path)/c", address: address, log: log.logger)
  }

  @Test("It is stored per feed and user, with exact amounts and its date")
  func saves() {
    var exact = Self.wallet
    exact.wallet.real /= 3
    #expect(cache().read("alice") == nil)
    cache().save(Self.wallet, of: "alice")
    cache().save(exact, of: "alice")
    #expect(cache().read("alice") == exact)
    #expect(cache().read("bob") == nil && cache("wss://other").read("alice") == nil)
    #expect(directory.names(in: "c").count == 1 && !directory.names(in: "c")[0].contains("alice"))
    cache().remove("alice")
    #expect(cache().read("alice") == nil && log.lines.isEmpty)
  }

  @Test("A damaged file counts as missing, and a failed save is only logged")
  func damaged() {
    cache().save(Self.wallet, of: "alice")
    truncate("\(directory.path)/c/\(directory.names(in: "c")[0])", 9)
    #expect(cache().read("alice") == nil)
    BalanceCache(directory: "/dev/null/x", address: "a", log: log.logger).save(Self.wallet, of: "alice")
    #expect(log.lines.count == 2)
  }
}
