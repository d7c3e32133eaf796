import OddsModel
import TestSupport

@testable import Dashboard

/// A filter as a tree, which is written as text and evaluated on a match without the parser and the rows of the board.
indirect enum FilterExpression {
  case all([FilterExpression])
  case any([FilterExpression])
  case not(FilterExpression)
  case flag(FilterFlag)
  /// A comparison with a number in hundredths; for `start`, in hundredths of a second.
  case number(FilterField, sign: String, value: Int64, text: String)
  case score(sign: String, value: Score, text: String)
  case text(FilterField, sign: String, value: String)
  case word(String, isQuoted: Bool)
}

extension FilterExpression {
  /// Returns the text of the filter, in one of its forms.
  func written(using random: inout SeededRandom) -> String {
    switch self {
    case .all(let nodes): return Self.joined(nodes, [" ", " and ", " AND "], isAny: false, using: &random)
    case .any(let nodes): return Self.joined(nodes, [" or ", " OR "], isAny: true, using: &random)
    case .not(let node): return "not " + node.operand(isOfAny: false, using: &random)
    case .flag(let flag): return Self.keyword(flag.rawValue, using: &random)
    case .number(let field, let sign, _, let text):
      return Self.comparison(field, sign, text, using: &random)
    case .score(let sign, _, let text): return Self.comparison(.score, sign, text, using: &random)
    case .text(let field, let sign, let value):
      let needsQuotes = value.isEmpty || value.contains(" ")
      let isQuoted = needsQuotes || Bool.random(using: &random)
      return Self.comparison(field, sign, isQuoted ? Self.quoted(value, using: &random) : value, using: &random)
    case .word(let word, let isQuoted): return isQuoted ? Self.quoted(word, using: &random) : word
    }
  }

  private var isGroup: Bool {
    switch self {
    case .all, .any: true
    case .not, .flag, .number, .score, .text, .word: false
    }
  }

  /// Returns the text in parentheses if it needs them, and sometimes if it does not. "and" binds more tightly than
  /// "or".
  private func operand(isOfAny: Bool, using random: inout SeededRandom) -> String {
    let text = written(using: &random)
    let isParenthesized = isGroup && !isOfAny || Int.random(in: 0..<4, using: &random) == 0
    return isParenthesized ? "(\(text))" : text
  }

  private static func joined(
    _ nodes: [FilterExpression], _ separators: [String], isAny: Bool, using random: inout SeededRandom
  ) -> String {
    var text = ""
    for node in nodes {
      if !text.isEmpty { text += separators.randomElement(using: &random)! }
      text += node.operand(isOfAny: isAny, using: &random)
    }
    return text
  }

  private static func comparison(
    _ field: FilterField, _ sign: String, _ value: String, using random: inout SeededRandom
  ) -> String {
    let blank = Bool.random(using: &random) ? " " : ""
    return keyword(field.rawValue, using: &random) + blank + sign + blank + value
  }

  private static func keyword(_ word: String, using random: inout SeededRandom) -> String {
    Bool.random(using: &random) ? word : word.uppercased()
  }

  private static func quoted(_ text: String, using random: inout SeededRandom) -> String {
    let marks = [["\"", "\""], ["“", "”"], ["«", "»"], ["「", "」"]].randomElement(using: &random)!
    return marks[0] + text + marks[1]
  }
}

extension FilterExpression {
  /// Returns a random filter.
  static func make(depth: Int, using random: inout SeededRandom) -> FilterExpression {
    func nodes() -> [FilterExpression] {
      (0..<Int.random(in: 2...3, using: &random)).map { _ in make(depth: depth - 1, using: &random) }
    }
    switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &random) {
    case 0: return .flag(FilterFlag.allCases.randomElement(using: &random)!)
    case 1, 2: return makeNumber(using: &random)
    case 3: return makeText(using: &random)
    case 4: return makeWord(using: &random)
    case 5, 6: return .all(nodes())
    case 7, 8: return .any(nodes())
    default: return .not(make(depth: depth - 1, using: &random))
    }
  }

  private static func makeNumber(using random: inout SeededRandom) -> FilterExpression {
    let fields: [FilterField] = [
      .odds, .favourite, .home, .draw, .away, .margin, .move, .minute, .score, .total, .lead, .start, .start,
    ]
    let field = fields.randomElement(using: &random)!
    let sign = ["<", "<=", "=", "!=", ">=", ">", "≤", "≥", "≠", "=="].randomElement(using: &random)!
    let values: [Int64]
    var unit = ""
    switch field {
    case .start:
      let units: [(text: String, step: Int64, seconds: Int64)] = [
        ("s", 1800, 1), ("m", 30, 60), ("", 30, 60), ("h", 1, 3600), ("d", 1, 86_400),
      ]
      let (text, step, seconds) = units.randomElement(using: &random)!
      let count = step * Int64.random(in: -2...4, using: &random)
      return .number(field, sign: sign, value: count * seconds * 100, text: "\(count)\(text)")
    case .score:
      let (home, away) = (Int.random(in: 0...2, using: &random), Int.random(in: 0...2, using: &random))
      let text = "\(home)\(Bool.random(using: &random) ? "-" : ":")\(away)"
      return .score(
        sign: Bool.random(using: &random) ? "=" : "!=", value: Score(home: home, away: away), text: text)
    case .margin:
      values = [-500, 0, 650, 1000, 2500]
      unit = Bool.random(using: &random) ? "%" : ""
    case .move: values = [0, 500]
    case .minute: values = [0, 4500, 8000, 9000]
    case .total, .lead: values = [0, 100, 200, 300]
    default: values = [150, 175, 200, 250, 305]
    }
    let value = values.randomElement(using: &random)!
    return .number(field, sign: sign, value: value, text: decimal(value, using: &random) + unit)
  }

  private static func decimal(_ hundredths: Int64, using random: inout SeededRandom) -> String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    let point = Bool.random(using: &random) ? "." : ","
    return "\(whole)\(point)\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func makeText(using random: inout SeededRandom) -> FilterExpression {
    let fields: [FilterField] = [.name, .name, .name, .tournament, .country, .part, .sport]
    let field = fields.randomElement(using: &random)!
    let values: [String]
    switch field {
    case .name:
      values = FilterNames.sides + ["Ajax - Porto", "Ajax v Porto", "Porto vs. Ajax", "aj", "sg", "Final", ""]
    case .tournament: values = FilterNames.tournaments + ["serie"]
    case .country: values = FilterNames.countries + ["d'iv"]
    case .part: values = FilterNames.parts + ["half"]
    default: values = FilterNames.sports + ["Tennis", "網球", "Basketball", "ball", "1", "3", "9"]
    }
    let value = values.randomElement(using: &random)!
    let form = [value, value.uppercased(), FilterNames.folded(value)].randomElement(using: &random)!
    return .text(field, sign: ["=", "!=", "≠", "~"].randomElement(using: &random)!, value: form)
  }

  private static func makeWord(using random: inout SeededRandom) -> FilterExpression {
    if Bool.random(using: &random) {
      let texts = ["ax", "Paris - SG", "o v a", "serie a", "北京", "ND H", "é", "zz", ""]
      return .word(texts.randomElement(using: &random)!, isQuoted: true)
    }
    let words = ["ajx", "ajax", "prt", "atmd", "Atlé", "bes", "国安", "海北", "2h", "fr", "CÔT", "sera", "psg", "zz", "a"]
    return .word(words.randomElement(using: &random)!, isQuoted: false)
  }
}
