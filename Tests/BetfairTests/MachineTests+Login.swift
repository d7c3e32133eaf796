import OddsFeed
import OddsModel
import Testing

@testable import Betfair

// The login, and the session that it starts.
extension MachineTests {
  @Test("logs in again at once when the token is refused, and after a delay if the new one is refused too")
  mutating func expired() {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let refusal = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_SESSION_INFORMATION"}"#
    var link = MachineRun.links(run.logIn("1"))[0]
    run.apply(.stream(.opened, link: link))
    #expect(MachineRun.logins(run.line(refusal, link: link)) == 1)
    link = MachineRun.links(run.logIn("2"))[0]
    run.apply(.stream(.opened, link: link))
    #expect(MachineRun.logins(run.line(refusal, link: link)) == 0)
    #expect(MachineRun.logins(run.advance(by: .seconds(1))) == 1)
  }

  @Test("closes a connection that opens while the login is renewed, and opens another with the new login")
  mutating func openedDuringLogin() {
    run.apply(.start)
    for subscription in [MachineRun.football, MachineRun.event] { run.apply(.subscribe(subscription)) }
    let links = MachineRun.links(run.logIn("1"))
    run.apply(.stream(.opened, link: links[0]))
    let refusal = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_SESSION_INFORMATION"}"#
    #expect(MachineRun.logins(run.line(refusal, link: links[0])) == 1)
    #expect(run.apply(.stream(.opened, link: links[1])) == [.close(link: links[1])])
    run.advance(by: .seconds(1))
    let next = MachineRun.links(run.logIn("2"))
    #expect(next.count == 2 && Set(next).isDisjoint(with: links))
    for link in next { #expect(MachineRun.sent(run.open(link)).first?.contains(#""session":"2""#) == true) }
    #expect(run.machine.state == .live)
  }

  @Test("does not retry a login with a wrong password, not even at the user's request")
  mutating func password() {
    run.apply(.start)
    run.failLogin(LoginError(code: "INVALID_USERNAME_OR_PASSWORD"))
    #expect(MachineRun.logins(run.advance(by: .seconds(3600)) + run.apply(.reconnect)) == 0)
    guard case .failed(let error) = run.machine.state else { return #expect(Bool(false)) }
    #expect(error.code == "betfairWrongPassword")
  }

  @Test("reacts to each code of the login service as Login.md says")
  func loginCodes() {
    let kinds: [(LoginError.Kind, [String])] = [
      (.credentials, ["INVALID_USERNAME_OR_PASSWORD", "INPUT_VALIDATION_ERROR", "CERT_AUTH_REQUIRED"]),
      (.credentials, ["AUTHORIZED_ONLY_FOR_DOMAIN_RO"]), (.banned, ["TEMPORARY_BAN_TOO_MANY_REQUESTS"]),
      (.expired, ["NO_SESSION", "INVALID_SESSION_INFORMATION"]), (.temporary, ["INTERNAL_ERROR", "LOGIN_RESTRICTED"]),
      (.refused, ["ACCOUNT_LOCKED", "INVALID_APP_KEY", ""]),
    ]
    for (kind, codes) in kinds { for code in codes { #expect(LoginError(code: code).kind == kind, "\(code)") } }
  }

  @Test("reports a failed login for each topic that waits for it while another connection is open")
  mutating func failedLoginOfTopic() {
    func reported(_ actions: [BetfairMachine.Action]) -> [TopicState] {
      MachineRun.topicStates(actions, of: MachineRun.event)
    }
    _ = startLive()
    let open = MachineRun.links(run.apply(.subscribe(MachineRun.event)))[0]
    run.open(open)
    run.advance(by: .seconds(3))
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: open)))[0]
    run.apply(.stream(.opened, link: next))
    let refusal = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_SESSION_INFORMATION"}"#
    #expect(MachineRun.logins(run.line(refusal, link: next)) == 1)
    let locked = LoginError(code: "ACCOUNT_LOCKED")
    #expect(reported(run.failLogin(locked)) == [.refused(locked.problem)] && run.machine.state == .recovering)
    // The user's attempt fails in another way.
    let attempt = run.apply(.reconnect)
    #expect(MachineRun.logins(attempt) == 1 && reported(attempt) == [.requested])
    let banned = LoginError(code: "TEMPORARY_BAN_TOO_MANY_REQUESTS")
    guard case .retrying(banned.problem, _)? = reported(run.failLogin(banned)).last else {
      return #expect(Bool(false))
    }
    // So does a topic that is opened now.
    let late = Subscription(topic: Topic(path: "/event/30"), generation: 3)
    guard case .retrying(banned.problem, _)? = MachineRun.topicStates(run.apply(.subscribe(late)), of: late).last else {
      return #expect(Bool(false))
    }
    #expect(reported(run.apply(.reconnect)) == [.requested])
    let links = MachineRun.links(run.logIn("NEW"))
    #expect(links.count == 2)
    run.open(links[1])
    #expect(reported(run.open(links[0], from: 3)) == [.live] && run.machine.state == .live)
  }

  @Test("waits 20 minutes after too many logins")
  mutating func tooManyLogins() {
    run.apply(.start)
    run.failLogin(LoginError(code: "TEMPORARY_BAN_TOO_MANY_REQUESTS"))
    #expect(
      MachineRun.logins(run.advance(by: .seconds(1199))) == 0 && MachineRun.logins(run.advance(by: .seconds(1))) == 1)
  }

  @Test("extends the login session every 15 minutes, and logs in again if it has ended")
  mutating func keepAlive() {
    run.apply(.start)
    run.logIn()
    let actions = run.advance(by: BetfairTiming.keepAlive)
    let requests = actions.compactMap { if case .keepAlive(_, let request) = $0 { request } else { nil } }
    #expect(requests.count == 1)
    #expect(MachineRun.logins(run.apply(.login(request: requests[0], .failure(LoginError(code: "NO_SESSION"))))) == 1)
  }
}
