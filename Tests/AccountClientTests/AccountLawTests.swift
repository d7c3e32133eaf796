import AccountModel
import TestSupport
import Testing

@testable import AccountClient

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct AccountLawTests {
  @Test(
    "Random events cause at most one stream and one wallet request, and the wallet finally equals the feed's",
    arguments: 0..<300)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var harness = AccountMachineHarness()
    harness.account.expiresAt = AccountMachineHarness.wallStart + 60_000
    /// The numbers of the current link and of the pending wallet request; nil if there is none.
    var link: Int?
    var fetch: Int?
    var isOpen = false
    /// True if the feed has a session.
    var hasSession = false
    var login: Int?
    var renewal: Int?
    var posting = 0
    var truth = AccountMachineHarness.wallet(100, 10)
    /// The feed's wallet at the time of the last request.
    var requested = truth
    var phase = harness.status.phase

    func perform(_ actions: [AccountAction], byUser: Bool = false) {
      for action in actions {
        switch action {
        case .openStream(_, _, let number):
          #expect(link == nil, "seed \(seed): a second stream")
          #expect(hasSession && !harness.machine.isSuspended, "seed \(seed): a stream without a session")
          link = number
          isOpen = false
        case .fetchWallet(_, let number):
          #expect(
            fetch == nil || isOpen && harness.status.wallet?.currency != truth.currency,
            "seed \(seed): a second question")
          fetch = number
          requested = truth
        case .close: (link, fetch, isOpen) = (nil, nil, false)
        case .logOut: (hasSession, login, renewal) = (false, nil, nil)
        case .logIn(_, _, let number): login = number
        case .renew(let number): renewal = number
        case .publish(let status):
          if case .ended = phase { #expect(byUser, "seed \(seed): news after the end of the session") }
          if case .ended = status.phase { #expect(hasSession, "seed \(seed): told after the logout") }
          phase = status.phase
        case .adopt, .save, .note: break
        }
      }
    }
    func stream(_ event: AccountMachine.StreamEvent) {
      guard let number = link else { return }
      if case .closed = event { (link, isOpen) = (nil, false) }
      if case .opened = event { isOpen = true }
      perform(harness.apply(.stream(event, link: number)))
    }
    func say(_ text: String) { if isOpen { stream(.bytes(Array(text.utf8))) } }
    func post() {
      posting += 1
      truth.real += 1
      if Int.random(in: 0..<4, using: &random) == 0 {
        truth.currency = ["EUR", "SEK", "USD"].randomElement(using: &random)!
      }
      let (real, currency) = (truth.real, truth.currency)
      say(
        "id: \(posting)\ndata: {\"type\":\"BALANCE_UPDATE\",\"userId\":\"u1\",\"currency\":\"\(currency)\",\"operationType\":1,\"postingId\":\(posting),\"balanceChange\":{\"Real\":{\"affectedAmount\":1,\"afterAmount\":\(real)}}}\n\n"
      )
    }
    func answer() {
      guard let number = fetch.take() else { return }
      // The answer may be older than the last postings.
      let wallet = Bool.random(using: &random) ? truth : requested
      perform(harness.apply(.wallet(.success(wallet), fetch: number)))
    }
    func logIn() {
      guard let number = login.take() else { return }
      hasSession = true
      harness.account.since = harness.wall
      harness.account.expiresAt = harness.wall + 60_000
      perform(harness.apply(.loggedIn(.success(harness.account), session: number)))
    }
    func renew() {
      guard let number = renewal.take() else { return }
      harness.account.since = harness.wall
      harness.account.expiresAt = harness.wall + 60_000
      perform(harness.apply(.renewed(.success(harness.account), session: number)))
    }

    for _ in 0..<400 {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: perform(harness.apply(.logIn(user: "alice", password: Secret("x"), known: nil)), byUser: true)
      case 1: perform(harness.apply(.logOut), byUser: true)
      case 2: perform(harness.apply(.acknowledge), byUser: true)
      case 3: perform(harness.apply(.suspend))
      case 4..<7: perform(harness.apply(.resume))
      case 7: perform(harness.apply(.retry))
      case 8..<12: if login != nil { logIn() }
      case 12:
        guard let number = login.take() else { continue }
        perform(harness.apply(.loggedIn(.failure(.passing(AccountMachineHarness.problem)), session: number)))
      case 13..<18: answer()
      case 18:
        guard let number = fetch.take() else { continue }
        let error: AccountRequestError =
          Bool.random(using: &random)
          ? .passing(AccountMachineHarness.problem) : .refused(AccountMachineHarness.problem)
        perform(harness.apply(.wallet(.failure(error), fetch: number)))
      case 19..<23: if link != nil, !isOpen { stream(.opened) }
      case 23: stream(.closed(nil))
      case 24: stream(.closed(.passing(AccountMachineHarness.problem)))
      case 25:
        if Int.random(in: 0..<4, using: &random) == 0 { stream(.closed(.refused(AccountMachineHarness.problem))) }
      case 26: if Int.random(in: 0..<4, using: &random) == 0 { say("data: {\"type\":\"SESSION_TERMINATED\"}\n\n") }
      case 27: say("data: \n\n: \r\ndata: x\n\n")
      case 28: if let link { perform(harness.apply(.stream(.opened, link: link - 1))) }
      case 29:
        perform(harness.apply(.wallet(.success(AccountMachineHarness.wallet(0)), fetch: harness.machine.fetch - 1)))
      case 30: renew()
      case 31:
        guard let number = renewal.take() else { continue }
        perform(harness.apply(.renewed(.failure(.passing(AccountMachineHarness.problem)), session: number)))
      case 32..<36: post()
      default:
        harness.now += .seconds(Double.random(in: 0...4, using: &random))
        perform(harness.apply(.time))
      }
      if isOpen, case .loggedIn = harness.status.phase, harness.status.walletAsOf == nil {
        #expect(harness.status.wallet == truth, "seed \(seed)")
      }
    }

    perform(harness.apply(.resume))
    if harness.machine.login == nil {
      perform(harness.apply(.logIn(user: "alice", password: Secret("x"), known: nil)), byUser: true)
      logIn()
    }
    perform(harness.apply(.retry))
    for _ in 0..<100 {
      answer()
      if link != nil, !isOpen { stream(.opened) }
      renew()
      harness.now += .seconds(1)
      perform(harness.apply(.time))
      say(":\n\n")
    }
    #expect(
      harness.status.stream == .live && harness.status.walletAsOf == nil && harness.status.wallet == truth,
      "seed \(seed)")
    perform(harness.apply(.stop(isStored: false)), byUser: true)
    #expect(link == nil && fetch == nil && !hasSession && harness.machine.deadline == nil)
  }
}
