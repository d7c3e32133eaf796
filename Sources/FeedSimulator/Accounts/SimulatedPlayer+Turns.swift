import AccountModel

/// What a player does: bets, wins, and pays in.
extension SimulatedPlayer {
  /// What a posting is for, by numbers of our own.
  private enum TransType {
    static let bet = 1
    static let win = 2
    static let deposit = 3
    static let bonus = 4
    static let game = 5
  }

  private static let mostBets = 4
  private static let stakes: [Int64] = [50, 100, 200, 250, 500, 750, 1_000, 1_275, 1_999, 2_500]

  /// The postings of one moment: at least one. Each amount after a posting is the one before it, less what is debited or
  /// reserved, and more what is credited or released; none is ever below zero.
  mutating func turn(_ random: inout SeededGenerator) -> [BalanceUpdate] {
    if let bet = bets.first, bets.count == Self.mostBets || random.chance(0.55) {
      bets.removeFirst()
      return decide(bet, &random)
    }
    guard let stake = stake(&random) else { return [payIn(&random)] }
    if random.chance(0.3) {
      // A game: decided at once.
      let debit = post(.debit, stake, transType: TransType.game, &random)
      return random.chance(0.3) ? [debit, win(stake, &random)] : [debit]
    }
    bets.append(Bet(stake: stake, isReserved: true))
    return [post(.reserve, stake, transType: TransType.bet, &random)]
  }

  /// Credits real money, or debits it; nil where there is less.
  mutating func adjust(by hundredths: Int64, _ random: inout SeededGenerator) -> AccountEvent? {
    guard balance.real + hundredths >= 0 else { return nil }
    let update = post(
      hundredths < 0 ? .debit : .credit, Amount(real: abs(hundredths), bonus: 0), transType: TransType.deposit, &random)
    return tell(AccountMessage.balance(update).json())
  }

  /// What is staked, of the bonus first; nil where there is too little.
  private func stake(_ random: inout SeededGenerator) -> Amount? {
    let whole = Self.stakes[random.index(below: Self.stakes.count)]
    guard balance.total >= whole else { return nil }
    let bonus = balance.real < whole || random.chance(0.3) ? min(balance.bonus, whole) : 0
    let real = min(balance.real, whole - bonus)
    return Amount(real: real, bonus: whole - real)
  }

  private mutating func decide(_ bet: Bet, _ random: inout SeededGenerator) -> [BalanceUpdate] {
    if !bet.isReserved { return [win(bet.stake, &random)] }
    let release = post(.release, bet.stake, transType: TransType.bet, &random)
    // One in five bets is not taken; of the others the stake is debited as it is released.
    if random.chance(0.2) { return [release] }
    if random.chance(0.45) { bets.append(Bet(stake: bet.stake, isReserved: false)) }
    return [release, post(.debit, bet.stake, transType: TransType.bet, &random)]
  }

  /// What a bonus wins is a bonus.
  private mutating func win(_ stake: Amount, _ random: inout SeededGenerator) -> BalanceUpdate {
    let hundredths = 120 + Int64(random.index(below: 280))
    let won = Amount(real: stake.real * hundredths / 100, bonus: stake.bonus * hundredths / 100)
    return post(.credit, won, transType: TransType.win, &random)
  }

  private mutating func payIn(_ random: inout SeededGenerator) -> BalanceUpdate {
    let amount = Amount(real: 1_000 * Int64(2 + random.index(below: 20)), bonus: random.chance(0.5) ? 1_000 : 0)
    return post(.credit, amount, transType: amount.bonus > 0 ? TransType.bonus : TransType.deposit, &random)
  }
}
