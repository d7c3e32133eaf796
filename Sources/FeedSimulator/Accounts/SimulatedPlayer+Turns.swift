import AccountModel

/// The actions of a player: bets, wins and deposits.
extension SimulatedPlayer {
  /// The transaction types of postings. The numbers are specific to the simulator.
  enum TransType: Int {
    case bet = 1, win, deposit, bonus, game
  }

  private static let maxBets = 4
  private static let stakes: [Int64] = [50, 100, 200, 250, 500, 750, 1_000, 1_275, 1_999, 2_500]

  /// Plays one turn and returns its postings, at least one. Each balance after a posting is the previous one, minus the
  /// amount debited or reserved, plus the amount credited or released. No balance is ever negative.
  mutating func turn(_ random: inout SeededGenerator) -> [BalanceUpdate] {
    if let bet = bets.first, bets.count == Self.maxBets || random.chance(0.55) {
      bets.removeFirst()
      return decide(bet, &random)
    }
    guard let stake = stake(&random) else { return [payIn(&random)] }
    if random.chance(0.3) {
      // A casino game is decided at once.
      let debit = post(.debit, stake, transType: .game, &random)
      return random.chance(0.3) ? [debit, win(stake, &random)] : [debit]
    }
    bets.append(Bet(stake: stake, isReserved: true))
    return [post(.reserve, stake, transType: .bet, &random)]
  }

  /// Credits an amount in hundredths to real money, or debits it if negative. Returns nil if the balance is too low.
  mutating func adjust(by hundredths: Int64, _ random: inout SeededGenerator) -> AccountEvent? {
    guard balance.real + hundredths >= 0 else { return nil }
    let update = post(
      hundredths < 0 ? .debit : .credit, Amount(real: abs(hundredths), bonus: 0), transType: .deposit, &random)
    return log.append(AccountMessage.balance(update).json())
  }

  /// Returns a random stake, split into bonus and real money, or nil if the balance is too low.
  private func stake(_ random: inout SeededGenerator) -> Amount? {
    let whole = Self.stakes[random.index(below: Self.stakes.count)]
    guard balance.total >= whole else { return nil }
    let bonus = balance.real < whole || random.chance(0.3) ? min(balance.bonus, whole) : 0
    let real = min(balance.real, whole - bonus)
    return Amount(real: real, bonus: whole - real)
  }

  private mutating func decide(_ bet: Bet, _ random: inout SeededGenerator) -> [BalanceUpdate] {
    if !bet.isReserved { return [win(bet.stake, &random)] }
    let release = post(.release, bet.stake, transType: .bet, &random)
    // One bet in five is rejected. For the others the released stake is debited.
    if random.chance(0.2) { return [release] }
    if random.chance(0.45) { bets.append(Bet(stake: bet.stake, isReserved: false)) }
    return [release, post(.debit, bet.stake, transType: .bet, &random)]
  }

  /// Posts the winnings of a stake. Winnings of bonus money are bonus money.
  private mutating func win(_ stake: Amount, _ random: inout SeededGenerator) -> BalanceUpdate {
    let hundredths = 120 + Int64(random.index(below: 280))
    let won = Amount(real: stake.real * hundredths / 100, bonus: stake.bonus * hundredths / 100)
    return post(.credit, won, transType: .win, &random)
  }

  private mutating func payIn(_ random: inout SeededGenerator) -> BalanceUpdate {
    let amount = Amount(real: 1_000 * Int64(2 + random.index(below: 20)), bonus: random.chance(0.5) ? 1_000 : 0)
    return post(.credit, amount, transType: amount.bonus > 0 ? .bonus : .deposit, &random)
  }
}
