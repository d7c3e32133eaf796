import AccountModel
import Algorithms

/// The users of a server, each with the hash of a password.
package struct UserList: Sendable {
  package static let nameRemedy = "use 1 to 64 letters, digits or . _ - @"

  private var hashes: [String: PasswordHash] = [:]
  /// A hash of each cost in the list.
  private var decoys: [PasswordHash] = []

  package init() {}

  /// Parses lines of the form `name:hash`. Skips empty lines and lines that begin with `#`.
  package init(file: String) throws(UserListError) {
    // NB: A carriage return and a line feed are one character, which is not equal to "\n".
    let lines = file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (place, line) in lines.enumerated() {
      let line = line.trimming(while: \.isWhitespace)
      if line.isEmpty || line.first == "#" { continue }
      guard let colon = line.firstIndex(of: ":"), let hash = PasswordHash(line[line.index(after: colon)...]) else {
        throw .line(place + 1)
      }
      let name = String(line[..<colon])
      guard Self.isName(name) else { throw .name(name, line: place + 1) }
      guard hashes[name] == nil else { throw .twice(name, line: place + 1) }
      add(name, hash)
    }
    if hashes.isEmpty { throw .none }
  }

  package func contains(_ name: String) -> Bool { hashes[name] != nil }

  /// Adds a user, or replaces the hash of a user who is already in the list.
  package mutating func add(_ name: String, _ hash: PasswordHash) {
    hashes[name] = hash
    if !decoys.contains(where: { $0.cost == hash.cost }) { decoys.append(hash) }
  }

  package static func isName(_ name: String) -> Bool {
    1...64 ~= name.utf8.count
      && name.allSatisfy { "._-@".contains($0) || $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  var names: [String] { hashes.keys.sorted() }

  /// Returns true if `password` is that of the user. Takes as long for any name. Do not call on an event loop: it
  /// blocks.
  func accepts(_ password: Secret, of name: String) -> Bool {
    var isRight = false
    // NB: Compare with each hash, whether or not it is the user's own.
    for (hash, isOwn) in checks(of: name) where hash.matches(password) && isOwn { isRight = true }
    return isRight
  }

  /// Returns the hashes that a password is compared with: one of each cost in the list, so that the response time
  /// reveals neither that a user exists nor the cost of the user's hash. Only a match of the user's own counts.
  func checks(of name: String) -> [(hash: PasswordHash, isOwn: Bool)] {
    let own = hashes[name]
    return decoys.map { decoy in
      if let own, own.cost == decoy.cost { (own, true) } else { (decoy, false) }
    }
  }
}

/// An error in a list of users, with a message for the operator.
package enum UserListError: Error, Hashable, CustomStringConvertible {
  case line(Int)
  case name(String, line: Int)
  case twice(String, line: Int)
  case none

  package var description: String {
    switch self {
    case .line(let line):
      "line \(line) is not a user: use 'name:hash', as printed by 'toteboard-server hash-password NAME'"
    case .name(let name, let line): "the name '\(name)' in line \(line) is not valid: \(UserList.nameRemedy)"
    case .twice(let name, let line): "the user '\(name)' in line \(line) is a duplicate: remove one"
    case .none: "it contains no users: add a line, as printed by 'toteboard-server hash-password NAME'"
    }
  }
}
