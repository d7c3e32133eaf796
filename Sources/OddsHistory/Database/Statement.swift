import CSQLite

/// A compiled statement. Its parameters count from 1, its columns from 0.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, _ database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  @discardableResult
  func bind(_ index: Int32, _ value: Int64) -> Statement {
    sqlite3_bind_int64(handle, index, value)
    return self
  }

  @discardableResult
  func bind(_ index: Int32, optional value: Int64?) -> Statement {
    if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
    return self
  }

  @discardableResult
  func bind(_ index: Int32, _ text: String) -> Statement {
    _ = csqlite_bind_text(handle, index, text, Int32(text.utf8.count))
    return self
  }

  /// Advances to the next row. Returns false after the last one, and resets the statement then.
  func step() throws(HistoryError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw database.error(code) }
    return false
  }

  /// Runs a statement without results.
  func run() throws(HistoryError) { _ = try step() }

  /// Returns the integer of the only row, and resets the statement. Nil if there is no row, or for NULL.
  func single() throws(HistoryError) -> Int64? {
    guard try step() else { return nil }
    let value = integer(0)
    sqlite3_reset(handle)
    return value
  }

  func reset() { sqlite3_reset(handle) }

  /// Returns an integer; nil for NULL.
  func integer(_ column: Int32) -> Int64? {
    let value = sqlite3_column_int64(handle, column)
    // NULL is read as 0.
    return value == 0 && sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : value
  }

  /// Returns an integer; 0 for NULL.
  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns a text; empty for NULL. Bytes that are not UTF-8 are replaced.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
