import AccountModel
import OddsModel
import Platform

/// The state machine of the user's account (Reconnecting.md, AccountStream.md), without sockets or a clock. Events and
/// their times go in, actions come out.
struct AccountMachine {
  enum Event {
    /// A stored session that has not expired.
    case found(AccountSession, known: DatedWallet?)
    case logIn(user: String, password: Secret, known: DatedWallet?)
    case loggedIn(Result<AccountSession, AccountRequestError>, session: Int)
    case renewed(Result<AccountSession, AccountRequestError>, session: Int)
    case wallet(Result<Wallet, AccountRequestError>, fetch: Int)
    /// An event of a stream or of an attempt to open one. Events of a stream that was closed are ignored.
    case stream(StreamEvent, link: Int)
    /// The deadline passed.
    case time
    case logOut
    /// The user has read that the session ended or that the login was refused.
    case acknowledge
    /// The user or the return of the network ends the wait for the next attempt.
    case retry
    case suspend
    case resume
    /// The program exits. A stored session stays valid.
    case stop(isStored: Bool)
  }

  enum StreamEvent {
    case opened
    case bytes([UInt8])
    /// The stream could not be opened or broke. Nil if it ended normally.
    case closed(AccountRequestError?)
  }

  enum Phase {
    case loggedOut
    case loggingIn(user: String)
    case refused(user: String, FeedError)
    case loggedIn(Login)
    case ended(user: String, SessionEnd)
  }

  struct Login {
    var account: AccountSession
    var renewal: Renewal
    var stream = Stream.closed
    /// True if the wallet was received in this session.
    var hasWallet = false
  }

  enum Renewal {
    case none
    /// `at` is an uptime.
    case due(at: Duration)
    case underWay
  }

  /// The state of the stream. Attempts are numbered from 1; the first one after the loss of an open stream has number
  /// 2. `until` is an uptime.
  enum Stream {
    case closed
    /// Requesting the wallet, which precedes the stream.
    case asking(attempt: Int)
    case opening(attempt: Int)
    case open(WalletWatch)
    case waiting(Retry, until: Duration)
    case failed(FeedError)
  }

  /// The state of the wallet while the stream is open.
  enum WalletWatch {
    /// Requested. The parts in `updated` have changed since, so the answer may be older than they are.
    case fetching(updated: Set<WalletPart>, retry: Int)
    case waiting(retry: Int, until: Duration)
    /// Received after the stream began, so every later change is known.
    case current
    /// Not available: the feed did not send it.
    case unknown
  }

  /// The largest number of postings in the status.
  static let maxPostings = 50

  var phase = Phase.loggedOut
  /// The numbers of the current session, stream and wallet request. Results with smaller numbers are ignored.
  var session = 0
  var link = 0
  var fetch = 0
  var wallet: DatedWallet?
  var events = ServerSentEvents()
  var seen = RecentIDs()
  var postings: [Posting] = []
  /// The time of the event that is being applied, and the actions that it has caused so far.
  private(set) var now = SessionMoment(uptime: .zero, wall: 0, chance: 0)
  var actions: [AccountAction] = []
  private(set) var isSuspended = false
  private var isOver = false
  private var published = AccountStatus()
  private var savedWallet: DatedWallet?

  mutating func apply(_ event: Event, at now: SessionMoment) -> [AccountAction] {
    if isOver { return [] }
    self.now = now
    defer { actions = [] }
    switch event {
    case .found(let account, let known): resume(account, known)
    case .logIn(let user, let password, let known): logIn(user, password, known)
    case .loggedIn(let result, let session): if session == self.session { loggedIn(result) }
    case .renewed(let result, let session): if session == self.session { renewed(result) }
    case .wallet(let result, let fetch): if fetch == self.fetch { answered(result) }
    case .stream(let event, let link): if link == self.link { apply(event) }
    case .time: timePassed()
    case .logOut: logOut()
    case .acknowledge: acknowledge()
    case .retry: retry()
    case .suspend:
      isSuspended = true
      closeStream(.closed)
    case .resume:
      isSuspended = false
      retry()
    case .stop(let isStored):
      if isStored, login != nil { closeStream(.closed) } else { leave() }
      isOver = true
    }
    publishStatus()
    return actions
  }

  /// The next time at which the machine must be called with `.time`. Nil if there is none.
  var deadline: Duration? {
    guard !isOver, !isSuspended, case .loggedIn(let login) = phase else { return nil }
    let renewal: Duration? = if case .due(let at) = login.renewal { at } else { nil }
    let stream: Duration? =
      switch login.stream {
      case .waiting(_, let until), .open(.waiting(_, let until)): until
      default: nil
      }
    return [renewal, stream].compactMap { $0 }.min()
  }

  var status: AccountStatus {
    var status = AccountStatus()
    status.phase =
      switch phase {
      case .loggedOut: .loggedOut
      case .loggingIn(let user): .loggingIn(user: user)
      case .refused(let user, let problem): .refused(user: user, problem)
      case .loggedIn(let login): .loggedIn(user: login.account.user)
      case .ended(let user, let end): .ended(user: user, end)
      }
    status.stream = login?.stream.shown ?? .closed
    status.wallet = wallet?.wallet
    if case .open(.current)? = login?.stream {} else { status.walletAsOf = wallet?.asOf }
    status.postings = postings
    return status
  }

  /// Publishes the status if it has changed.
  mutating func publishStatus() {
    let status = status
    if status == published { return }
    published = status
    actions.append(.publish(status))
  }

  /// Saves the wallet if it has changed since it was last saved.
  mutating func saveWallet(of login: Login) {
    guard login.hasWallet, let wallet, wallet != savedWallet else { return }
    savedWallet = wallet
    actions.append(.save(wallet, user: login.account.user))
  }

  var login: Login? { if case .loggedIn(let login) = phase { login } else { nil } }
}

extension Int {
  /// Adds one and returns the result.
  mutating func advance() -> Int {
    self += 1
    return self
  }
}

extension AccountMachine.Stream {
  var shown: AccountStatus.Stream {
    switch self {
    case .closed: .closed
    case .asking, .opening: .connecting
    case .open: .live
    case .waiting(let retry, _): .waiting(retry)
    case .failed(let why): .failed(why)
    }
  }
}
