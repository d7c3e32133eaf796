import Localization
import OddsModel

/// The input of the bet calculator. No bet is placed with it.
struct BetTicket: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// A stake on the selected outcome.
    case back
    /// A stake against the selected outcome.
    case lay
    /// The amount that a stake against the selected outcome may lose.
    case liability
    /// A total that is split among the marked outcomes.
    case dutch
    /// A part of a bank on the selected outcome, by the Kelly criterion.
    case kelly

    /// True for a bet against the outcome.
    var isLay: Bool { self == .lay || self == .liability }
  }

  /// The word that closes the calculator.
  static let closingWord = "off"

  let kind: Kind
  /// The stake, the liability, the total or the bank, in the smallest parts of `unit`.
  let amount: Int128
  let unit: MoneyUnit
  /// The probability of the outcome in ten-millionths; nil for the fair one.
  var chance: Int64?

  /// The ticket as it is typed.
  var text: String {
    let number = Self.plainText(amount, decimals: unit.decimals)
    return "\(kind.rawValue) \(number)" + (chance.map { " \(Self.percentage($0))%" } ?? "")
  }

  /// Returns a probability in ten-millionths as a number of per cent.
  static func percentage(_ chance: Int64) -> String { plainText(Int128(chance), decimals: 5) }

  /// Returns a number of parts as a decimal number without zeros at its end.
  private static func plainText(_ parts: Int128, decimals: Int) -> String {
    var digits = "\(parts)"
    digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    var rest = digits.suffix(decimals)
    while rest.last == "0" { rest.removeLast() }
    return digits.dropLast(decimals) + (rest.isEmpty ? "" : ".\(rest)")
  }

  /// Returns the amount in the parts of another unit; nil if that has too few decimals.
  func amount(in other: MoneyUnit) -> Int128? {
    let (parts, rest) = (amount * other.partCount).quotientAndRemainder(dividingBy: unit.partCount)
    return rest == 0 ? parts : nil
  }
}

extension BetTicket {
  /// Parses the argument of `:calculate`: a kind, an amount in `unit` and, for a Kelly stake, a probability in per
  /// cent.
  init(_ line: CommandText, _ unit: MoneyUnit) throws(FilterError) {
    let rest = CommandText(line.argument)
    kind = try line.choice(rest.name, at: line.argumentStart, of: Kind.allCases.map { ($0.rawValue, $0) })
    let start = line.argumentStart + rest.argumentStart
    let tokens = Tokenizer.tokens(rest.argument, .command)
    guard let text = tokens.first?.text, let amount = unit.amount(text), amount > 0 else {
      throw FilterError(at: start, LocalizedMessage(.calculatorNoAmount, tokens.first?.text ?? "", unit.decimals))
    }
    self.amount = amount
    self.unit = unit
    guard let word = tokens.dropFirst().first else { return }
    let position = start + word.range.lowerBound
    guard kind == .kelly else {
      throw FilterError(at: position, LocalizedMessage(.calculatorNoEffect, word.text, Kind.kelly.rawValue))
    }
    guard word.text.last == "%", let billionths = Quantity.number(word.text.dropLast()),
      case let chance = billionths / 100, chance * 100 == billionths,
      1..<BetCalculation.certainty ~= chance
    else { throw FilterError(at: position, LocalizedMessage(.calculatorNoChance, word.text)) }
    self.chance = chance
    if let more = tokens.dropFirst(2).first {
      throw FilterError(at: start + more.range.lowerBound, LocalizedMessage(.alertTooMuch, more.text))
    }
  }
}
