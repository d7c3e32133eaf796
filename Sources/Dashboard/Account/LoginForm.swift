import OddsFeed
import TerminalCore

/// Name and password while they are typed.
struct LoginForm: Hashable, Sendable {
  enum Field: Hashable, Sendable { case user, password }

  enum Outcome {
    case submitted(user: String, password: Secret)
    case cancelled
  }

  /// In code points. More is not taken, whatever is pasted: a character can have any number of marks upon it.
  static let mostScalars = 256
  /// A longer password looks no longer.
  static let mostBullets = 12

  private(set) var user: String
  private var password = Secret("")
  private(set) var field: Field
  private(set) var problem: FeedError?
  /// The server is being asked.
  private(set) var isBusy: Bool

  init(user: String = "", problem: FeedError? = nil, isBusy: Bool = false) {
    (self.user, self.problem, self.isBusy) = (user, problem, isBusy)
    field = user.isEmpty ? .user : .password
  }

  /// How much of the password shows.
  var bullets: Int { min(password.text.count, Self.mostBullets) }

  /// What a key comes to, if it ends the typing. While the server is asked there is only giving up.
  mutating func take(_ key: Key) -> Outcome? {
    if key == .escape { return .cancelled }
    if isBusy { return nil }
    switch key {
    case .enter: return submit()
    case .tab, .backTab, .up, .down: field = field == .user ? .password : .user
    case .backspace: edit { $0 = String($0.dropLast()) }
    case .control("u"): edit { $0 = "" }
    // A name may go into logs and headers; a password is nothing but itself.
    case .character(let character) where field == .password || character.isShowable:
      edit { if $0.unicodeScalars.count < Self.mostScalars { $0.append(character) } }
    default: break
    }
    return nil
  }

  /// The server does not let the user in. What is being typed meanwhile stays.
  mutating func fail(_ why: FeedError) {
    problem = why
    if isBusy { field = .password }
    isBusy = false
  }

  private mutating func edit(_ change: (inout String) -> Void) {
    var text = field == .user ? user : password.text
    change(&text)
    if field == .user { user = text } else { password = Secret(text) }
  }

  private mutating func submit() -> Outcome? {
    if user.isEmpty {
      field = .user
    } else if password.text.isEmpty {
      field = .password
    } else {
      defer { (password, isBusy, problem) = (Secret(""), true, nil) }
      return .submitted(user: user, password: password)
    }
    return nil
  }
}

extension Character {
  /// Whether a terminal shows it as it is.
  var isShowable: Bool { !TextScanner(String(self)).contains { $0.scalar == 0xFFFD } }
}
