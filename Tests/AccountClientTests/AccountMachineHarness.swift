import AccountModel
import OddsModel
import Platform
import TestSupport

@testable import AccountClient

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The account's state machine, driven by a test in the roles of feed, user and clock.
struct AccountMachineHarness {
  static let wallStart = ManualClock.wallStart

  var machine = AccountMachine()
  var now = Duration.zero
  var account = AccountSession(user: "alice", userID: "u1", sessionID: "s1", since: wallStart)

  static let problem = FeedError("it broke", remedy: "mend it")
  static func wallet(_ real: Int, _ bonus: Int = 0) -> Wallet {
    Wallet(currency: "EUR", real: .init(real), bonus: .init(bonus))
  }

  var moment: SessionMoment { SessionMoment(uptime: now, wall: wall, chance: 0) }
  var wall: Int64 { Self.wallStart + Int64(now / .milliseconds(1)) }
  var status: AccountStatus { machine.status }

  @discardableResult
  mutating func apply(_ event: AccountMachine.Event) -> [AccountAction] { machine.apply(event, at: moment) }

  @discardableResult
  mutating func receiveEvent(_ event: AccountMachine.StreamEvent) -> [AccountAction] {
    apply(.stream(event, link: machine.link))
  }

  @discardableResult
  mutating func receiveText(_ text: String) -> [AccountAction] { receiveEvent(.bytes(Array(text.utf8))) }

  /// Sends a message as a single event.
  @discardableResult
  mutating func receiveMessage(_ json: String) -> [AccountAction] { receiveText("data: \(json)\n\n") }

  @discardableResult
  mutating func receivePosting(
    _ id: String, real: Int, bonus: Int? = nil, user: String = "u1", currency: String = "EUR"
  )
    -> [AccountAction]
  {
    let other = bonus.map { #","Bonus":{"affectedAmount":1,"afterAmount":\#($0)}"# } ?? ""
    return receiveMessage(
      #"{"type":"BALANCE_UPDATE","body":{"userId":"\#(user)","currency":"\#(currency)","operationType":1,"postingId":"\#(id)","balanceChange":{"Real":{"affectedAmount":1,"afterAmount":\#(real)}\#(other)}}}"#
    )
  }

  @discardableResult
  mutating func answer(_ wallet: Wallet) -> [AccountAction] { apply(.wallet(.success(wallet), fetch: machine.fetch)) }

  @discardableResult
  mutating func answer(_ error: AccountRequestError) -> [AccountAction] {
    apply(.wallet(.failure(error), fetch: machine.fetch))
  }

  @discardableResult
  mutating func logIn() -> [AccountAction] {
    apply(.logIn(user: "alice", password: Secret("pw"), known: nil))
      + apply(.loggedIn(.success(account), session: machine.session))
  }

  @discardableResult
  mutating func loseStream() -> [AccountAction] { receiveEvent(.closed(.passing(Self.problem))) }

  /// Advances the clock to the machine's deadline. Returns the time that passed and the actions.
  mutating func advanceToDeadline() -> (Duration, [AccountAction]) {
    guard let deadline = machine.deadline else { return (.zero, []) }
    let time = deadline - now
    now = deadline
    return (time, apply(.time))
  }

  /// Returns a harness that is logged in, with an open stream and a known wallet.
  static func live(_ real: Int = 100, _ bonus: Int = 0) -> AccountMachineHarness {
    var harness = AccountMachineHarness()
    harness.logIn()
    harness.answer(wallet(real, bonus))
    harness.receiveEvent(.opened)
    harness.answer(wallet(real, bonus))
    return harness
  }
}

extension [AccountAction] {
  var published: [AccountStatus] { compactMap { if case .publish(let status) = $0 { status } else { nil } } }
  var openCount: Int { count { if case .openStream = $0 { true } else { false } } }
  var fetchCount: Int { count { if case .fetchWallet = $0 { true } else { false } } }
  var logOutCount: Int { count { if case .logOut = $0 { true } else { false } } }
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
