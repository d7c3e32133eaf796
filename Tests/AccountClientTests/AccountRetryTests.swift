import AccountModel
import OddsModel
import Testing

@testable import AccountClient

@Suite("Retries of the account stream")
struct AccountRetryTests {
  private static let delays = [200, 400, 800, 1600, 3200, 6400].map { Duration.milliseconds($0) }

  /// Returns the delays of all retries that follow. Each one fails as given.
  private static func retries(_ bench: inout AccountBench, fail: (inout AccountBench) -> Void) -> [Duration] {
    var delays: [Duration] = []
    while bench.machine.deadline != nil, delays.count < 20 {
      let (delay, actions) = bench.pass()
      delays.append(delay)
      #expect(actions.opens + actions.fetches == 1)
      fail(&bench)
    }
    return delays
  }

  @Test("A lost stream is retried six times, after 0.2, 0.4, 0.8, 1.6, 3.2 and 6.4 s, and then fails")
  func sixDelays() {
    var bench = AccountBench.live()
    #expect(
      bench.lose().published.last?.stream
        == .waiting(Retry(attempt: 2, time: bench.wall + 200, reason: AccountBench.problem)))
    #expect(Self.retries(&bench) { $0.lose() } == Self.delays)
    #expect(bench.status.stream.isFailed && bench.status.phase == .loggedIn(user: "alice"))
    #expect(bench.status.wallet == AccountBench.wallet(100) && bench.status.walletAsOf == AccountBench.wallStart)
  }

  @Test("A failed first attempt is retried with the same delays, for the wallet and for the stream")
  func firstAttempt() {
    var bench = AccountBench()
    #expect(bench.logIn().names == ["publish", "logIn", "fetchWallet", "publish"])
    bench.answer(.passing(AccountBench.problem))
    #expect(Self.retries(&bench) { $0.answer(.passing(AccountBench.problem)) } == Self.delays)
    #expect(bench.status.stream.isFailed && bench.status.wallet == nil)

    bench = AccountBench()
    bench.logIn()
    #expect(bench.answer(AccountBench.wallet(1)).names == ["openStream", "publish"])
    bench.lose()
    #expect(Self.retries(&bench) { $0.lose() } == Self.delays)
  }

  @Test("A stream that ends normally is retried too")
  func naturalEnd() {
    var bench = AccountBench.live()
    bench.stream(.closed(nil))
    #expect(bench.status.stream == .waiting(Retry(attempt: 2, time: bench.wall + 200, reason: .streamEnded)))
    #expect(Self.retries(&bench) { $0.stream(.closed(nil)) } == Self.delays)
  }

  @Test("The retry count is reset when the stream opens", arguments: 0..<6)
  func reset(failures: Int) {
    var bench = AccountBench.live()
    bench.lose()
    for _ in 0..<failures {
      _ = bench.pass()
      bench.lose()
    }
    _ = bench.pass()
    bench.stream(.opened)
    #expect(bench.status.stream == .live)
    bench.lose()
    #expect(Self.retries(&bench) { $0.lose() } == Self.delays)
  }

  @Test("The retry field of the stream does not change the delays")
  func retryField() {
    var bench = AccountBench.live()
    bench.say("retry: 60000\n\n")
    bench.lose()
    #expect(bench.pass().0 == .milliseconds(200))
  }

  @Test("Each reconnect sends the last event's id and then requests the wallet")
  func again() {
    var bench = AccountBench.live()
    bench.say("id: 7\n\n")
    bench.lose()
    let (_, actions) = bench.pass()
    #expect(actions.contains(.openStream(userID: "u1", lastEventID: "7", link: bench.machine.link)))
    #expect(bench.stream(.opened).fetches == 1)
  }

  /// Every state in which something is under way.
  private static let states: [(String, @Sendable (inout AccountBench) -> Void)] = [
    (
      "asking",
      {
        $0 = AccountBench(); $0.logIn()
      }
    ),
    (
      "opening",
      {
        $0 = AccountBench(); $0.logIn(); $0.answer(AccountBench.wallet(1))
      }
    ),
    ("open", { $0 = .live() }),
    (
      "fetching",
      {
        $0 = AccountBench(); $0.logIn(); $0.answer(AccountBench.wallet(1)); $0.stream(.opened)
      }
    ),
    (
      "waiting",
      {
        $0 = .live(); $0.lose()
      }
    ),
    (
      "waiting for the wallet",
      {
        $0 = .live(); $0.lose(); _ = $0.pass(); $0.stream(.opened); $0.answer(.passing(AccountBench.problem))
      }
    ),
    (
      "opening again",
      {
        $0 = .live(); $0.lose(); _ = $0.pass()
      }
    ),
    (
      "failed",
      {
        $0 = .live(); $0.stream(.closed(.lasting(AccountBench.problem)))
      }
    ),
  ]

  @Test(
    "Nothing is retried after a logout, session end, refusal, suspension or stop, in any state",
    arguments: states.indices)
  func cancelled(state: Int) {
    let end = #"{"type":"SESSION_EXPIRATION","body":{"userId":"u1","sessionId":"s1","exitReasonCode":2}}"#
    let ends: [(String, (inout AccountBench) -> Void)] = [
      ("logout", { $0.happen(.logOut) }), ("suspension", { $0.happen(.suspend) }),
      ("stop", { $0.happen(.stop(isStored: true)) }), ("quit", { $0.happen(.stop(isStored: false)) }),
      (
        "renewal refused",
        { bench in bench.happen(.renewed(.failure(.refused(AccountBench.problem)), session: bench.machine.session)) }
      ),
      ("message", { $0.tell(end) }), ("stream refused", { $0.stream(.closed(.refused(AccountBench.problem))) }),
      ("wallet refused", { $0.answer(.refused(AccountBench.problem)) }),
    ]
    for (name, finish) in ends {
      var bench = AccountBench()
      Self.states[state].1(&bench)
      finish(&bench)
      let isOver = bench.status.phase != .loggedIn(user: "alice") || name == "suspension" || name == "stop"
      // A refusal has no effect in a state without a request.
      guard isOver else { continue }
      #expect(bench.machine.deadline == nil, "\(name) while \(Self.states[state].0)")
      bench.now += .seconds(60)
      let late =
        bench.happen(.time) + bench.stream(.opened) + bench.lose() + bench.answer(AccountBench.wallet(5))
        + bench.post("late", real: 1)
      #expect(late.names.isEmpty, "\(late.names) after \(name) while \(Self.states[state].0)")
    }
  }

  @Test("A refusal (401 or 403) ends the session and logs it out", arguments: 0..<3)
  func refused(place: Int) {
    var bench = AccountBench()
    bench.logIn()
    if place > 0 { bench.answer(AccountBench.wallet(1)) }
    if place > 1 { bench.stream(.opened) }
    let actions =
      place == 1 ? bench.stream(.closed(.refused(AccountBench.problem))) : bench.answer(.refused(AccountBench.problem))
    #expect(bench.status.phase == .ended(user: "alice", SessionEnd(.refused)))
    #expect(actions.names.prefix(3) == ["publish", "logOut", "close"])
  }

  @Test("A permanent error is not retried automatically")
  func lasting() {
    var bench = AccountBench.live()
    bench.stream(.closed(.lasting(AccountBench.problem)))
    #expect(bench.status.stream == .failed(AccountBench.problem) && bench.machine.deadline == nil)
  }

  @Test("A retry of the user takes place at once, and starts new retries after the last one")
  func retryNow() {
    var bench = AccountBench.live()
    #expect(bench.happen(.retry).names.isEmpty)
    bench.lose()
    #expect(bench.happen(.retry).opens == 1)
    #expect(bench.happen(.retry).names.isEmpty)
    bench.lose()
    #expect(bench.pass().0 == .milliseconds(400))
    bench.lose()
    _ = Self.retries(&bench) { $0.lose() }
    #expect(bench.status.stream.isFailed)
    #expect(bench.happen(.retry).opens == 1)
    bench.lose()
    #expect(Self.retries(&bench) { $0.lose() } == Self.delays)
  }

  @Test("A suspended program closes its stream, and opens one when it resumes")
  func suspended() {
    var bench = AccountBench.live()
    #expect(bench.happen(.suspend).names == ["keep", "close", "publish"])
    #expect(bench.status.stream == .closed && bench.status.walletAsOf == AccountBench.wallStart)
    #expect(bench.happen(.retry).names.isEmpty)
    #expect(bench.happen(.resume).names == ["openStream", "publish"])
    bench.stream(.opened)
    bench.answer(AccountBench.wallet(7))
    #expect(bench.status.stream == .live && bench.status.wallet == AccountBench.wallet(7))
    #expect(bench.status.walletAsOf == nil)
  }

  @Test("A login while the program is suspended requests the wallet only after it resumes")
  func loggedInSuspended() {
    var bench = AccountBench()
    bench.happen(.suspend)
    #expect(bench.logIn().fetches == 0)
    #expect(bench.happen(.resume).fetches == 1)
  }
}
