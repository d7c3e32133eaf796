import AccountModel
import OddsModel
import Testing

@testable import AccountClient

@Suite("Retries of the account stream")
struct AccountRetryTests {
  private static let delays = [200, 400, 800, 1600, 3200, 6400].map { Duration.milliseconds($0) }

  /// Returns the delays of all retries that follow. Each one fails as given.
  private static func retries(_ harness: inout AccountMachineHarness, fail: (inout AccountMachineHarness) -> Void)
    -> [Duration]
  {
    var delays: [Duration] = []
    while harness.machine.deadline != nil, delays.count < 20 {
      let (delay, actions) = harness.advanceToDeadline()
      delays.append(delay)
      #expect(actions.openCount + actions.fetchCount == 1)
      fail(&harness)
    }
    return delays
  }

  @Test("A lost stream is retried six times, after 0.2, 0.4, 0.8, 1.6, 3.2 and 6.4 s, and then fails")
  func sixDelays() {
    var harness = AccountMachineHarness.live()
    #expect(
      harness.loseStream().published.last?.stream
        == .waiting(Retry(attempt: 2, time: harness.wall + 200, reason: AccountMachineHarness.problem)))
    #expect(Self.retries(&harness) { $0.loseStream() } == Self.delays)
    #expect(harness.status.stream.isFailed && harness.status.phase == .loggedIn(user: "alice"))
    #expect(
      harness.status.wallet == AccountMachineHarness.wallet(100)
        && harness.status.walletAsOf == AccountMachineHarness.wallStart)
  }

  @Test("A failed first attempt is retried with the same delays, for the wallet and for the stream")
  func firstAttempt() {
    var harness = AccountMachineHarness()
    #expect(harness.logIn().names == ["publish", "logIn", "fetchWallet", "publish"])
    harness.answer(.passing(AccountMachineHarness.problem))
    #expect(Self.retries(&harness) { $0.answer(.passing(AccountMachineHarness.problem)) } == Self.delays)
    #expect(harness.status.stream.isFailed && harness.status.wallet == nil)

    harness = AccountMachineHarness()
    harness.logIn()
    #expect(harness.answer(AccountMachineHarness.wallet(1)).names == ["openStream", "publish"])
    harness.loseStream()
    #expect(Self.retries(&harness) { $0.loseStream() } == Self.delays)
  }

  @Test("A stream that ends normally is retried too")
  func naturalEnd() {
    var harness = AccountMachineHarness.live()
    harness.receiveEvent(.closed(nil))
    #expect(harness.status.stream == .waiting(Retry(attempt: 2, time: harness.wall + 200, reason: .streamEnded)))
    #expect(Self.retries(&harness) { $0.receiveEvent(.closed(nil)) } == Self.delays)
  }

  @Test("The retry count is reset when the stream opens", arguments: 0..<6)
  func reset(failures: Int) {
    var harness = AccountMachineHarness.live()
    harness.loseStream()
    for _ in 0..<failures {
      _ = harness.advanceToDeadline()
      harness.loseStream()
    }
    _ = harness.advanceToDeadline()
    harness.receiveEvent(.opened)
    #expect(harness.status.stream == .live)
    harness.loseStream()
    #expect(Self.retries(&harness) { $0.loseStream() } == Self.delays)
  }

  @Test("The retry field of the stream does not change the delays")
  func retryField() {
    var harness = AccountMachineHarness.live()
    harness.receiveText("retry: 60000\n\n")
    harness.loseStream()
    #expect(harness.advanceToDeadline().0 == .milliseconds(200))
  }

  @Test("Each reconnect sends the last event's id and then requests the wallet")
  func again() {
    var harness = AccountMachineHarness.live()
    harness.receiveText("id: 7\n\n")
    harness.loseStream()
    let (_, actions) = harness.advanceToDeadline()
    #expect(actions.contains(.openStream(userID: "u1", lastEventID: "7", link: harness.machine.link)))
    #expect(harness.receiveEvent(.opened).fetchCount == 1)
  }

  /// Every state in which something is under way.
  private static let states: [(String, @Sendable (inout AccountMachineHarness) -> Void)] = [
    (
      "asking",
      {
        $0 = AccountMachineHarness(); $0.logIn()
      }
    ),
    (
      "opening",
      {
        $0 = AccountMachineHarness(); $0.logIn(); $0.answer(AccountMachineHarness.wallet(1))
      }
    ),
    ("open", { $0 = .live() }),
    (
      "fetching",
      {
        $0 = AccountMachineHarness(); $0.logIn(); $0.answer(AccountMachineHarness.wallet(1)); $0.receiveEvent(.opened)
      }
    ),
    (
      "waiting",
      {
        $0 = .live(); $0.loseStream()
      }
    ),
    (
      "waiting for the wallet",
      {
        $0 = .live(); $0.loseStream(); _ = $0.advanceToDeadline(); $0.receiveEvent(.opened);
        $0.answer(.passing(AccountMachineHarness.problem))
      }
    ),
    (
      "opening again",
      {
        $0 = .live(); $0.loseStream(); _ = $0.advanceToDeadline()
      }
    ),
    (
      "failed",
      {
        $0 = .live(); $0.receiveEvent(.closed(.lasting(AccountMachineHarness.problem)))
      }
    ),
  ]

  @Test(
    "Nothing is retried after a logout, session end, refusal, suspension or stop, in any state",
    arguments: states.indices)
  func cancelled(state: Int) {
    let end = #"{"type":"SESSION_EXPIRATION","body":{"userId":"u1","sessionId":"s1","exitReasonCode":2}}"#
    let ends: [(String, (inout AccountMachineHarness) -> Void)] = [
      ("logout", { $0.apply(.logOut) }), ("suspension", { $0.apply(.suspend) }),
      ("stop", { $0.apply(.stop(isStored: true)) }), ("quit", { $0.apply(.stop(isStored: false)) }),
      (
        "renewal refused",
        { harness in
          harness.apply(.renewed(.failure(.refused(AccountMachineHarness.problem)), session: harness.machine.session))
        }
      ),
      ("message", { $0.receiveMessage(end) }),
      ("stream refused", { $0.receiveEvent(.closed(.refused(AccountMachineHarness.problem))) }),
      ("wallet refused", { $0.answer(.refused(AccountMachineHarness.problem)) }),
    ]
    for (name, finish) in ends {
      var harness = AccountMachineHarness()
      Self.states[state].1(&harness)
      // A message has no effect without an open stream, and a refusal has none without its request.
      let hasEffect =
        switch (name, harness.machine.login?.stream) {
        case ("message", .open?), ("stream refused", .open?), ("stream refused", .opening?): true
        case ("wallet refused", .asking?), ("wallet refused", .open(.fetching)?): true
        case ("message", _), ("stream refused", _), ("wallet refused", _): false
        default: true
        }
      guard hasEffect else { continue }
      finish(&harness)
      let isOver = harness.status.phase != .loggedIn(user: "alice") || name == "suspension" || name == "stop"
      #expect(isOver && harness.machine.deadline == nil, "\(name) while \(Self.states[state].0)")
      harness.now += .seconds(60)
      let late =
        harness.apply(.time) + harness.receiveEvent(.opened) + harness.loseStream()
        + harness.answer(AccountMachineHarness.wallet(5))
        + harness.receivePosting("late", real: 1)
      #expect(late.names.isEmpty, "\(late.names) after \(name) while \(Self.states[state].0)")
    }
  }

  @Test("A refusal (401 or 403) ends the session and logs it out", arguments: 0..<3)
  func refused(place: Int) {
    var harness = AccountMachineHarness()
    harness.logIn()
    if place > 0 { harness.answer(AccountMachineHarness.wallet(1)) }
    if place > 1 { harness.receiveEvent(.opened) }
    let actions =
      place == 1
      ? harness.receiveEvent(.closed(.refused(AccountMachineHarness.problem)))
      : harness.answer(.refused(AccountMachineHarness.problem))
    #expect(harness.status.phase == .ended(user: "alice", SessionEnd(.refused)))
    #expect(actions.names.prefix(3) == ["publish", "logOut", "close"])
  }

  @Test("A permanent error is not retried automatically")
  func lasting() {
    var harness = AccountMachineHarness.live()
    harness.receiveEvent(.closed(.lasting(AccountMachineHarness.problem)))
    #expect(harness.status.stream == .failed(AccountMachineHarness.problem) && harness.machine.deadline == nil)
  }

  @Test("A retry of the user takes place at once, and starts new retries after the last one")
  func retryNow() {
    var harness = AccountMachineHarness.live()
    #expect(harness.apply(.retry).names.isEmpty)
    harness.loseStream()
    #expect(harness.apply(.retry).openCount == 1)
    #expect(harness.apply(.retry).names.isEmpty)
    harness.loseStream()
    #expect(harness.advanceToDeadline().0 == .milliseconds(400))
    harness.loseStream()
    _ = Self.retries(&harness) { $0.loseStream() }
    #expect(harness.status.stream.isFailed)
    #expect(harness.apply(.retry).openCount == 1)
    harness.loseStream()
    #expect(Self.retries(&harness) { $0.loseStream() } == Self.delays)
  }

  @Test("A suspended program closes its stream, and opens one when it resumes")
  func suspended() {
    var harness = AccountMachineHarness.live()
    #expect(harness.apply(.suspend).names == ["keep", "close", "publish"])
    #expect(harness.status.stream == .closed && harness.status.walletAsOf == AccountMachineHarness.wallStart)
    #expect(harness.apply(.retry).names.isEmpty)
    #expect(harness.apply(.resume).names == ["openStream", "publish"])
    harness.receiveEvent(.opened)
    harness.answer(AccountMachineHarness.wallet(7))
    #expect(harness.status.stream == .live && harness.status.wallet == AccountMachineHarness.wallet(7))
    #expect(harness.status.walletAsOf == nil)
  }

  @Test("A login while the program is suspended requests the wallet only after it resumes")
  func loggedInSuspended() {
    var harness = AccountMachineHarness()
    harness.apply(.suspend)
    #expect(harness.logIn().fetchCount == 0)
    #expect(harness.apply(.resume).fetchCount == 1)
  }
}
