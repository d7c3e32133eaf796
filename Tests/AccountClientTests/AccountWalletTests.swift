import AccountModel
import Testing

@testable import AccountClient

@Suite("The wallet from the stream and the REST interface")
struct AccountWalletTests {
  private func wallet(_ real: Int, _ bonus: Int = 0) -> Wallet { AccountMachineHarness.wallet(real, bonus) }

  @Test("The wallet is fetched before the stream opens, and again after it has opened")
  func first() {
    var harness = AccountMachineHarness()
    #expect(harness.logIn().names.suffix(2) == ["fetchWallet", "publish"])
    #expect(harness.answer(wallet(100)).names == ["openStream", "publish"])
    #expect(harness.status.wallet == wallet(100) && harness.status.walletAsOf == harness.wall)
    #expect(harness.receiveEvent(.opened).names == ["fetchWallet", "publish"])
    harness.now += .seconds(1)
    #expect(harness.answer(wallet(90)).names == ["publish"])
    #expect(harness.status.wallet == wallet(90) && harness.status.walletAsOf == nil)
  }

  @Test("A posting sets the balance to its resulting amount")
  func absolute() {
    var harness = AccountMachineHarness.live(100, 10)
    harness.receivePosting("p1", real: 42)
    #expect(harness.status.wallet == wallet(42, 10))
    harness.receivePosting("p2", real: 43, bonus: 0)
    #expect(harness.status.wallet == wallet(43, 0))
    #expect(harness.status.postings.map(\.update.postingID) == ["p2", "p1"])
    #expect(harness.status.postings.first?.receivedAt == harness.wall)
  }

  @Test("A repeated posting changes nothing, even after a reconnect")
  func duplicates() {
    var harness = AccountMachineHarness.live()
    harness.receivePosting("p1", real: 42)
    #expect(harness.receivePosting("p1", real: 1).published.isEmpty)
    harness.loseStream()
    _ = harness.advanceToDeadline()
    harness.receiveEvent(.opened)
    harness.answer(wallet(50))
    #expect(harness.receivePosting("p1", real: 42) == [.note(.duplicate(posting: "p1"))])
    #expect(harness.status.wallet == wallet(50) && harness.status.postings.count == 1)
  }

  @Test("Only the newest postings are published, and the number of remembered ids is limited")
  func bounds() {
    var harness = AccountMachineHarness.live()
    for number in 0..<5000 { harness.receivePosting("p\(number)", real: number) }
    #expect(harness.status.postings.count == AccountMachine.maxPostings)
    #expect(harness.status.postings.first?.update.postingID == "p4999" && harness.machine.seen.count == 4096)
    #expect(harness.status.wallet == wallet(4999))
  }

  @Test("A posting during a wallet request is not overwritten by the answer, which may be older")
  func race() {
    var harness = AccountMachineHarness.live(100, 10)
    harness.loseStream()
    _ = harness.advanceToDeadline()
    harness.receiveEvent(.opened)
    harness.receivePosting("p1", real: 42)
    harness.answer(wallet(100, 5))
    #expect(harness.status.wallet == wallet(42, 5) && harness.status.walletAsOf == nil)
  }

  @Test("The answer to a request from before a reconnect is ignored")
  func lateAnswer() {
    var harness = AccountMachineHarness.live()
    harness.loseStream()
    _ = harness.advanceToDeadline()
    harness.receiveEvent(.opened)
    let old = harness.machine.fetch
    harness.loseStream()
    _ = harness.advanceToDeadline()
    harness.receiveEvent(.opened)
    harness.answer(wallet(7))
    #expect(harness.apply(.wallet(.success(wallet(1)), fetch: old)).isEmpty)
    #expect(harness.status.wallet == wallet(7))
  }

  @Test("A failed wallet request on an open stream is retried, and the wallet shows its date meanwhile")
  func noAnswer() {
    var harness = AccountMachineHarness()
    harness.logIn()
    harness.answer(wallet(100))
    harness.receiveEvent(.opened)
    for delay in [200, 400, 800, 1600, 3200, 6400] {
      harness.answer(.passing(AccountMachineHarness.problem))
      #expect(harness.status.stream == .live && harness.status.walletAsOf == AccountMachineHarness.wallStart)
      let (time, actions) = harness.advanceToDeadline()
      #expect(time == .milliseconds(delay) && actions.fetchCount == 1)
    }
    harness.answer(.passing(AccountMachineHarness.problem))
    #expect(harness.machine.deadline == nil)
    harness.receivePosting("p1", real: 42)
    #expect(harness.status.wallet == wallet(42))
    #expect(harness.apply(.retry).fetchCount == 1)
    harness.answer(wallet(42))
    #expect(harness.status.walletAsOf == nil)
  }

  @Test("A posting of another user or currency does not change the wallet")
  func others() {
    var harness = AccountMachineHarness.live()
    #expect(harness.receivePosting("p1", real: 1, user: "u2") == [.note(.stray("BALANCE_UPDATE"))])
    #expect(harness.receivePosting("p2", real: 1, currency: "SEK").fetchCount == 1)
    #expect(harness.status.wallet == wallet(100) && harness.status.postings.count == 1)
  }

  @Test("A posting in another currency repeats a request in progress, whose answer may be older")
  func otherCurrencyDuringRequest() {
    var harness = AccountMachineHarness.live()
    harness.receivePosting("p1", real: 1, currency: "SEK")
    let old = harness.machine.fetch
    #expect(harness.receivePosting("p2", real: 2, currency: "SEK").fetchCount == 1)
    #expect(harness.apply(.wallet(.success(wallet(100)), fetch: old)).isEmpty)
    #expect(harness.status.walletAsOf != nil)
    var new = wallet(2)
    new.currency = "SEK"
    harness.answer(new)
    #expect(harness.status.wallet == new && harness.status.walletAsOf == nil)
  }

  @Test("An answer in another currency that may be older than a posting is not applied; the wallet is requested again")
  func currencyChangedBack() {
    var harness = AccountMachineHarness.live()
    harness.receivePosting("p1", real: 1, currency: "SEK")
    harness.receivePosting("p2", real: 2)
    var old = wallet(1)
    old.currency = "SEK"
    #expect(harness.answer(old).fetchCount == 1)
    #expect(harness.status.wallet == wallet(2) && harness.status.walletAsOf != nil)
    harness.answer(wallet(2))
    #expect(harness.status.wallet == wallet(2) && harness.status.walletAsOf == nil)
  }

  @Test("Unknown, undecodable and oversized messages are ignored, and the stream stays open")
  func badMessages() {
    var harness = AccountMachineHarness.live()
    #expect(harness.receiveMessage(#"{"type":"NEWS","body":{}}"#) == [.note(.unknown(type: "NEWS"))])
    let actions = harness.receiveMessage(#"{"type":"BALANCE_UPDATE","body":{"userId":"u1"}}"#)
    #expect(actions == [.note(.undecodable(AccountError(kind: "BALANCE_UPDATE", field: "body.operationType")))])
    #expect(
      harness.receiveMessage("no JSON") == [.note(.undecodable(AccountError(kind: "message", field: "")))])
    let tooLong = harness.receiveText("data: \(String(repeating: "x", count: 2 << 20))\n\n")
    #expect(tooLong == [.note(.tooLong(most: 1 << 20))])
    harness.receivePosting("p1", real: 42)
    #expect(harness.status.stream == .live && harness.status.wallet == wallet(42))
  }

  @Test("A message is decoded the same wherever it is split")
  func everyCut() {
    let text = Array(
      "\u{FEFF}: hello\r\nid: 1\r\ndata: {\"type\":\"BALANCE_UPDATE\",\"userId\":\"u1\",\r\ndata: \"currency\":\"EUR\",\"operationType\":0,\"postingId\":1,\r\ndata: \"balanceChange\":{\"Real\":{\"affectedAmount\":5,\"afterAmount\":95}}}\r\n\r\n"
        .utf8)
    for cut in 0...text.count {
      var harness = AccountMachineHarness.live()
      harness.receiveEvent(.bytes(Array(text[..<cut])))
      harness.receiveEvent(.bytes(Array(text[cut...])))
      #expect(harness.status.wallet == wallet(95) && harness.machine.events.lastEventID == "1", "cut at \(cut)")
    }
  }

  @Test("While the stream is down, the wallet is dated by the last data of the feed")
  func asOf() {
    var harness = AccountMachineHarness.live()
    harness.now = .seconds(20)
    harness.receiveText(": alive\n\n")
    harness.now = .seconds(30)
    harness.loseStream()
    #expect(harness.status.walletAsOf == AccountMachineHarness.wallStart + 20_000)
  }

  @Test("The last known wallet is shown with its date until the feed answers")
  func known() {
    let known = DatedWallet(wallet: wallet(3), asOf: 5)
    var harness = AccountMachineHarness()
    harness.apply(.found(harness.account, known: known))
    #expect(harness.status.wallet == wallet(3) && harness.status.walletAsOf == 5)
    harness.answer(.passing(AccountMachineHarness.problem))
    #expect(harness.status.wallet == wallet(3) && harness.status.stream.isWaiting)
    _ = harness.advanceToDeadline()
    harness.answer(wallet(9))
    #expect(harness.status.wallet == wallet(9))

    harness = AccountMachineHarness()
    harness.apply(.logIn(user: "alice", password: Secret("x"), known: known))
    #expect(harness.status.wallet == wallet(3))
    harness.apply(.loggedIn(.failure(.refused(AccountMachineHarness.problem)), session: harness.machine.session))
    #expect(
      harness.status.wallet == nil && harness.status.phase == .refused(user: "alice", AccountMachineHarness.problem))
  }
}
