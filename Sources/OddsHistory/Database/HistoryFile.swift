import CLibrary
import Localization
import Platform

/// The file of the history, and the checks before it is used.
package struct HistoryFile: Hashable, Sendable {
  package let path: String
  /// The time that a writer waits for another process's lock, in milliseconds.
  var writeTimeout: Int32 = 2000

  package init(_ path: String) { self.path = path }

  /// Creates the default file; nil if there is no directory for it.
  package init?(environment: [String: String]) {
    guard let directory = XDGDirectory.data.path(environment) else { return nil }
    self.init("\(directory)/history.db")
  }

  /// The time that a reader waits for a lock, in milliseconds. Readers of a WAL file wait for recovery only.
  static let readTimeout: Int32 = 5000

  /// The size of a page of a new file, in bytes. The changes of a batch lie in almost as many pages, each of which is
  /// written whole: small pages take the least time. A file keeps the size that it was created with.
  private static let pageSize = 1024
  /// The size of the log from which its pages are copied to the file, in bytes. A page that has changed several times
  /// since the last copy is copied once.
  private static let logSize: Int64 = 16 << 20
  /// The size of the cache of pages in KiB: the last page of each outcome of a large feed.
  private static let cacheSize = 16 << 10

  private static func setUp(_ database: Database) throws(HistoryError) {
    let pageSize = try database.integer("PRAGMA page_size") ?? 4096
    // NB: A log above the limit is truncated after each copy and must be allocated again. A batch can exceed the log's
    // size.
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(2 * logSize);
      PRAGMA cache_size = \(-cacheSize); PRAGMA wal_autocheckpoint = \(logSize / pageSize)
      """)
  }

  /// Opens the file for writing. Creates the file, its directory and its tables where they do not exist. Reads the
  /// whole file first if it may be damaged.
  ///
  /// - Parameters:
  ///   - now: The time in milliseconds since 1970.
  ///   - defersCheck: True if a check that is due because of the time can follow later: see `Database.isCheckDue`.
  func openForWriting(now: Int64, defersCheck: Bool = false) throws(HistoryError) -> Database {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      do throws(PrivateFileError) { try PrivateFile.makeDirectory(String(path[..<slash])) } catch {
        throw HistoryError(.other, LocalizedMessage(.failureOf, path, error.sentence))
      }
    }
    let lease = try HistoryLease(self, now: now, defersCheck: defersCheck)
    // SQLite would create it with the default permissions.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    let database = try Database(path, .write, timeout: writeTimeout, lease: lease)
    if try database.integer("PRAGMA page_count") == 0 {
      try database.run("PRAGMA page_size = \(Self.pageSize); PRAGMA auto_vacuum = INCREMENTAL")
    }
    try Self.setUp(database)
    try checkVersion(database)
    let isNew = try database.integer("PRAGMA user_version") == 0
    if isNew {
      try database.transaction { () throws(HistoryError) in
        try database.run(HistorySchema.sql)
        try database.run("PRAGMA user_version = \(HistorySchema.version)")
      }
    }
    return database
  }

  /// Opens the file for reading.
  ///
  /// - Throws: `HistoryError` of kind `missing` if there is no history.
  func openForReading() throws(HistoryError) -> Database {
    var status = stat()
    let isMissing = stat(path, &status) == 0 ? status.st_size == 0 : errno == ENOENT
    if isMissing { throw HistoryError(.missing, LocalizedMessage(.historyMissing, path)) }
    let database = try Database(path, .read, timeout: Self.readTimeout)
    try checkVersion(database)
    if try database.integer("PRAGMA user_version") == 0 {
      // A file that has just been created has no tables. One with tables, or without a whole page, has lost its
      // version.
      let pages = try database.integer("PRAGMA page_count") ?? 0
      let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      let isNew = pages > 0 && tables == 0
      if isNew { throw HistoryError(.missing, LocalizedMessage(.historyMissing, path)) }
      throw database.damage
    }
    return database
  }

  private func checkVersion(_ database: Database) throws(HistoryError) {
    let version = try database.integer("PRAGMA user_version") ?? 0
    guard version <= HistorySchema.version else {
      throw HistoryError(.newer, LocalizedMessage(.historyNewer, path, Int(version)))
    }
  }

  /// Reads the whole file and checks its structure. Takes about a second per 100 MB.
  ///
  /// - Throws: `HistoryError` of kind `damaged` if the file is damaged.
  package func check() throws(HistoryError) {
    let database = try openForReading()
    let statement = try database.prepare("PRAGMA quick_check(1)")
    guard try statement.step() else { return }
    let result = statement.text(0)
    guard result == "ok" else {
      throw HistoryError(.damaged, LocalizedMessage(.failureOf, path, LocalizedMessage.foreign(result)))
    }
  }

  /// Renames a damaged file and returns its new path: `history.db.damaged`, or with a number if that exists. Nil if the
  /// file cannot be renamed.
  func moveAside() -> String? {
    guard let aside = PrivateFile.setAside(path) else { return nil }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    return aside
  }
}
