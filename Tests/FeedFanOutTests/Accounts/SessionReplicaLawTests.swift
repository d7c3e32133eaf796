import AccountModel
import FeedFanOut
import FeedServer
import FeedSimulator
import FoundationCore
import TestSupport
import Testing

@testable import toteboard_server

/// Compares a gateway's replica of the sessions with the sessions of the book.
@Suite struct SessionReplicaLawTests {
  @Test(
    "A current replica has the sessions of the received messages and reports each ended session once",
    arguments: 1...20)
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var accounts = SimulatedAccounts(seed: seed, timeToLive: 50_000, pace: 1 << 40)
    for user in ["anna", "ben"] { accounts.addPlayer(named: user, now: 0) }
    var (outbox, replica, now) = (AccountOutbox(), SessionReplica(), Int64(1_000_000))
    // The sessions after the last drained message, and those whose end the replica has reported.
    var (drained, reported): (Set<String>, [String]) = ([], [])
    var (over, issued): (Set<String>, [String: Int64]) = ([], [:])
    for _ in 0..<400 {
      now += Int64.random(in: 0...2_000, using: &random)
      let open = accounts.openSessions(at: .min).map(\.id)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let player = try #require(accounts.playerID(named: random.chance(0.5) ? "anna" : "ben"))
        let login = accounts.logIn(player, now: now)
        let begun = try #require(login)
        issued[begun.session.id] = now
        outbox.add(begun.session)
        outbox.add(begun.news)
      case 2:
        let cause: SessionEnd.Cause? = random.chance(0.5) ? .kicked : nil
        if let id = open.randomElement(using: &random) { outbox.add(accounts.end(id, cause, now: now)) }
      case 3:
        if let session = open.randomElement(using: &random).flatMap({ accounts.renew($0, now: now) }) {
          outbox.add(session)
        }
      case 4: outbox.add(accounts.advance(to: now))
      case 5: replica.markUnknown()
      case 6:
        // A dump contains the state after the drained messages.
        reported += replica.apply(try roundTrip(outbox.dump)).map(\.session.id)
        #expect(Set(replica.sessions.keys) == drained)
      default:
        for case .messages(AccountTopics.sessions, let messages) in outbox.drain() {
          for text in messages {
            let change = try JSONDecoder().decode(SessionChange.self, from: Data(text))
            switch change {
            case .open(let session): drained.insert(session.id)
            case .ended(let end):
              drained.remove(end.id)
              over.insert(end.id)
            }
            if replica.isCurrent, let (session, _) = replica.apply(change) { reported.append(session.id) }
          }
        }
      }
      if replica.isCurrent { #expect(Set(replica.sessions.keys) == drained) }
      for (id, time) in issued {
        let session = drained.contains(id) ? replica.sessions[id] : nil
        switch replica.status(of: id, issuedAt: time, now: now) {
        case .open(let known): #expect(known == session && now < known.expiresAt)
        case .over: #expect(session.map { $0.expiresAt <= now } ?? (time <= now - 10_000 || over.contains(id)))
        case .unknown: #expect(!replica.isCurrent || session == nil)
        }
      }
    }
    #expect(Set(reported).count == reported.count)
  }

  private func roundTrip(_ dump: SessionDump) throws -> SessionDump {
    try JSONDecoder().decode(SessionDump.self, from: Data(AccountJSON.encode(dump)))
  }

  @Test("A player dump becomes a log only if its events are valid and consecutive")
  func dumps() {
    func record(_ id: UInt64, _ data: String = "{}") -> EventRecord {
      EventRecord(AccountEvent(id: id, session: nil, data: Array(data.utf8)))
    }
    #expect(PlayerDump(last: 7, events: [record(6), record(7)]).log?.lastID == 7)
    #expect(PlayerDump(last: 7, events: []).log?.lastID == 7)
    for events in [[record(5), record(7)], [record(6)], [record(7), record(6)], [record(0)], [record(.max)]] {
      #expect(PlayerDump(last: 7, events: events).log == nil)
    }
    #expect(PlayerDump(last: .max, events: []).log == nil)
    // A line break would end the event on a stream.
    #expect(PlayerDump(last: 7, events: [record(7, "{}\n\ndata: {}")]).log == nil)
  }

  @Test("Requests and replies with values out of range are rejected")
  func bounds() {
    let requests: [BookRequest] = [
      .logIn(user: "anna", timeToLive: .max), .logIn(user: "anna", timeToLive: 0), .logIn(user: "", timeToLive: 1),
      .renew(session: String(repeating: "x", count: 65), timeToLive: 1),
      .post(user: "anna", hundredths: .min, key: nil), .post(user: "anna", hundredths: 1, key: ""),
      .attempt(user: "anna", address: String(repeating: "x", count: 65)), .endAll(user: "", .kicked),
    ]
    for request in requests { #expect(BookCall(BookCall(request).encoded) == nil) }
    for request: BookRequest in [
      .logIn(user: "anna", timeToLive: 1), .post(user: "anna", hundredths: -1, key: "k"), .failed(attempt: .max),
      .endAll(user: nil, .kicked), .end(session: "x", .logout), .attempt(user: "anna", address: ""),
    ] {
      let call = BookCall(request, deadline: BookTime(epoch: 1, time: 2))
      #expect(BookCall(call.encoded) == call)
    }
    for reply: BookReply in [
      .refused(wait: .max), .counted(attempt: 1, delay: -1), .otherTerm(BookTime(epoch: 1, time: .max)),
    ] {
      #expect(BookReply(reply.encoded) == nil)
    }
  }
}
