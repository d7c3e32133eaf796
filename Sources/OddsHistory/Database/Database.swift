import CLibrary
import CSQLite
import Localization

/// A connection to an SQLite database. Not thread-safe: one task at a time uses it. All calls block on the disk.
final class Database {
  enum Access {
    case read
    case write
  }

  let path: String
  private let handle: OpaquePointer
  /// The right to write; nil for a reader.
  private let lease: HistoryLease?
  /// The number of the file when it was opened; nil for a reader, or if it is not known.
  private let fileNumber: UInt64?
  private var isDamaged = false

  /// Opens a database. With `.write`, creates the file if it does not exist.
  ///
  /// - Parameter timeout: The time to wait for a lock that another process holds, in milliseconds.
  init(_ path: String, _ access: Access, timeout: Int32, lease: HistoryLease? = nil) throws(HistoryError) {
    self.path = path
    self.lease = lease
    var handle: OpaquePointer?
    let flags = access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let error = Self.error(code, handle, path)
      sqlite3_close(handle)
      throw error
    }
    self.handle = handle
    fileNumber = access == .write ? Self.fileNumber(path) : nil
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, timeout)
  }

  deinit {
    // NB: Each statement keeps the database, so none is left and the file is closed here.
    let isMoved = isMoved
    sqlite3_close_v2(handle)
    if !isDamaged, !isMoved { lease?.end() }
  }

  /// True if the file has been renamed or removed since it was opened, as another program does with a damaged one.
  var isMoved: Bool { fileNumber != nil && fileNumber != Self.fileNumber(path) }

  private static func fileNumber(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// True if the whole file is to be checked because of the time since the last check.
  var isCheckDue: Bool { lease?.isCheckDue ?? false }

  /// Notes that the whole file was checked and is not damaged.
  func setChecked(at time: Int64) { lease?.setChecked(at: time) }

  /// Runs statements without results.
  func run(_ sql: String) throws(HistoryError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Compiles a statement.
  func prepare(_ sql: String) throws(HistoryError) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    return Statement(statement, self)
  }

  /// Returns the first column of a query's first row; nil if there is no row or it is NULL.
  func integer(_ sql: String) throws(HistoryError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Returns the size of the file in bytes, without its log and without free pages.
  func usedSize() throws(HistoryError) -> Int64 {
    let pages = (try integer("PRAGMA page_count") ?? 0) - (try integer("PRAGMA freelist_count") ?? 0)
    return pages * (try integer("PRAGMA page_size") ?? 0)
  }

  /// Runs `body` in a transaction that holds the write lock from its start. Any error rolls it back.
  func transaction<Result>(_ body: () throws(HistoryError) -> Result) throws(HistoryError) -> Result {
    try run("BEGIN IMMEDIATE")
    do throws(HistoryError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // NB: SQLite has already rolled back after some errors.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  func error(_ code: Int32) -> HistoryError {
    // NB: The text of the handle is that of its last error.
    let error = Self.error(code, code == sqlite3_extended_errcode(handle) ? handle : nil, path)
    if error.kind == .damaged { isDamaged = true }
    return error
  }

  /// The error of a file whose content contradicts itself.
  var damage: HistoryError { error(SQLITE_CORRUPT) }

  private static func error(_ code: Int32, _ handle: OpaquePointer?, _ path: String) -> HistoryError {
    let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    let kind: HistoryError.Kind =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_FULL, SQLITE_IOERR: .full
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      default: .other
      }
    return HistoryError(kind, LocalizedMessage(.failureOf, path, LocalizedMessage.foreign(text)))
  }
}
