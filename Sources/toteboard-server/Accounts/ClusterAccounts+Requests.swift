import AccountModel
import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import NIOCore
import Platform

/// The requests of a gateway to the book.
extension ClusterAccounts {
  func attempt(of user: String, from address: String) async throws(AccountServiceError) -> LoginVerdict {
    switch try await ask(.attempt(user: user, address: address)) {
    case .refused(let wait): return .refused(wait: wait)
    case .counted(let number, let delay):
      return .attempt(
        LoginAttempt(delay: delay) { [self] in
          publish(.failed(attempt: number))
        } takeBack: { [self] in
          publish(.takenBack(attempt: number))
        })
    default: throw AccountServiceError()
    }
  }

  func logIn(user: String) async throws(AccountServiceError) -> PlayerSession? {
    guard state.withLock({ $0.users.contains(user) }) else { return nil }
    let session = try await session(.logIn(user: user, timeToLive: options.sessionTime))
    if let id = session?.id { await wait { $0.knows(id) } }
    return session
  }

  func renew(_ id: String) async throws(AccountServiceError) -> PlayerSession? {
    let session = try await session(.renew(session: id, timeToLive: options.sessionTime))
    if let session {
      await wait { replica in
        replica.hasEnded(id) || replica.sessions[id].map { $0.expiresAt >= session.expiresAt } ?? false
      }
    }
    return session
  }

  func logOut(_ id: String) async throws(AccountServiceError) {
    guard case .ended = try await ask(.end(session: id, .logout)) else { throw AccountServiceError() }
    await wait { $0.sessions[id] == nil }
  }

  func endAll(of user: String?, _ cause: SessionEnd.Cause) async throws(AccountServiceError) -> Int {
    let known = sessions.filter { user == nil || $0.user == user }.map(\.id)
    guard case .ended(let count) = try await ask(.endAll(user: user, EndCause(cause))) else {
      throw AccountServiceError()
    }
    await wait { replica in known.allSatisfy { replica.sessions[$0] == nil } }
    return count
  }

  func wallet(of playerID: String) async throws(AccountServiceError) -> Wallet? {
    guard case .wallet(let record) = try await ask(.wallet(player: playerID)) else { throw AccountServiceError() }
    return record?.wallet
  }

  func post(_ hundredths: Int64, to user: String, key: String?) async throws(AccountServiceError) -> AccountHub.Posted {
    guard state.withLock({ $0.users.contains(user) }) else { return .unknown }
    switch try await ask(.post(user: user, hundredths: hundredths, key: key)) {
    case .posted(let record): return .posted(record.wallet)
    case .unknown: return .unknown
    case .tooMuch: return .tooMuch
    case .differs: return .differs
    default: throw AccountServiceError()
    }
  }

  private func session(_ request: BookRequest) async throws(AccountServiceError) -> PlayerSession? {
    guard case .session(let session) = try await ask(request) else { throw AccountServiceError() }
    return session
  }

  private func ask(_ request: BookRequest) async throws(AccountServiceError) -> BookReply {
    guard let time = subscriber.bookTime else { throw AccountServiceError() }
    let reply = try await ask(request, time)
    // A book that has just taken over: no book has carried the request out.
    guard case .otherTerm(let time) = reply else { return reply }
    return try await ask(request, time)
  }

  /// Asks the book, which is at `time` in its term or a little later.
  private func ask(_ request: BookRequest, _ time: BookTime) async throws(AccountServiceError) -> BookReply {
    let timeout = Int64(options.requestTimeout / .milliseconds(1))
    let call = BookCall(request, deadline: BookTime(epoch: time.epoch, time: time.time + timeout))
    let answer = await withCheckedContinuation { continuation in
      connection.request(
        call.encoded, to: subjects.accountRequest, timeout: options.requestTimeout
      ) { continuation.resume(returning: try? $0.get()) }
    }
    guard let answer, let reply = BookReply(answer), reply != .unavailable else { throw AccountServiceError() }
    return reply
  }

  /// Sends a request that is not answered.
  private func publish(_ request: BookRequest) {
    try? connection.publish(BookCall(request).encoded, to: subjects.accountRequest)
  }

  /// Returns once the copy of the sessions meets a condition, is lost, or the time for a request is over.
  private func wait(until isMet: @escaping @Sendable (SessionReplica) -> Bool) async {
    await withCheckedContinuation { continuation in
      let number: UInt64? = state.withLock { state in
        if !state.replica.isCurrent || isMet(state.replica) { return nil }
        let number = state.nextNumber()
        state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
        return number
      }
      guard let number else { return continuation.resume() }
      let timeout = Int(options.requestTimeout / .milliseconds(1))
      queue.asyncAfter(deadline: .now() + .milliseconds(timeout)) { [weak self] in
        self?.state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
      }
    }
  }
}
