import AccountModel
import FoundationCore

/// A simulated player: the balance, the open bets and the event log. Amounts are in hundredths.
struct SimulatedPlayer: Sendable {
  struct Amount: Hashable, Sendable {
    var real: Int64
    var bonus: Int64

    var total: Int64 { real + bonus }
  }

  /// A bet that is not settled.
  struct Bet: Hashable, Sendable {
    let stake: Amount
    /// True while the stake is only reserved, because the bet is not accepted yet.
    var isReserved: Bool
  }

  /// The maximum number of postings with a key that are remembered.
  static let maxKeyedPostings = 32

  let id: String
  let currency = "EUR"
  var balance: Amount
  var bets: [Bet] = []
  var log: AccountEventLog
  /// The time of the next turn, in milliseconds since 1970.
  private var nextPosting: Int64 = 0
  private(set) var lastPosting: UInt64
  /// The latest postings with a key, the oldest first.
  private(set) var postings: [KeyedPosting] = []
  /// The data of the latest postings, one of which can be sent again.
  private var recent: [[UInt8]] = []

  init(id: String, firstEvent: UInt64, _ random: inout SeededGenerator) {
    self.id = id
    log = AccountEventLog(after: firstEvent)
    balance = Amount(real: 20_000 + Int64(random.index(below: 60_000)), bonus: Int64(random.index(below: 5_000)))
    lastPosting = 600_000_000 + UInt64(random.index(below: 100_000_000))
  }

  init(_ saved: SavedPlayer, now: Int64, _ random: inout SeededGenerator) {
    self.init(id: saved.id, firstEvent: max(UInt64(max(0, now)), saved.lastEvent + SavedPlayer.eventGap), &random)
    balance = Amount(real: saved.real, bonus: saved.bonus)
    lastPosting = saved.lastPosting + SavedPlayer.eventGap
    postings = saved.postings ?? []
  }

  var wallet: Wallet {
    Wallet(currency: currency, real: Self.decimal(balance.real), bonus: Self.decimal(balance.bonus))
  }

  mutating func schedule(from now: Int64, pace: Int64, _ random: inout SeededGenerator) {
    nextPosting = now + pace / 2 + Int64(random.index(below: Int(pace)))
  }

  /// Plays the turns that are due by `now`, at most `most`. Skips the rest.
  mutating func play(to now: Int64, pace: Int64, most: Int, _ random: inout SeededGenerator) -> [AccountEvent] {
    // The due time is too far ahead if the clock was set back.
    if nextPosting > now + 2 * pace { schedule(from: now, pace: pace, &random) }
    var events: [AccountEvent] = []
    for _ in 0..<most where nextPosting <= now {
      for update in turn(&random) {
        let data = AccountMessage.balance(update).json(isV2: random.chance(0.5))
        events.append(log.append(data))
        recent = recent.suffix(3) + [data]
        // The real feed repeats a posting now and then, at once or later.
        if random.chance(0.06) { events.append(log.append(recent[random.index(below: recent.count)])) }
      }
      schedule(from: nextPosting, pace: pace, &random)
    }
    if nextPosting <= now { schedule(from: now, pace: pace, &random) }
    return events
  }

  /// Posts an amount: updates the balance and returns the update message.
  mutating func post(
    _ operation: BalanceUpdate.Operation, _ amount: Amount, transType: TransType, _ random: inout SeededGenerator
  ) -> BalanceUpdate {
    let sign: Int64 =
      switch operation {
      case .debit, .reserve: -1
      case .credit, .release: 1
      }
    balance.real += sign * amount.real
    balance.bonus += sign * amount.bonus
    lastPosting += 1 + UInt64(random.index(below: 40))
    // The real feed sometimes includes the unchanged part of the balance.
    let isWhole = random.chance(0.6)
    var changes: [WalletPart: BalanceUpdate.Change] = [:]
    if amount.real > 0 || isWhole || amount.bonus == 0 {
      changes[.real] = .init(affected: Self.decimal(amount.real), after: Self.decimal(balance.real))
    }
    if amount.bonus > 0 || isWhole {
      changes[.bonus] = .init(affected: Self.decimal(amount.bonus), after: Self.decimal(balance.bonus))
    }
    return BalanceUpdate(
      userID: id, currency: currency, operation: operation, transType: random.chance(0.75) ? transType.rawValue : nil,
      postingID: String(lastPosting), changes: changes)
  }

  mutating func remember(_ posting: KeyedPosting) {
    postings = postings.suffix(Self.maxKeyedPostings - 1) + [posting]
  }

  private static func decimal(_ hundredths: Int64) -> Decimal { Decimal(hundredths) / 100 }
}
