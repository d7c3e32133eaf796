import AccountModel
import FeedFanOut
import FeedServer
import FeedSimulator
import Platform
import TestSupport
import Testing

@testable import toteboard_server

/// Compares the accounts of several gateways with a list of the open sessions.
private final class AccountModelCluster {
  struct Gateway {
    let link: NATSLink
    let accounts: ClusterAccounts
  }

  static let users = ["anna", "ben", "cleo"]

  let cluster: AccountCluster
  var books: [TestCluster.Book] = []
  var gateways: [Gateway] = []
  /// The sessions that must be open, each with the time of its login, and those that must have ended.
  var open: [PlayerSession] = []
  var ended: [PlayerSession] = []

  init(_ cluster: AccountCluster) async throws {
    self.cluster = cluster
    try await startBook()
    for _ in 0..<3 { try addGateway() }
  }

  private func startBook() async throws {
    books.append(try cluster.book(seed: UInt64(books.count + 1)))
    if books.count == 1 {
      try await books[0].terms.waitForTerm()
      books.append(try cluster.book(seed: 2))
    }
  }

  func addGateway() throws {
    let link = try cluster.cluster.link("gateway")
    var options = ClusterAccounts.Options()
    options.clock = { [time = cluster.time] in time.withLock { $0 } }
    options.sessionTime = AccountCluster.hour
    options.timing.bookTimeout = .seconds(2)
    let accounts = ClusterAccounts(link.connection, cluster.cluster.subjects, options: options, logger: noOpLogger)
    for user in Self.users + ["barrier"] { accounts.addPlayer(named: user) }
    accounts.start()
    gateways.append(Gateway(link: link, accounts: accounts))
  }

  /// Repeats a request until a book executes it. A failed request was not executed, because the books stay connected.
  func ask<Output>(_ body: () async throws(AccountServiceError) -> Output) async throws -> Output {
    while true {
      try Task.checkCancellation()
      do throws(AccountServiceError) { return try await body() } catch { await Task.yield() }
    }
  }

  func logIn(_ user: String, at gateway: Gateway) async throws -> PlayerSession {
    let session = try await ask { () async throws(AccountServiceError) in try await gateway.accounts.logIn(user: user) }
    return try #require(session)
  }

  func end(where isMet: (PlayerSession) -> Bool) {
    ended += open.filter(isMet)
    open.removeAll(where: isMet)
  }

  /// Kills the book. The standby takes over, and another standby starts.
  func killBook() async throws {
    books[books.count - 2].kill()
    try await books.last!.terms.waitForTerm()
    try await startBook()
  }

  /// Disconnects a gateway from NATS and replaces it with a new gateway.
  func cut(_ index: Int) async throws {
    let gateway = gateways.remove(at: index)
    gateway.link.close()
    while !Task.isCancelled, gateway.accounts.isAvailable { await Task.yield() }
    for session in open + ended {
      #expect(gateway.accounts.status(of: session.id, issuedAt: session.loginTime) == .unknown)
    }
    gateway.accounts.stop()
    try addGateway()
  }

  /// Waits until all gateways have received all changes so far, and compares their sessions with the list.
  func check() async throws {
    let barrier = try await logIn("barrier", at: gateways[0])
    for gateway in gateways {
      while !Task.isCancelled, !gateway.accounts.sessions.contains(where: { $0.id == barrier.id }) {
        await Task.yield()
      }
      for session in open {
        #expect(gateway.accounts.status(of: session.id, issuedAt: session.loginTime) == .open(session))
      }
      for session in ended { #expect(gateway.accounts.status(of: session.id, issuedAt: 0) == .over) }
      let known = gateway.accounts.sessions.filter { $0.user != "barrier" }
      #expect(Set(known) == Set(open))
    }
    try await ask { () async throws(AccountServiceError) in try await gateways[0].accounts.logOut(barrier.id) }
  }

  func stop() {
    for gateway in gateways {
      gateway.accounts.stop()
      gateway.link.close()
    }
  }
}

extension RealServerTests {
  @Suite(.timeLimit(.minutes(15))) struct ClusterAccountLawTests {
    @Test(
      "In any order of events, no gateway accepts a session that has ended or rejects an open session",
      arguments: [1, 2, 3] as [UInt64])
    func law(seed: UInt64) async throws {
      try await AccountCluster.with { cluster in
        var random = SeededRandom(seed: seed)
        let model = try await AccountModelCluster(cluster)
        defer { model.stop() }
        // Each seed has one takeover and one disconnected gateway, at random steps.
        let (takeover, loss) = (Int.random(in: 0..<30, using: &random), Int.random(in: 0..<30, using: &random))
        for step in 0..<30 {
          let gateway = model.gateways.randomElement(using: &random)!
          switch Int.random(in: 0..<6, using: &random) {
          case 0, 1, 2:
            let user = AccountModelCluster.users.randomElement(using: &random)!
            let own = model.open.filter { $0.user == user }
            model.open.append(try await model.logIn(user, at: gateway))
            // A login above the limit of sessions ends the oldest session.
            if own.count == 8 { model.end { $0.id == own.min { ($0.loginTime, $0.id) < ($1.loginTime, $1.id) }!.id } }
          case 3:
            guard let session = model.open.randomElement(using: &random) else { continue }
            try await model.ask { () async throws(AccountServiceError) in try await gateway.accounts.logOut(session.id)
            }
            model.end { $0.id == session.id }
          case 4:
            let user = AccountModelCluster.users.randomElement(using: &random)!
            let count = try await model.ask { () async throws(AccountServiceError) in
              try await gateway.accounts.endAll(of: user, .kicked)
            }
            #expect(count == model.open.count { $0.user == user })
            model.end { $0.user == user }
          default:
            cluster.advance(by: Int64.random(in: 1...AccountCluster.hour / 4, using: &random))
            let now = cluster.time.withLock { $0 }
            model.end { $0.expiresAt <= now }
          }
          if step == takeover { try await model.killBook() }
          if step == loss { try await model.cut(Int.random(in: 0..<3, using: &random)) }
          if step % 3 == 0 { try await model.check() }
        }
        try await model.check()
      }
    }
  }
}
