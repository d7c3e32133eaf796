import AccountModel
import Testing

@testable import AccountClient

@Suite("The life cycle of sessions")
struct AccountEndTests {
  private static let kicked =
    #"{"type":"SESSION_EXPIRATION","body":{"userId":"u1","sessionId":"s1","exitReason":"Kicked","exitReasonCode":2}}"#
  private static let end = SessionEnd(.kicked, userID: "u1", sessionID: "s1")

  @Test("The reason is published before the logout; then the stream is closed and the wallet saved")
  func order() {
    var harness = AccountMachineHarness.live()
    let actions = harness.receiveMessage(Self.kicked)
    #expect(actions.names == ["publish", "logOut", "close", "keep"])
    #expect(actions.published.map(\.phase) == [.ended(user: "alice", Self.end)])
    #expect(actions.published.map(\.stream) == [.closed])
  }

  @Test("A session ends once, and all later messages are ignored")
  func once() {
    var harness = AccountMachineHarness.live()
    let text = "data: \(Self.kicked)\n\n"
    let actions = harness.receiveText(text + text + "data: x\n\n")
    #expect(actions.published.count == 1 && actions.count { if case .note = $0 { true } else { false } } == 1)
    let late =
      harness.receiveText(text) + harness.loseStream() + harness.answer(.refused(AccountMachineHarness.problem))
      + harness.apply(.renewed(.failure(.refused(AccountMachineHarness.problem)), session: harness.machine.session))
    #expect(late.isEmpty && harness.status.phase == .ended(user: "alice", Self.end))
  }

  @Test("The end of another session or of another user's session is ignored")
  func others() {
    var harness = AccountMachineHarness.live()
    for field in [#""sessionId":"s0""#, #""userId":"u2""#] {
      let actions = harness.receiveMessage(#"{"type":"SESSION_EXPIRATION","body":{\#(field),"exitReasonCode":1}}"#)
      #expect(actions == [.note(.stray("SESSION_EXPIRATION"))])
    }
    #expect(harness.status.phase == .loggedIn(user: "alice"))
    harness.receiveMessage(#"{"type":"SESSION_TERMINATED"}"#)
    #expect(harness.status.phase == .ended(user: "alice", SessionEnd(.terminated)))
  }

  @Test("After the end the user continues without an account, or logs in again")
  func afterwards() {
    var harness = AccountMachineHarness.live()
    harness.receiveMessage(Self.kicked)
    #expect(harness.status.wallet != nil && harness.status.walletAsOf != nil)
    #expect(harness.apply(.acknowledge).published == [AccountStatus()])
    #expect(harness.apply(.acknowledge).isEmpty)

    harness = .live()
    harness.receivePosting("p1", real: 1)
    harness.receiveText("id: 9\n\n")
    harness.receiveMessage(Self.kicked)
    harness.logIn()
    #expect(harness.status.phase == .loggedIn(user: "alice") && harness.status.postings.isEmpty)
    #expect(
      harness.answer(AccountMachineHarness.wallet(1)).contains(
        .openStream(userID: "u1", lastEventID: nil, link: harness.machine.link)))
    harness.receiveEvent(.opened)
    harness.receivePosting("p1", real: 2)
    #expect(harness.status.wallet == AccountMachineHarness.wallet(2))
  }

  @Test("A logout closes the stream, removes the saved wallet and resets the status")
  func logOut() {
    var harness = AccountMachineHarness.live()
    let actions = harness.apply(.logOut)
    #expect(actions.names == ["logOut", "close", "keep", "forget", "publish"])
    #expect(actions.published == [AccountStatus()])
  }

  @Test("Logging in as another user logs out first")
  func another() {
    var harness = AccountMachineHarness.live()
    let session = harness.machine.session
    let actions = harness.apply(.logIn(user: "bob", password: Secret("x"), known: nil))
    #expect(actions.names == ["logOut", "close", "keep", "publish", "logIn"])
    #expect(actions.contains(.logOut(session: session)))
    #expect(harness.apply(.loggedIn(.success(harness.account), session: session)).isEmpty)
  }

  @Test("The answer to an abandoned login is ignored")
  func givenUp() {
    var harness = AccountMachineHarness()
    harness.apply(.logIn(user: "alice", password: Secret("x"), known: nil))
    let first = harness.machine.session
    #expect(harness.apply(.logOut).names == ["logOut", "publish"])
    #expect(harness.apply(.loggedIn(.success(harness.account), session: first)).isEmpty)
    #expect(harness.status == AccountStatus())
  }

  @Test("A token is renewed after four fifths of its lifetime, each time")
  func renewal() {
    var harness = AccountMachineHarness()
    harness.account.expiresAt = AccountMachineHarness.wallStart + 100_000
    harness.logIn()
    harness.answer(AccountMachineHarness.wallet(1))
    harness.receiveEvent(.opened)
    harness.answer(AccountMachineHarness.wallet(1))
    #expect(harness.machine.deadline == .seconds(80))
    #expect(harness.advanceToDeadline().1.names == ["renew"])
    #expect(harness.machine.deadline == nil)
    var next = harness.account
    next.since = harness.wall
    next.expiresAt = harness.wall + 50_000
    harness.apply(.renewed(.success(next), session: harness.machine.session))
    #expect(harness.machine.deadline == .seconds(120))
  }

  @Test("A failed renewal is retried at shrinking intervals, and a refused one ends the session")
  func renewalFails() {
    var harness = AccountMachineHarness.live()
    harness.account.expiresAt = AccountMachineHarness.wallStart + 100_000
    harness.logIn()
    _ = harness.advanceToDeadline()
    for delay in [5, 3.75, 2.8125] {
      harness.apply(.renewed(.failure(.passing(AccountMachineHarness.problem)), session: harness.machine.session))
      let (time, actions) = harness.advanceToDeadline()
      #expect(time == .seconds(delay) && actions.names == ["renew"])
    }
    #expect(
      harness.apply(.renewed(.failure(.lasting(AccountMachineHarness.problem)), session: harness.machine.session)).names
        .isEmpty)
    #expect(harness.machine.deadline == nil && harness.status.phase == .loggedIn(user: "alice"))
    harness.apply(.renewed(.failure(.refused(AccountMachineHarness.problem)), session: harness.machine.session))
    #expect(harness.status.phase == .ended(user: "alice", SessionEnd(.refused)))
  }

  @Test("A stored session is renewed after four fifths of its lifetime, at once if that has passed")
  func storedRenewal() {
    for (age, due) in [(10_000, Duration.seconds(70)), (90_000, .zero)] as [(Int64, Duration)] {
      var harness = AccountMachineHarness()
      harness.account.since = AccountMachineHarness.wallStart - age
      harness.account.expiresAt = AccountMachineHarness.wallStart - age + 100_000
      #expect(harness.apply(.found(harness.account, known: nil)).names == ["adopt", "fetchWallet", "publish"])
      #expect(harness.machine.deadline == due)
    }
  }

  @Test("A local clock ahead of the feed's does not cause endless renewals")
  func skewedClock() {
    var harness = AccountMachineHarness()
    harness.account.expiresAt = AccountMachineHarness.wallStart - 1
    harness.logIn()
    #expect(harness.machine.deadline == .seconds(30))
  }

  @Test("At the program's end a stored session is kept, another is logged out, and later events are ignored")
  func stop() {
    var harness = AccountMachineHarness.live()
    #expect(harness.apply(.stop(isStored: true)).names == ["keep", "close", "publish"])
    #expect(harness.logIn().isEmpty && harness.apply(.retry).isEmpty)
    harness = .live()
    #expect(harness.apply(.stop(isStored: false)).names == ["logOut", "close", "keep", "publish"])
  }
}
