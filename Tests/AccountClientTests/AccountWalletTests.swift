import AccountModel
import Testing

@testable import AccountClient

@Suite("The wallet from the stream and the REST interface")
struct AccountWalletTests {
  private func wallet(_ real: Int, _ bonus: Int = 0) -> Wallet { AccountBench.wallet(real, bonus) }

  @Test("The wallet is fetched before the stream opens, and again after it has opened")
  func first() {
    var bench = AccountBench()
    #expect(bench.logIn().names.suffix(2) == ["fetchWallet", "publish"])
    #expect(bench.answer(wallet(100)).names == ["openStream", "publish"])
    #expect(bench.status.wallet == wallet(100) && bench.status.walletAsOf == bench.wall)
    #expect(bench.stream(.opened).names == ["fetchWallet", "publish"])
    bench.now += .seconds(1)
    #expect(bench.answer(wallet(90)).names == ["publish"])
    #expect(bench.status.wallet == wallet(90) && bench.status.walletAsOf == nil)
  }

  @Test("A posting sets the balance to its resulting amount")
  func absolute() {
    var bench = AccountBench.live(100, 10)
    bench.post("p1", real: 42)
    #expect(bench.status.wallet == wallet(42, 10))
    bench.post("p2", real: 43, bonus: 0)
    #expect(bench.status.wallet == wallet(43, 0))
    #expect(bench.status.postings.map(\.update.postingID) == ["p2", "p1"])
    #expect(bench.status.postings.first?.receivedAt == bench.wall)
  }

  @Test("A repeated posting changes nothing, even after a reconnect")
  func duplicates() {
    var bench = AccountBench.live()
    bench.post("p1", real: 42)
    #expect(bench.post("p1", real: 1).published.isEmpty)
    bench.lose()
    _ = bench.pass()
    bench.stream(.opened)
    bench.answer(wallet(50))
    bench.post("p1", real: 42)
    #expect(
      bench.status.wallet == wallet(50) && bench.status.postings.count == 1 && bench.machine.counters.duplicates == 2)
  }

  @Test("Only the newest postings are published, and the number of remembered ids is limited")
  func bounds() {
    var bench = AccountBench.live()
    for number in 0..<5000 { bench.post("p\(number)", real: number) }
    #expect(bench.status.postings.count == AccountMachine.maxPostings)
    #expect(bench.status.postings.first?.update.postingID == "p4999" && bench.machine.seen.count == 4096)
    #expect(bench.status.wallet == wallet(4999))
  }

  @Test("A posting during a wallet request is not overwritten by the answer, which may be older")
  func race() {
    var bench = AccountBench.live(100, 10)
    bench.lose()
    _ = bench.pass()
    bench.stream(.opened)
    bench.post("p1", real: 42)
    bench.answer(wallet(100, 5))
    #expect(bench.status.wallet == wallet(42, 5) && bench.status.walletAsOf == nil)
  }

  @Test("The answer to a request from before a reconnect is ignored")
  func lateAnswer() {
    var bench = AccountBench.live()
    bench.lose()
    _ = bench.pass()
    bench.stream(.opened)
    let old = bench.machine.fetch
    bench.lose()
    _ = bench.pass()
    bench.stream(.opened)
    bench.answer(wallet(7))
    #expect(bench.happen(.wallet(.success(wallet(1)), fetch: old)).isEmpty)
    #expect(bench.status.wallet == wallet(7))
  }

  @Test("A failed wallet request on an open stream is retried, and the wallet shows its date meanwhile")
  func noAnswer() {
    var bench = AccountBench()
    bench.logIn()
    bench.answer(wallet(100))
    bench.stream(.opened)
    for delay in [200, 400, 800, 1600, 3200, 6400] {
      bench.answer(.passing(AccountBench.problem))
      #expect(bench.status.stream == .live && bench.status.walletAsOf == AccountBench.wallStart)
      let (time, actions) = bench.pass()
      #expect(time == .milliseconds(delay) && actions.fetches == 1)
    }
    bench.answer(.passing(AccountBench.problem))
    #expect(bench.machine.deadline == nil)
    bench.post("p1", real: 42)
    #expect(bench.status.wallet == wallet(42))
    #expect(bench.happen(.retry).fetches == 1)
    bench.answer(wallet(42))
    #expect(bench.status.walletAsOf == nil)
  }

  @Test("A posting of another user or currency does not change the wallet")
  func others() {
    var bench = AccountBench.live()
    #expect(bench.post("p1", real: 1, user: "u2").published.isEmpty)
    #expect(bench.machine.counters.unexpectedMessages == 1)
    #expect(bench.post("p2", real: 1, currency: "SEK").fetches == 1)
    #expect(bench.status.wallet == wallet(100) && bench.status.postings.count == 1)
  }

  @Test("Unknown, undecodable and oversized messages are counted, and the stream stays open")
  func badMessages() {
    var bench = AccountBench.live()
    bench.tell(#"{"type":"NEWS","body":{}}"#)
    let actions = bench.tell(#"{"type":"BALANCE_UPDATE","body":{"userId":"u1"}}"#)
    #expect(actions == [.note(.undecodable(AccountError(kind: "BALANCE_UPDATE", field: "body.operationType")))])
    bench.tell("no JSON")
    bench.say("data: \(String(repeating: "x", count: 2 << 20))\n\n")
    #expect(bench.machine.counters == AccountCounters(faults: 2, unknown: 1, oversized: 1))
    bench.post("p1", real: 42)
    #expect(bench.status.stream == .live && bench.status.wallet == wallet(42))
  }

  @Test("A message is decoded the same wherever it is split")
  func everyCut() {
    let text = Array(
      "\u{FEFF}: hello\r\nid: 1\r\ndata: {\"type\":\"BALANCE_UPDATE\",\"userId\":\"u1\",\r\ndata: \"currency\":\"EUR\",\"operationType\":0,\"postingId\":1,\r\ndata: \"balanceChange\":{\"Real\":{\"affectedAmount\":5,\"afterAmount\":95}}}\r\n\r\n"
        .utf8)
    for cut in 0...text.count {
      var bench = AccountBench.live()
      bench.stream(.bytes(Array(text[..<cut])))
      bench.stream(.bytes(Array(text[cut...])))
      #expect(bench.status.wallet == wallet(95) && bench.machine.events.lastEventID == "1", "cut at \(cut)")
    }
  }

  @Test("While the stream is down, the wallet is dated by the last data of the feed")
  func asOf() {
    var bench = AccountBench.live()
    bench.now = .seconds(20)
    bench.say(": alive\n\n")
    bench.now = .seconds(30)
    bench.lose()
    #expect(bench.status.walletAsOf == AccountBench.wallStart + 20_000)
  }

  @Test("The last known wallet is shown with its date until the feed answers")
  func known() {
    let known = DatedWallet(wallet: wallet(3), asOf: 5)
    var bench = AccountBench()
    bench.happen(.found(bench.account, known: known))
    #expect(bench.status.wallet == wallet(3) && bench.status.walletAsOf == 5)
    bench.answer(.passing(AccountBench.problem))
    #expect(bench.status.wallet == wallet(3) && bench.status.stream.isWaiting)
    _ = bench.pass()
    bench.answer(wallet(9))
    #expect(bench.status.wallet == wallet(9))

    bench = AccountBench()
    bench.happen(.logIn(user: "alice", password: Secret("x"), known: known))
    #expect(bench.status.wallet == wallet(3))
    bench.happen(.loggedIn(.failure(.refused(AccountBench.problem)), session: bench.machine.session))
    #expect(bench.status.wallet == nil && bench.status.phase == .refused(user: "alice", AccountBench.problem))
  }
}
