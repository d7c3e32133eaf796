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
    var bench = AccountBench.live()
    let actions = bench.tell(Self.kicked)
    #expect(actions.names == ["publish", "logOut", "close", "keep"])
    #expect(actions.published.map(\.phase) == [.ended(user: "alice", Self.end)])
    #expect(actions.published.map(\.stream) == [.closed])
  }

  @Test("A session ends once, and all later messages are ignored")
  func once() {
    var bench = AccountBench.live()
    let text = "data: \(Self.kicked)\n\n"
    #expect(bench.say(text + text + "data: x\n\n").published.count == 1)
    let late =
      bench.say(text) + bench.lose() + bench.answer(.refused(AccountBench.problem))
      + bench.happen(.renewed(.failure(.refused(AccountBench.problem)), session: bench.machine.session))
    #expect(late.isEmpty && bench.status.phase == .ended(user: "alice", Self.end))
    #expect(bench.machine.counters == AccountCounters())
  }

  @Test("The end of another session or of another user's session is ignored")
  func others() {
    var bench = AccountBench.live()
    for field in [#""sessionId":"s0""#, #""userId":"u2""#] {
      bench.tell(#"{"type":"SESSION_EXPIRATION","body":{\#(field),"exitReasonCode":1}}"#)
    }
    #expect(bench.status.phase == .loggedIn(user: "alice") && bench.machine.counters.unexpectedMessages == 2)
    bench.tell(#"{"type":"SESSION_TERMINATED"}"#)
    #expect(bench.status.phase == .ended(user: "alice", SessionEnd(.terminated)))
  }

  @Test("After the end the user continues without an account, or logs in again")
  func afterwards() {
    var bench = AccountBench.live()
    bench.tell(Self.kicked)
    #expect(bench.status.wallet != nil && bench.status.walletAsOf != nil)
    #expect(bench.happen(.acknowledge).published == [AccountStatus()])
    #expect(bench.happen(.acknowledge).isEmpty)

    bench = .live()
    bench.post("p1", real: 1)
    bench.say("id: 9\n\n")
    bench.tell(Self.kicked)
    bench.logIn()
    #expect(bench.status.phase == .loggedIn(user: "alice") && bench.status.postings.isEmpty)
    #expect(
      bench.answer(AccountBench.wallet(1)).contains(
        .openStream(userID: "u1", lastEventID: nil, link: bench.machine.link)))
    bench.stream(.opened)
    bench.post("p1", real: 2)
    #expect(bench.status.wallet == AccountBench.wallet(2))
  }

  @Test("A logout closes the stream, removes the saved wallet and resets the status")
  func logOut() {
    var bench = AccountBench.live()
    let actions = bench.happen(.logOut)
    #expect(actions.names == ["logOut", "close", "keep", "forget", "publish"])
    #expect(actions.published == [AccountStatus()])
  }

  @Test("Logging in as another user logs out first")
  func another() {
    var bench = AccountBench.live()
    let session = bench.machine.session
    let actions = bench.happen(.logIn(user: "bob", password: Secret("x"), known: nil))
    #expect(actions.names == ["logOut", "close", "keep", "publish", "logIn"])
    #expect(actions.contains(.logOut(session: session)))
    #expect(bench.happen(.loggedIn(.success(bench.account), session: session)).isEmpty)
  }

  @Test("The answer to an abandoned login is ignored")
  func givenUp() {
    var bench = AccountBench()
    bench.happen(.logIn(user: "alice", password: Secret("x"), known: nil))
    let first = bench.machine.session
    #expect(bench.happen(.logOut).names == ["logOut", "publish"])
    #expect(bench.happen(.loggedIn(.success(bench.account), session: first)).isEmpty)
    #expect(bench.status == AccountStatus())
  }

  @Test("A token is renewed after four fifths of its lifetime, each time")
  func renewal() {
    var bench = AccountBench()
    bench.account.expiresAt = AccountBench.wallStart + 100_000
    bench.logIn()
    bench.answer(AccountBench.wallet(1))
    bench.stream(.opened)
    bench.answer(AccountBench.wallet(1))
    #expect(bench.machine.deadline == .seconds(80))
    #expect(bench.pass().1.names == ["renew"])
    #expect(bench.machine.deadline == nil)
    var next = bench.account
    next.since = bench.wall
    next.expiresAt = bench.wall + 50_000
    bench.happen(.renewed(.success(next), session: bench.machine.session))
    #expect(bench.machine.deadline == .seconds(120))
  }

  @Test("A failed renewal is retried at shrinking intervals, and a refused one ends the session")
  func renewalFails() {
    var bench = AccountBench.live()
    bench.account.expiresAt = AccountBench.wallStart + 100_000
    bench.logIn()
    _ = bench.pass()
    for delay in [5, 3.75, 2.8125] {
      bench.happen(.renewed(.failure(.passing(AccountBench.problem)), session: bench.machine.session))
      let (time, actions) = bench.pass()
      #expect(time == .seconds(delay) && actions.names == ["renew"])
    }
    #expect(
      bench.happen(.renewed(.failure(.lasting(AccountBench.problem)), session: bench.machine.session)).names.isEmpty)
    #expect(bench.machine.deadline == nil && bench.status.phase == .loggedIn(user: "alice"))
    bench.happen(.renewed(.failure(.refused(AccountBench.problem)), session: bench.machine.session))
    #expect(bench.status.phase == .ended(user: "alice", SessionEnd(.refused)))
  }

  @Test("A stored session is renewed after four fifths of its lifetime, at once if that has passed")
  func storedRenewal() {
    for (age, due) in [(10_000, Duration.seconds(70)), (90_000, .zero)] as [(Int64, Duration)] {
      var bench = AccountBench()
      bench.account.since = AccountBench.wallStart - age
      bench.account.expiresAt = AccountBench.wallStart - age + 100_000
      #expect(bench.happen(.found(bench.account, known: nil)).names == ["adopt", "fetchWallet", "publish"])
      #expect(bench.machine.deadline == due)
    }
  }

  @Test("A local clock ahead of the feed's does not cause endless renewals")
  func skewedClock() {
    var bench = AccountBench()
    bench.account.expiresAt = AccountBench.wallStart - 1
    bench.logIn()
    #expect(bench.machine.deadline == .seconds(30))
  }

  @Test("At the program's end a stored session is kept, another is logged out, and later events are ignored")
  func stop() {
    var bench = AccountBench.live()
    #expect(bench.happen(.stop(isStored: true)).names == ["keep", "close", "publish"])
    #expect(bench.logIn().isEmpty && bench.happen(.retry).isEmpty)
    bench = .live()
    #expect(bench.happen(.stop(isStored: false)).names == ["logOut", "close", "keep", "publish"])
  }
}
