import AccountModel
import OddsModel
import TerminalCore

struct LoginForm: Hashable, Sendable {
  enum Field: Hashable, Sendable { case user, password }

  enum Outcome {
    case submitted(user: String, password: Secret)
    case cancelled
  }

  /// The maximum length of a field in code points. Further input is ignored. A limit in characters would not bound the
  /// size, because a character can have any number of combining marks.
  static let maxScalars = 256
  /// The maximum number of bullets shown for a password.
  static let maxBullets = 12

  private(set) var user: String
  private var password = Secret("")
  private(set) var field: Field
  private(set) var problem: FeedError?
  /// True while the server processes the login.
  private(set) var isBusy: Bool

  init(user: String = "", problem: FeedError? = nil, isBusy: Bool = false) {
    self.user = user
    self.problem = problem
    self.isBusy = isBusy
    field = user.isEmpty ? .user : .password
  }

  var bullets: Int { min(password.text.count, Self.maxBullets) }

  /// Returns an outcome if the key submits or cancels the form. While the form is busy, only Escape has an effect.
  mutating func handle(_ key: Key) -> Outcome? {
    if key == .escape { return .cancelled }
    if isBusy { return nil }
    switch key {
    case .enter: return submit()
    case .tab, .backTab, .up, .down: field = field == .user ? .password : .user
    case .backspace: edit { $0 = String($0.dropLast()) }
    case .control("u"): edit { $0 = "" }
    // A name can appear in logs and headers, so it is restricted to printable characters. A password is not.
    case .character(let character) where field == .password || character.isShowable:
      edit { if $0.unicodeScalars.count < Self.maxScalars { $0.append(character) } }
    default: break
    }
    return nil
  }

  /// Shows the reason why the server refused the login. Keeps input that was typed meanwhile.
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
      defer {
        password = Secret("")
        isBusy = true
        problem = nil
      }
      return .submitted(user: user, password: password)
    }
    return nil
  }
}

extension Character {
  /// True if a terminal shows the character unchanged.
  var isShowable: Bool { !TextScanner(String(self)).contains { $0.scalar == 0xFFFD } }
}
