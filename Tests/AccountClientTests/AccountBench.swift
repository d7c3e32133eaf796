import AccountModel
import OddsModel

@testable import AccountClient

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The account's state machine, driven by a test in the roles of feed, user and clock.
struct AccountBench {
  static let wallStart: Int64 = 1_750_000_000_000

  var machine = AccountMachine()
  var now = Duration.zero
  var account = AccountSession(user: "alice", userID: "u1", sessionID: "s1", since: wallStart)

  static let problem = FeedError("it broke", remedy: "mend it")
  static func wallet(_ real: Int, _ bonus: Int = 0) -> Wallet {
    Wallet(currency: "EUR", real: .init(real), bonus: .init(bonus))
  }

  var moment: AccountMoment { AccountMoment(uptime: now, wall: wall) }
  var wall: Int64 { Self.wallStart + Int64(now / .milliseconds(1)) }
  var status: AccountStatus { machine.status }

  @discardableResult
  mutating func happen(_ event: AccountMachine.Event) -> [AccountAction] { machine.apply(event, at: moment) }

  @discardableResult
  mutating func stream(_ event: AccountMachine.StreamEvent) -> [AccountAction] {
    happen(.stream(event, link: machine.link))
  }

  @discardableResult
  mutating func say(_ text: String) -> [AccountAction] { stream(.bytes(Array(text.utf8))) }

  /// Sends a message as a single event.
  @discardableResult
  mutating func tell(_ json: String) -> [AccountAction] { say("data: \(json)\n\n") }

  @discardableResult
  mutating func post(_ id: String, real: Int, bonus: Int? = nil, user: String = "u1", currency: String = "EUR")
    -> [AccountAction]
  {
    let other = bonus.map { #","Bonus":{"affectedAmount":1,"afterAmount":\#($0)}"# } ?? ""
    return tell(
      #"{"type":"BALANCE_UPDATE","body":{"userId":"\#(user)","currency":"\#(currency)","operationType":1,"postingId":"\#(id)","balanceChange":{"Real":{"affectedAmount":1,"afterAmount":\#(real)}\#(other)}}}"#
    )
  }

  @discardableResult
  mutating func answer(_ wallet: Wallet) -> [AccountAction] { happen(.wallet(.success(wallet), fetch: machine.fetch)) }

  @discardableResult
  mutating func answer(_ trouble: AccountRequestError) -> [AccountAction] {
    happen(.wallet(.failure(trouble), fetch: machine.fetch))
  }

  @discardableResult
  mutating func logIn() -> [AccountAction] {
    happen(.logIn(user: "alice", password: Secret("pw"), known: nil))
      + happen(.loggedIn(.success(account), session: machine.session))
  }

  @discardableResult
  mutating func lose() -> [AccountAction] { stream(.closed(.passing(Self.problem))) }

  /// Advances the clock to the machine's deadline. Returns the time that passed and the actions.
  mutating func pass() -> (Duration, [AccountAction]) {
    guard let deadline = machine.deadline else { return (.zero, []) }
    let time = deadline - now
    now = deadline
    return (time, happen(.time))
  }

  /// Returns a bench that is logged in, with an open stream and a known wallet.
  static func live(_ real: Int = 100, _ bonus: Int = 0) -> AccountBench {
    var bench = AccountBench()
    bench.logIn()
    bench.answer(wallet(real, bonus))
    bench.stream(.opened)
    bench.answer(wallet(real, bonus))
    return bench
  }
}

extension [AccountAction] {
  var published: [AccountStatus] { compactMap { if case .publish(let status) = $0 { status } else { nil } } }
  var opens: Int { count { if case .openStream = $0 { true } else { false } } }
  var fetches: Int { count { if case .fetchWallet = $0 { true } else { false } } }
  var logOuts: Int { count { if case .logOut = $0 { true } else { false } } }
  /// The names of the actions in order, without log entries.
  var names: [String] {
    compactMap { action in
      switch action {
      case .publish: "publish"
      case .logIn: "logIn"
      case .adopt: "adopt"
      case .renew: "renew"
      case .logOut: "logOut"
      case .fetchWallet: "fetchWallet"
      case .openStream: "openStream"
      case .close: "close"
      case .save(let wallet, _): wallet == nil ? "forget" : "keep"
      case .note: nil
      }
    }
  }
}

extension AccountStatus.Stream {
  var isWaiting: Bool { if case .waiting = self { true } else { false } }
  var isFailed: Bool { if case .failed = self { true } else { false } }
}
