import AccountModel
import Testing

@testable import FeedSimulator

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Simulated accounts")
struct SimulatedAccountsTests {
  private static let hour: Int64 = 3_600_000

  /// Returns accounts with one player, who is logged in.
  private func accounts(seed: UInt64 = 1) throws -> (SimulatedAccounts, PlayerSession) {
    var accounts = SimulatedAccounts(seed: seed, timeToLive: 12 * Self.hour)
    accounts.addPlayer(named: "anna", now: startTime)
    let session = try logIn("anna", &accounts)
    return (accounts, session)
  }

  private func logIn(
    _ name: String, _ accounts: inout SimulatedAccounts, now: Int64 = startTime
  ) throws -> PlayerSession {
    let id = try #require(accounts.playerID(named: name))
    let begun = accounts.logIn(id, now: now)
    return try #require(begun).session
  }

  private func events(_ news: [SimulatedAccounts.News]) -> [AccountEvent] {
    news.compactMap { if case .event(let event, _) = $0 { event } else { nil } }
  }

  @Test("balances add up over thousands of postings, are never negative, and end equal to the wallet", arguments: 1...3)
  func addUp(seed: UInt64) throws {
    var (accounts, session) = try accounts(seed: seed)
    var wallet = try #require(accounts.wallet(of: session.playerID))
    var seen: [String: Event] = [:]
    var (repeated, withoutType, second) = (0, 0, 0)
    var operations: Set<Int> = []
    // NB: checked once at the end, because an expectation per event takes longer than the rest of the test.
    var faults: [String] = []
    for step in 1...4_000 as ClosedRange<Int64> {
      for event in events(accounts.advance(to: startTime + step * 2_000)) {
        let message = try JSONDecoder().decode(Event.self, from: Data(event.data))
        let posting = message.body
        let isWhole =
          ["BALANCE_UPDATE", "BALANCE_UPDATE_V2"].contains(message.type) && posting.userId == session.playerID
          && posting.currency == wallet.currency && !posting.balanceChange.isEmpty
        if let first = seen[posting.postingId] {
          if first != message { faults.append("two of one id: \(message)") }
          repeated += 1
          continue
        }
        seen[posting.postingId] = message
        if posting.transType == nil { withoutType += 1 }
        if message.type.hasSuffix("_V2") { second += 1 }
        operations.insert(posting.operationType)
        let sign: Decimal = posting.operationType == 0 || posting.operationType == 2 ? -1 : 1
        let real = after(posting.balanceChange["Real"], wallet.real, sign)
        let bonus = after(posting.balanceChange["Bonus"], wallet.bonus, sign)
        if !isWhole || real == nil || bonus == nil { faults.append("\(wallet) does not become: \(message)") }
        wallet.real = real ?? wallet.real
        wallet.bonus = bonus ?? wallet.bonus
      }
      _ = accounts.renew(session.id, now: startTime + step * 2_000)
    }
    #expect(faults.isEmpty, "\(faults.prefix(3))")
    #expect(accounts.wallet(of: session.playerID) == wallet)
    #expect(seen.count > 3_000 && operations == [0, 1, 2, 3])
    #expect(repeated > seen.count / 50 && withoutType > seen.count / 10 && second > seen.count / 3)
  }

  /// Returns the new balance, or nil if it does not add up, is negative, or has more than two decimals.
  private func after(_ change: Change?, _ before: Decimal, _ sign: Decimal) -> Decimal? {
    guard let change else { return before }
    let isValid =
      change.afterAmount == before + sign * change.affectedAmount && change.afterAmount >= 0
      && change.affectedAmount >= 0 && Int((change.affectedAmount * 100).description) != nil
    return isValid ? change.afterAmount : nil
  }

  @Test("the same seed gives the same bytes, and another seed gives different bytes")
  func seeds() throws {
    func play(_ seed: UInt64) throws -> [[UInt8]] {
      var accounts = try accounts(seed: seed).0
      return events(accounts.advance(to: startTime + Self.hour)).map(\.data)
    }
    #expect(try play(3) == play(3))
    #expect(try play(3) != play(4))
  }

  @Test("ids increase; missed events are repeated, but not after an unknown or too old id")
  func replay() throws {
    var (accounts, session) = try accounts()
    var all: [AccountEvent] = []
    for step in 1...400 as ClosedRange<Int64> { all += events(accounts.advance(to: startTime + step * 3_000)) }
    #expect(all.count > 2 * AccountEventLog.bound / 2)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.id < $1.id })
    #expect(accounts.events(after: all[all.count - 4].id, of: session) == all.suffix(3))
    #expect(accounts.events(after: all.last!.id, of: session).isEmpty)
    #expect(accounts.events(after: all.last!.id + 10, of: session).isEmpty)
    #expect(accounts.events(after: 3, of: session).isEmpty)
    #expect(accounts.events(after: .max, of: session).isEmpty)
  }

  @Test("nothing changes while no player is logged in, and a long gap produces a limited number of events")
  func rest() throws {
    var (accounts, session) = try accounts()
    _ = accounts.end(session.id, nil, now: startTime)
    let quiet = accounts.advance(to: startTime + Self.hour)
    #expect(quiet.isEmpty)
    let again = try logIn("anna", &accounts, now: startTime + Self.hour)
    #expect(again.id != session.id)
    let made = events(accounts.advance(to: startTime + 9 * Self.hour))
    #expect(1..<60 ~= made.count)
  }

  @Test(
    "the end of a session is reported only to that session, with the cause and its code",
    arguments: [
      (SessionEnd.Cause.expired, "SESSION_EXPIRATION", "\"exitReason\":\"Expired\",\"exitReasonCode\":1"),
      (.kicked, "SESSION_EXPIRATION", "\"exitReason\":\"Kicked\",\"exitReasonCode\":2"),
      (.terminated, "\"SESSION_TERMINATED\"", "\"exitReasonCode\":3"),
    ])
  func end(cause: SessionEnd.Cause, type: String, reason: String) throws {
    var (accounts, session) = try accounts()
    let other = try logIn("anna", &accounts)
    let news = accounts.end(session.id, cause, now: startTime + 5_000)
    let event = try #require(events(news).first)
    let text = String(decoding: event.data, as: UTF8.self)
    #expect(text.contains(type) && text.contains(reason) && text.contains("\"sessionId\":\"\(session.id)\""))
    #expect(event.isLast && event.session == session.id)
    #expect(news.last == .ended(session, cause))
    #expect(accounts.events(after: event.id - 1, of: other).isEmpty)
    #expect(accounts.session(session.id, at: startTime) == nil && accounts.session(other.id, at: startTime) != nil)
    let again = accounts.end(session.id, cause, now: startTime)
    #expect(again.isEmpty)
  }

  @Test("a session expires at its expiry time, and later if it is renewed")
  func expiry() throws {
    var (accounts, session) = try accounts()
    #expect(session.expiresAt == startTime + 12 * Self.hour)
    let later = accounts.renew(session.id, now: startTime + Self.hour)
    let renewed = try #require(later)
    #expect(renewed.id == session.id && renewed.expiresAt == startTime + 13 * Self.hour)
    let before = accounts.advance(to: renewed.expiresAt - 1)
    #expect(!before.contains { if case .ended = $0 { true } else { false } })
    #expect(accounts.session(session.id, at: renewed.expiresAt) == nil)
    let tooLate = accounts.renew(session.id, now: renewed.expiresAt)
    #expect(tooLate == nil)
    let after = accounts.advance(to: renewed.expiresAt)
    #expect(after.contains(.ended(renewed, .expired)))
  }

  @Test("the number of sessions is limited, and expired ones do not count")
  func bounded() throws {
    var accounts = SimulatedAccounts(seed: 1, timeToLive: 1_000, maxSessions: 2)
    for name in ["anna", "ben", "eve"] { accounts.addPlayer(named: name, now: startTime) }
    let anna = try logIn("anna", &accounts)
    _ = try logIn("ben", &accounts)
    let eve = try #require(accounts.playerID(named: "eve"))
    let refused = accounts.logIn(eve, now: startTime + 999)
    #expect(refused == nil)
    let later = accounts.logIn(eve, now: startTime + 1_000)
    #expect(later?.news.contains(.ended(anna, .expired)) == true)
    #expect(accounts.openSessions(at: startTime + 1_000).map(\.user) == ["eve"])
  }

  @Test("a session above the limit of a player ends the oldest one")
  func manySessions() throws {
    var (accounts, session) = try accounts()
    for number in 1..<SimulatedAccounts.maxSessionsOfPlayer {
      let begun = accounts.logIn(session.playerID, now: startTime + Int64(number))
      #expect(begun?.news.isEmpty == true)
    }
    let news = accounts.logIn(session.playerID, now: startTime + 99)?.news
    #expect(news?.last == .ended(session, .terminated))
    #expect(accounts.openSessions(at: startTime + 99).count == SimulatedAccounts.maxSessionsOfPlayer)
  }
}

private struct Event: Decodable, Hashable {
  let type: String
  let body: Body

  struct Body: Decodable, Hashable {
    let userId: String
    let currency: String
    let operationType: Int
    let transType: Int?
    let postingId: String
    let balanceChange: [String: Change]
  }
}

private struct Change: Decodable, Hashable {
  let affectedAmount: Decimal
  let afterAmount: Decimal
}
