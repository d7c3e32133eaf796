import AccountModel
import OddsFeed

/// The user's account (Reconnecting.md, §7), without a socket or a clock: what happens goes in with its moment, what is to be
/// done comes out.
struct AccountMachine {
  enum Event {
    /// A session was stored, and is good still.
    case found(AccountSession, known: DatedWallet?)
    case logIn(user: String, password: Secret, known: DatedWallet?)
    case loggedIn(Result<AccountSession, AccountTrouble>, session: Int)
    case renewed(Result<AccountSession, AccountTrouble>, session: Int)
    case wallet(Result<Wallet, AccountTrouble>, fetch: Int)
    /// What happens on a stream, or on the way to one; once its `close` was asked for, nobody listens.
    case stream(StreamEvent, link: Int)
    /// Nothing but time, when `deadline` is over.
    case time
    case logOut
    /// The user has read that the session is over, or that he was not let in.
    case acknowledge
    /// The user, or the network's return, says that waiting is over.
    case retry
    case suspend
    case resume
    /// The program ends. A session that is stored goes on without it.
    case stop(isStored: Bool)
  }

  enum StreamEvent {
    case opened
    case bytes([UInt8])
    /// It could not be had, or broke off; nil where it came to its end.
    case closed(AccountTrouble?)
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
    /// Whether the feed has told of the wallet in this session.
    var hasWallet = false
  }

  enum Renewal {
    case none
    case due(at: Duration)
    case underWay
  }

  /// Attempts count from 1 since the login or a stream that was open.
  enum Stream {
    case closed
    /// The wallet comes first.
    case asking(attempt: Int)
    case opening(attempt: Int)
    case open(WalletWatch)
    case waiting(Retry, until: Duration)
    case failed(FeedError)
  }

  /// What is known of the wallet while the stream is open.
  enum WalletWatch {
    /// Asked for; these parts the stream has told of since, and so what is answered may be older.
    case fetching(told: Set<WalletPart>, retry: Int)
    case waiting(retry: Int, until: Duration)
    /// It was answered after the stream began: each change since is known.
    case current
    /// The feed would not say.
    case unknown
  }

  /// How many postings readers are shown.
  static let mostPostings = 50

  var phase = Phase.loggedOut
  /// Sessions, streams and questions for the wallet that are listened to; those before have smaller numbers.
  private(set) var session = 0
  private(set) var link = 0
  private(set) var fetch = 0
  var wallet: DatedWallet?
  var events = ServerSentEvents()
  var seen = RecentIDs()
  var postings: [Posting] = []
  var counters = AccountCounters()
  private(set) var isSuspended = false
  private var isOver = false
  private var told = AccountStatus()
  private var kept: DatedWallet?

  mutating func apply(_ event: Event, at now: AccountMoment) -> [AccountAction] {
    var actions: [AccountAction] = []
    if isOver { return actions }
    switch event {
    case .found(let account, let known): resume(account, known, now, &actions)
    case .logIn(let user, let password, let known): logIn(user, password, known, now, &actions)
    case .loggedIn(let result, let session): if session == self.session { loggedIn(result, now, &actions) }
    case .renewed(let result, let session): if session == self.session { renewed(result, now, &actions) }
    case .wallet(let result, let fetch): if fetch == self.fetch { answered(result, now, &actions) }
    case .stream(let event, let link): if link == self.link { apply(event, now, &actions) }
    case .time: timePassed(now, &actions)
    case .logOut: logOut(now, &actions)
    case .acknowledge: acknowledge(now, &actions)
    case .retry: retry(now, &actions)
    case .suspend:
      isSuspended = true
      closeStream(.closed, now, &actions)
    case .resume:
      isSuspended = false
      retry(now, &actions)
    case .stop(let isStored):
      if isStored, login != nil { closeStream(.closed, now, &actions) } else { leave(now, &actions) }
      isOver = true
    }
    tell(&actions)
    return actions
  }

  /// When time alone changes something next.
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

  // MARK: What readers see

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

  /// Publishes how the account does, where that is not known yet.
  mutating func tell(_ actions: inout [AccountAction]) {
    let status = status
    if status == told { return }
    told = status
    actions.append(.publish(status))
  }

  /// Keeps what is known of the wallet, where that is not kept yet.
  mutating func keepWallet(of login: Login, _ actions: inout [AccountAction]) {
    guard login.hasWallet, let wallet, wallet != kept else { return }
    kept = wallet
    actions.append(.keep(wallet, user: login.account.user))
  }

  var login: Login? { if case .loggedIn(let login) = phase { login } else { nil } }

  // MARK: Numbers

  mutating func nextSession() -> Int {
    session += 1
    return session
  }

  mutating func nextLink() -> Int {
    link += 1
    return link
  }

  mutating func nextFetch() -> Int {
    fetch += 1
    return fetch
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
