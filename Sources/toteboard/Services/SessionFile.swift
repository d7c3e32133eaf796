import CLibrary
import Dashboard
import Localization
import OddsModel
import Platform
import TOMLKit
import TerminalCore

/// The file with the state of the dashboard on one feed between two runs of the program.
struct SessionFile {
  private static let maxBytes = 8 << 20

  let directory: String
  let path: String

  /// Creates the file of a feed, which is identified by its name.
  init(directory: String, feed: String) {
    self.directory = directory
    path = "\(directory)/board-\(FNV1aHash(feed.utf8).hex).toml"
  }

  /// Returns the session in the file; nil if there is no file.
  ///
  /// - Throws: `SessionFileError` if the file cannot be read, or is damaged and has been renamed.
  func read() throws(SessionFileError) -> BoardSession? {
    let bytes: [UInt8]?
    do throws(PrivateFileError) { bytes = try PrivateFile.read(path, maxBytes: Self.maxBytes) } catch {
      throw SessionFileError(sentence: LocalizedMessage(.sessionUnread, path, error.sentence))
    }
    guard let bytes else { return nil }
    if let text = String(validating: bytes, as: UTF8.self), let table = try? TOMLTable(string: text),
      let session = BoardSession(table)
    {
      return session
    }
    guard let aside = PrivateFile.setAside(path) else {
      throw SessionFileError(sentence: LocalizedMessage(.sessionUnread, path, LocalizedMessage.ofLastCall))
    }
    throw SessionFileError(sentence: LocalizedMessage(.sessionDamaged, path, aside))
  }

  /// Writes a session with the watch lists that other boards have changed since `base`. Other boards that write at the
  /// same time wait. A damaged file is set aside. Throws, and leaves the file as it is, if it exists but cannot be
  /// read.
  ///
  /// - Parameter base: The watch lists as this board last read or wrote them.
  /// - Returns: The session that was written.
  func write(_ session: BoardSession, since base: [WatchList]) throws(PrivateFileError) -> BoardSession {
    try PrivateFile.makeDirectory(directory)
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw PrivateFileError(call: "open") }
    // NB: Closing the descriptor releases the lock. No process holds it for longer than one write.
    defer { close(lock) }
    // A file system without locks is written to all the same.
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    var merged = session
    do throws(SessionFileError) {
      if let saved = try read() {
        merged.watchLists = session.watchLists.merged(since: base, with: saved.watchLists)
      }
    } catch {
      // A damaged file is set aside now. One that cannot be read is not replaced.
      if access(path, F_OK) == 0 { throw PrivateFileError(call: "read") }
    }
    try PrivateFile.replace(path, with: merged.toml)
    return merged
  }
}

extension BoardSession {
  /// Parses a session; nil if a value has the wrong type. Ignores unknown keys, and unknown names of a choice, which
  /// another version may have written.
  init?(_ table: TOMLTable) {
    self.init()
    // Returns nil for a value of the wrong type, and `.some(nil)` for a missing key or an unknown name.
    func choice<Value>(_ key: String, _ read: (String) -> Value?) -> Choice<Value>?? {
      guard let value = table[key] else { return .some(nil) }
      guard let list = value.array, list.count == 2, let own = list[0].string, let configured = list[1].string else {
        return nil
      }
      return .some(read(own).flatMap { own in read(configured).map { Choice(own, configured: $0) } })
    }
    func text(_ key: String) -> String?? {
      guard let value = table[key] else { return .some(nil) }
      return value.string.map { .some($0) }
    }
    guard let channel = text("channel"), let filter = text("filter"), let odds = choice("odds", OddsFormat.init),
      let order = choice("sort", RowOrder.init(name:)),
      let columns = choice("columns", { try? ChosenColumn.list($0.split(separator: " ").map(String.init)) }),
      let theme = choice("theme", { $0 }), let grouping = choice("group", RowGrouping.init),
      let folds = GroupFolds(table)
    else { return nil }
    self.channel = channel
    self.filter = filter ?? ""
    self.odds = odds
    self.order = order
    self.theme = theme
    self.columns = columns
    self.grouping = grouping
    self.folds = folds
    if let folded = table["folded-counters"] {
      guard let isFolded = folded.bool else { return nil }
      foldsCounters = isFolded
    }
    guard let current = text("current-watch-list"), let first = text("first-watch-list"),
      let lists = WatchList.read(table, first: first ?? "")
    else { return nil }
    currentWatchList = current
    watchLists = lists
  }
}

extension GroupFolds {
  /// Reads the folded groups; nil if a value has the wrong type.
  fileprivate init?(_ table: TOMLTable) {
    self.init()
    if let all = table["folded-groups"] {
      guard let isFolded = all.bool else { return nil }
      foldsAll = isFolded
    }
    guard let value = table["group-exceptions"] else { return }
    guard let elements = value.array else { return nil }
    for element in elements {
      guard let names = element.array?.compactMap(\.string), names.count == 3 else { return nil }
      exceptions.insert(GroupKey(sport: names[0], country: names[1], tournament: names[2]))
    }
  }
}

extension WatchList {
  /// Reads the watch lists; nil if a value has the wrong type. Lists of one name become one. A list without a name
  /// becomes a part of the first. Empty if there is only a first list without name and matches.
  fileprivate static func read(_ table: TOMLTable, first: String) -> [WatchList]? {
    guard let pins = pins(in: table) else { return nil }
    var parts = [(name: first.cleaned, pins: pins)]
    if let value = table["watch-list"] {
      guard let elements = value.array else { return nil }
      var indices: [String: Int] = [:]
      for element in elements {
        guard let list = element.table, let name = list["name"]?.string?.cleaned, let pins = Self.pins(in: list) else {
          return nil
        }
        let index = name.allSatisfy(\.isWhitespace) ? 0 : indices[name.lowercased(), default: parts.count]
        if index == parts.count {
          indices[name.lowercased()] = index
          parts.append((name, pins))
        } else {
          parts[index].pins += pins
        }
      }
    }
    if parts.count == 1, parts[0].name.isEmpty, parts[0].pins.isEmpty { return [] }
    return parts.map { WatchList(name: $0.name, pins: $0.pins) }
  }

  private static func pins(in table: TOMLTable) -> [BoardSession.Pin]? {
    guard let value = table["pin"] else { return [] }
    guard let elements = value.array else { return nil }
    var pins: [BoardSession.Pin] = []
    for element in elements {
      guard let pin = element.table, let match = pin["match"]?.string, let offers = pin["offers"]?.array else {
        return nil
      }
      pins.append(BoardSession.Pin(match: match, offers: offers.compactMap(\.string)))
    }
    return pins
  }
}

extension RowOrder {
  fileprivate init?(name: String) {
    guard let key = BoardColumn(name: String(name.drop { $0 == "-" })) else { return nil }
    self.init()
    self.key = key
    isReversed = name.hasPrefix("-")
  }
}

/// An unreadable or damaged file. A damaged file is renamed.
struct SessionFileError: LocalizedMessageError {
  let sentence: LocalizedMessage
}
