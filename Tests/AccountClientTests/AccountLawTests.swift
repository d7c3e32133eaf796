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
    var bench = AccountBench()
    bench.account.expiresAt = AccountBench.wallStart + 60_000
    /// The numbers of the current link and of the pending wallet request; nil if there is none.
    var link: Int?
    var fetch: Int?
    var isOpen = false
    /// True if the feed has a session.
    var hasSession = false
    var login: Int?
    var renewal: Int?
    var posting = 0
    var truth = AccountBench.wallet(100, 10)
    var phase = bench.status.phase

    func perform(_ actions: [AccountAction], byUser: Bool = false) {
      for action in actions {
        switch action {
        case .openStream(_, _, let number):
          #expect(link == nil, "seed \(seed): a second stream")
          #expect(hasSession && !bench.machine.isSuspended, "seed \(seed): a stream without a session")
          link = number
          isOpen = false
        case .fetchWallet(_, let number):
          #expect(fetch == nil, "seed \(seed): a second question")
          fetch = number
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
      perform(bench.happen(.stream(event, link: number)))
    }
    func say(_ text: String) { if isOpen { stream(.bytes(Array(text.utf8))) } }
    func post() {
      posting += 1
      truth.real += 1
      let real = truth.real
      say(
        "id: \(posting)\ndata: {\"type\":\"BALANCE_UPDATE\",\"userId\":\"u1\",\"currency\":\"EUR\",\"operationType\":1,\"postingId\":\(posting),\"balanceChange\":{\"Real\":{\"affectedAmount\":1,\"afterAmount\":\(real)}}}\n\n"
      )
    }
    func answer() {
      guard let number = fetch.take() else { return }
      perform(bench.happen(.wallet(.success(truth), fetch: number)))
    }
    func logIn() {
      guard let number = login.take() else { return }
      hasSession = true
      bench.account.since = bench.wall
      bench.account.expiresAt = bench.wall + 60_000
      perform(bench.happen(.loggedIn(.success(bench.account), session: number)))
    }
    func renew() {
      guard let number = renewal.take() else { return }
      bench.account.since = bench.wall
      bench.account.expiresAt = bench.wall + 60_000
      perform(bench.happen(.renewed(.success(bench.account), session: number)))
    }

    for _ in 0..<400 {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: perform(bench.happen(.logIn(user: "alice", password: Secret("x"), known: nil)), byUser: true)
      case 1: perform(bench.happen(.logOut), byUser: true)
      case 2: perform(bench.happen(.acknowledge), byUser: true)
      case 3: perform(bench.happen(.suspend))
      case 4..<7: perform(bench.happen(.resume))
      case 7: perform(bench.happen(.retry))
      case 8..<12: if login != nil { logIn() }
      case 12:
        guard let number = login.take() else { continue }
        perform(bench.happen(.loggedIn(.failure(.passing(AccountBench.problem)), session: number)))
      case 13..<18: answer()
      case 18:
        guard let number = fetch.take() else { continue }
        let trouble: AccountRequestError =
          Bool.random(using: &random) ? .passing(AccountBench.problem) : .refused(AccountBench.problem)
        perform(bench.happen(.wallet(.failure(trouble), fetch: number)))
      case 19..<23: if link != nil, !isOpen { stream(.opened) }
      case 23: stream(.closed(nil))
      case 24: stream(.closed(.passing(AccountBench.problem)))
      case 25: if Int.random(in: 0..<4, using: &random) == 0 { stream(.closed(.refused(AccountBench.problem))) }
      case 26: if Int.random(in: 0..<4, using: &random) == 0 { say("data: {\"type\":\"SESSION_TERMINATED\"}\n\n") }
      case 27: say("data: \n\n: \r\ndata: x\n\n")
      case 28: if let link { perform(bench.happen(.stream(.opened, link: link - 1))) }
      case 29: perform(bench.happen(.wallet(.success(AccountBench.wallet(0)), fetch: bench.machine.fetch - 1)))
      case 30: renew()
      case 31:
        guard let number = renewal.take() else { continue }
        perform(bench.happen(.renewed(.failure(.passing(AccountBench.problem)), session: number)))
      case 32..<36: post()
      default:
        bench.now += .seconds(Double.random(in: 0...4, using: &random))
        perform(bench.happen(.time))
      }
      if isOpen, case .loggedIn = bench.status.phase, bench.status.walletAsOf == nil {
        #expect(bench.status.wallet == truth, "seed \(seed)")
      }
    }

    perform(bench.happen(.resume))
    if bench.machine.login == nil {
      perform(bench.happen(.logIn(user: "alice", password: Secret("x"), known: nil)), byUser: true)
      logIn()
    }
    perform(bench.happen(.retry))
    for _ in 0..<100 {
      answer()
      if link != nil, !isOpen { stream(.opened) }
      renew()
      bench.now += .seconds(1)
      perform(bench.happen(.time))
      say(":\n\n")
    }
    #expect(
      bench.status.stream == .live && bench.status.walletAsOf == nil && bench.status.wallet == truth, "seed \(seed)")
    perform(bench.happen(.stop(isStored: false)), byUser: true)
    #expect(link == nil && fetch == nil && !hasSession && bench.machine.deadline == nil)
  }
}
