import AccountModel
import FeedFanOut
import FeedServer
import FeedSimulator
import FoundationCore
import NIOCore
import OddsModel
import TestSupport
import Testing

@testable import toteboard_server

extension RealServerTests {
  @Suite(.timeLimit(.minutes(15))) struct ClusterAccountTests {
    private let killed = SocketClient.ServerFrame.close(1008, "the login session has ended: log in again")
    private let lost = SocketClient.ServerFrame.close(1001, "the accounts were lost: connect again")

    @Test(
      "Gateways accept each other's tokens, and a logout at one ends the session and its connections at the other")
    func logout() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(), try await cluster.gateway())
        let (login, other) = (try await a.session(), try await b.session("ben"))
        for gateway in [a, b] { await gateway.wait(untilSessions: [login.sessionId, other.sessionId]) }
        #expect(try await b.wallet(login).text == (try await a.wallet(login).text))
        #expect(try await b.wallet(login).status == 200)
        #expect(try await b.wallet(other).status == 200)
        let refused = try await HTTPResponse(b.port, AccountPath.wallet(of: other.userId), [login.header])
        #expect(refused.status == 403)
        let (stream, socket) = (try await b.stream(login), try await b.socket(login))
        let openStream = try await b.stream(other)
        #expect(stream.isOpen && openStream.isOpen)
        #expect(try await a.logOut(login) == 204)
        #expect(await stream.next() == nil)
        #expect(await socket.text() == #"[6,{},"wamp.close.killed"]"#)
        #expect(await socket.next() == killed)
        for gateway in [a, b] {
          await gateway.wait(untilSessions: [other.sessionId])
          #expect(try await gateway.wallet(login).status == 401)
          #expect(try await gateway.handshake(login) == "401")
          #expect(try await gateway.handshake(other) == "101")
        }
      }
    }

    @Test(
      "A session ended through the admin interface of one gateway reports the reason to its streams at the other",
      arguments: [("kick", "Kicked"), ("expire", "Expired"), ("terminate", "SESSION_TERMINATED")])
    func kick(how: String, word: String) async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(admin: true), try await cluster.gateway())
        let login = try await b.session()
        let (stream, socket) = (try await b.stream(login), try await b.socket(login))
        let answer = try await a.administer("/sessions/anna/\(how)")
        #expect(answer.status == 200 && answer.text == #"{"ended":1}"#)
        #expect(await stream.next()?.data.contains(word) == true)
        #expect(await stream.next() == nil)
        #expect(await socket.text() == #"[6,{},"wamp.close.killed"]"#)
        #expect(try await a.administer("/sessions/anna/\(how)").status == 404)
      }
    }

    @Test("The limit on failed logins counts the failures at all gateways together")
    func limit() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(), try await cluster.gateway())
        for gateway in [a, b, a, b, a] { #expect(try await gateway.login("anna", "guess").status == 401) }
        for gateway in [a, b] {
          let answer = try await gateway.login()
          #expect(answer.status == 429 && answer["retry-after"] != nil)
        }
        #expect(try await b.login("ben").status == 200)
        // A correct password does not count as a failed login at any gateway.
        for gateway in [a, b, a, b, a, b, a] { #expect(try await gateway.login("ben").status == 200) }
        // A gateway remembers a refusal, and does not ask the book again before it is over.
        a.link.close()
        #expect(try await a.login().status == 429)
        #expect(try await a.login("ben").status == 503)
      }
    }

    @Test(
      "A posting reaches the streams of all gateways with the same id, and Last-Event-ID replays it at any gateway")
    func postings() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(admin: true), try await cluster.gateway())
        let login = try await a.session()
        await b.wait(untilSessions: [login.sessionId])
        let streams = [try await a.stream(login), try await b.stream(login)]
        var events: [(id: UInt64, data: String)] = []
        for amount in ["12.50", "-3", "0.01"] {
          #expect(try await a.administer("/accounts/anna/post?amount=\(amount)").status == 200)
          let received = (await streams[0].next(), await streams[1].next())
          let event = try #require(received.0)
          #expect(received.1?.id == event.id && received.1?.data == event.data)
          events.append(event)
        }
        #expect(events.map(\.id) == [events[0].id, events[0].id + 1, events[0].id + 2])
        try await streams[0].client.channel.close().get()
        let resumed = try await b.stream(login, after: events[0].id)
        for event in events.dropFirst() {
          let received = await resumed.next()
          #expect(received?.id == event.id && received?.data == event.data)
        }
        #expect(try await a.administer("/accounts/anna/post?amount=-1000000").status == 409)
        #expect(try await a.administer("/accounts/eve/post?amount=1").status == 404)
      }
    }

    @Test("After a takeover, sessions and wallets are unchanged, and clients can open new streams")
    func takeover() async throws {
      try await AccountCluster.with { cluster in
        let first = try cluster.book()
        try await first.terms.waitForTerm()
        let second = try cluster.book(seed: 2)
        let (a, b) = (try await cluster.gateway(admin: true), try await cluster.gateway())
        let (login, over) = (try await a.session(), try await a.session())
        #expect(try await a.administer("/accounts/anna/post?amount=5").status == 200)
        #expect(try await a.logOut(over) == 204)
        await b.wait(untilSessions: [login.sessionId])
        let before = try await b.wallet(login).text
        let (stream, socket) = (try await b.stream(login), try await b.socket(login))
        #expect(await socket.register(ClusterFeed.topic) == 1)
        first.kill()
        try await second.terms.waitForTerm()
        #expect(await stream.next() == nil)
        while !Task.isCancelled, try await b.wallet(login).status != 200 { await Task.yield() }
        #expect(try await b.wallet(login).text == before)
        for gateway in [a, b] {
          await gateway.wait(untilSessions: [login.sessionId])
          #expect(try await gateway.wallet(over).status == 401)
        }
        let again = try await a.stream(login)
        #expect(again.isOpen)
        #expect(try await a.administer("/accounts/anna/post?amount=1").status == 200)
        #expect(await again.next() != nil)
        // The WebSocket was never closed.
        #expect(await socket.nextUpdate() != nil)
        #expect(try await b.logOut(login) == 204)
        // The second player of the cluster gets a different id than the first one, although another book creates it.
        #expect(try await b.session("ben").userId != login.userId)
      }
    }

    @Test("A session expires at all gateways, unless it is renewed at one of them")
    func expiry() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(), try await cluster.gateway())
        let (short, long) = (try await a.session(), try await a.session())
        await b.wait(untilSessions: [short.sessionId, long.sessionId])
        let streams = [try await a.stream(short), try await b.stream(short)]
        cluster.advance(by: 6 * AccountCluster.hour)
        let answer = try await HTTPResponse(b.port, post: AccountPath.renew, [long.header])
        #expect(answer.status == 200)
        let renewed = try JSONDecoder().decode(AccountLogin.self, from: Data(answer.body))
        #expect(renewed.expiresAt == long.expiresAt + 6 * AccountCluster.hour)
        while a.accounts!.sessions.first(where: { $0.id == long.sessionId })?.expiresAt != renewed.expiresAt {
          try Task.checkCancellation()
          await Task.yield()
        }
        cluster.advance(by: 6 * AccountCluster.hour)
        for stream in streams {
          #expect(await stream.next()?.data.contains("Expired") == true)
          #expect(await stream.next() == nil)
        }
        for gateway in [a, b] {
          await gateway.wait(untilSessions: [renewed.sessionId])
          #expect(try await gateway.wallet(short).status == 401)
          #expect(try await gateway.wallet(renewed).status == 200)
        }
      }
    }

    @Test("A gateway without NATS closes account connections and answers 503, not 401; the others continue")
    func cutOff() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(), try await cluster.gateway())
        let login = try await a.session()
        await b.wait(untilSessions: [login.sessionId])
        let (stream, socket) = (try await b.stream(login), try await b.socket(login))
        let openStream = try await a.stream(login)
        b.link.close()
        #expect(await stream.next() == nil)
        #expect(await socket.text() == #"[6,{},"wamp.close.system_shutdown"]"#)
        #expect(await socket.next() == lost)
        #expect(try await b.wallet(login).status == 503)
        #expect(try await b.handshake(login) == "503")
        #expect(try await b.login().status == 503)
        #expect(try await b.stream(login).isOpen == false)
        #expect(try await a.wallet(login).status == 200)
        #expect(try await a.logOut(login) == 204)
        #expect(await openStream.next() == nil)
      }
    }

    @Test("While NATS is down, a login gets 503 with a remedy; afterwards, tokens are valid again")
    func outage() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(), try await cluster.gateway())
        let login = try await a.session()
        await b.wait(untilSessions: [login.sessionId])
        let stream = try await b.stream(login)
        cluster.cluster.nats.kill()
        #expect(await stream.next() == nil)
        let refused = try await a.login()
        #expect(refused.status == 503 && refused["retry-after"] == "1" && refused.text.contains("try again"))
        try cluster.cluster.nats.restart()
        for gateway in [a, b] {
          try await gateway.wait(untilReady: true)
          while !Task.isCancelled, try await gateway.wallet(login).status == 503 { await Task.yield() }
          #expect(try await gateway.wallet(login).status == 200)
          #expect(try await gateway.handshake(login) == "101")
        }
        #expect(try await b.login("ben").status == 200)
      }
    }

    @Test("A login that cannot be saved gets 503 and starts no session; the book ends streams and reloads accounts")
    func unsaved() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let gateway = try await cluster.gateway()
        let login = try await gateway.session()
        let stream = try await gateway.stream(login)
        // Another process loads the accounts, so that the book's next write is refused.
        let link = try cluster.cluster.link("stranger")
        let store = AccountStore(link.connection, cluster.cluster.subjects)
        let entries = try store.load(BookIdentity(epoch: 1, book: 1))
        #expect(entries.contains { $0.key == "session.\(login.sessionId)" })
        #expect(try await gateway.login("ben").status == 503)
        // The book reloads the accounts. A wallet that was not saved may differ afterwards.
        #expect(await stream.next() == nil)
        while !Task.isCancelled, try await gateway.login("ben").status != 200 { await Task.yield() }
        #expect(gateway.accounts!.sessions.map(\.user).sorted() == ["anna", "ben"])
        #expect(try await gateway.wallet(login).status == 200)
        let again = try await gateway.stream(login)
        #expect(again.isOpen)
        #expect(try await gateway.logOut(login) == 204)
        #expect(await again.next() == nil)
        link.close()
      }
    }

    @Test("Invalid messages on any subject do not change the accounts")
    func hostile() async throws {
      try await AccountCluster.with { cluster in
        _ = try cluster.book()
        let (a, b) = (try await cluster.gateway(admin: true), try await cluster.gateway())
        let login = try await a.session()
        await b.wait(untilSessions: [login.sessionId])
        let stream = try await b.stream(login)
        let link = try cluster.cluster.link("stranger")
        let subjects = cluster.cluster.subjects
        let topics = [AccountTopics.sessions, AccountTopics.player(login.userId)].map {
          subjects.accounts.update(of: $0)
        }
        let targets = topics + [subjects.accountRequest, subjects.accounts.dump, subjects.accounts.heartbeat]
        let max = UInt64.max
        let texts = [
          "", "{", "[]", "null", "{}", #"{"request":{"failed":{"attempt":\#(max)}}}"#,
          #"{"request":{"takenBack":{"attempt":1}}}"#, #"{"request":{"logIn":{"user":"","timeToLive":1}}}"#,
          #"{"request":{"logIn":{"user":"eve","timeToLive":9223372036854775807}}}"#,
          #"{"request":{"post":{"user":"anna","hundredths":9223372036854775807}}}"#,
          #"{"request":{"post":{"user":"anna","hundredths":1}},"deadline":{"epoch":0,"time":9223372036854775807}}"#,
          #"{"request":{"end":{"session":"x","_1":"nope"}}}"#, #"{"request":{"endAll":{"_1":"nope"}}}"#,
          #"{"open":{"_0":{"id":"","playerID":"","user":"","loginTime":0,"expiresAt":-1}}}"#,
          String(repeating: "[", count: 100_000), String(repeating: "x", count: 500_000),
        ]
        for target in targets {
          for text in texts { try link.connection.publish(ByteBuffer(string: text), to: target, reply: "nobody") }
        }
        try link.connection.flush()
        #expect(try await a.administer("/accounts/anna/post?amount=2").status == 200)
        #expect(await stream.next()?.data.contains("BALANCE_UPDATE") == true)
        #expect(try await b.wallet(login).status == 200)
        #expect(a.accounts!.sessions.map(\.user) == ["anna"])
        link.close()
      }
    }
  }
}
