import AccountModel
import Platform

// Messages of the account stream (AccountStream.md).
extension AccountMachine {
  mutating func read(_ bytes: [UInt8]) {
    let oversized = events.oversized
    let new = events.append(bytes)
    if events.oversized > oversized {
      actions.append(.note(.tooLong(most: events.maxBytes)))
    }
    for event in new {
      // An earlier event may have ended the session.
      guard case .open? = login?.stream else { return }
      apply(event)
    }
  }

  private mutating func apply(_ event: ServerSentEvents.Event) {
    do throws(AccountError) {
      switch try AccountMessage(json: event.data) {
      case .balance(let update): apply(update)
      case .sessionEnd(let end): apply(end)
      case .unknown(let type): actions.append(.note(.unknown(type: type)))
      }
    } catch { actions.append(.note(.undecodable(error))) }
  }

  private mutating func apply(_ update: BalanceUpdate) {
    guard let login, update.userID == login.account.userID else {
      return actions.append(.note(.stray("BALANCE_UPDATE")))
    }
    guard seen.insert(update.postingID) else {
      return actions.append(.note(.duplicate(posting: update.postingID)))
    }
    actions.append(.note(.posting(update)))
    postings.insert(Posting(update, receivedAt: now.wall), at: 0)
    if postings.count > Self.maxPostings { postings.removeLast() }
    // A posting in another currency does not apply to this wallet; the feed knows the current one.
    guard update.currency == wallet?.wallet.currency else {
      switch login.stream {
      case .open(.current): askAgain(retry: 0)
      // The answer may be older than the posting.
      case .open(.fetching(_, let retry)): askAgain(retry: retry)
      default: break
      }
      return
    }
    wallet?.wallet.apply(update)
    markUpdated(by: update)
  }

  private mutating func markUpdated(by update: BalanceUpdate) {
    guard case .loggedIn(var login) = phase, case .open(.fetching(let updated, let retry)) = login.stream else {
      return
    }
    login.stream = .open(.fetching(updated: updated.union(update.changes.keys), retry: retry))
    phase = .loggedIn(login)
  }

  private mutating func apply(_ end: SessionEnd) {
    guard let account = login?.account else { return }
    // The message may belong to an earlier session of the same user.
    guard end.userID ?? account.userID == account.userID,
      account.sessionID == nil || end.sessionID ?? account.sessionID == account.sessionID
    else { return actions.append(.note(.stray("SESSION_EXPIRATION"))) }
    self.end(end)
  }
}

extension Wallet {
  /// Sets the parts to their amounts after the posting. These are authoritative, not the differences.
  fileprivate mutating func apply(_ update: BalanceUpdate) {
    if let change = update.changes[.real] { real = change.after }
    if let change = update.changes[.bonus] { bonus = change.after }
  }
}
