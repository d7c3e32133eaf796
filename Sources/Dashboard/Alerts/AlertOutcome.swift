import Localization
import OddsModel
import TerminalCore

/// An outcome as a rule names it: `market "Handicap 1.5" outcome "Ajax"`.
///
/// The market and the outcome are each given by name, by id or by both. All given parts have to match: a market that
/// changes its handicap but keeps its id no longer matches its name. Names are those in the detail pane; case is
/// ignored.
struct AlertOutcome: Hashable, Sendable {
  /// A market or an outcome, given by its id, its name or both.
  struct Name<Entity>: Hashable, Sendable {
    let id: FeedID<Entity>?
    let text: String
    private let letters: [UInt16]

    init(_ id: FeedID<Entity>?, _ text: String) {
      self.id = id
      self.text = text
      letters = FoldedText(text).letters
    }

    func isName(_ name: String) -> Bool { text.isEmpty || text == name || FoldedText(name.cleaned).letters == letters }
  }

  let market: Name<Market>
  let outcome: Name<Outcome>
}

extension AlertOutcome {
  /// Creates the shortest name that identifies the outcome within the match; with both ids if no shorter one does.
  init(_ wanted: Outcome, of owner: Market, in match: Match) {
    let (title, name) = (MarketTitle(owner).text().ruleName, wanted.name.ruleName)
    let ids: [(MarketID?, OutcomeID?)] = [(nil, nil), (nil, wanted.id), (owner.id, nil), (owner.id, wanted.id)]
    let candidates = ids.map { AlertOutcome(market: Name($0, title), outcome: Name($1, name)) }
    self = candidates.first { $0.isWhole && $0.outcomes(in: match).count == 1 } ?? candidates[3]
  }

  private var isWhole: Bool {
    (market.id != nil || !market.text.isEmpty) && (outcome.id != nil || !outcome.text.isEmpty)
  }

  /// Returns the outcomes of the match that have this name. There can be several, because names need not be unique.
  func outcomes(in match: Match) -> [(market: Market, outcome: Outcome)] {
    var found: [(market: Market, outcome: Outcome)] = []
    for owner in match.markets where isName(of: owner) {
      for candidate in owner.outcomes where isName(of: candidate) { found.append((owner, candidate)) }
    }
    return found
  }

  func isName(of candidate: Outcome, in owner: Market) -> Bool { isName(of: owner) && isName(of: candidate) }

  private func isName(of owner: Market) -> Bool {
    if let id = market.id, id != owner.id { return false }
    let title = MarketTitle(owner)
    // The user may copy a name from the detail pane, which can format decimals with a comma.
    return market.isName(title.text())
      || owner.handicap != nil && market.isName(title.text(decimalPoint: ","))
  }

  private func isName(of candidate: Outcome) -> Bool {
    if let id = outcome.id, id != candidate.id { return false }
    return outcome.isName(candidate.name)
  }
}

extension String {
  /// The name as written in a rule. Empty if it has characters that cannot be typed, or more than 100 code points.
  var ruleName: String {
    let text = cleaned
    return text.contains("\u{FFFD}") || text.unicodeScalars.count > 100 ? "" : text
  }
}

/// The name of a market with its handicap, which is left out if a number of the name is equal to it: "Handicap -0.5".
struct MarketTitle: Hashable, Sendable {
  let name: String
  /// The handicap in ten-millionths.
  let handicap: Int64?

  init(name: String, handicap: Int64?) {
    self.name = name
    self.handicap = handicap
  }

  init(_ market: Market) { self.init(name: market.name, handicap: market.handicap) }

  /// Returns the text with the decimal separator of a language.
  func text(_ words: Catalog) -> String { text(decimalPoint: "\(Unicode.Scalar(words.decimalPoint))") }

  func text(decimalPoint: String = ".") -> String {
    guard let handicap else { return name }
    let one = DecimalOdds.unitsPerOne
    let value = Double(handicap) / Double(one)
    if hasNumber(value) { return name }
    let number = handicap % one == 0 ? "\(handicap / one)" : "\(value)"
    return "\(name) \(decimalPoint == "." ? number : number.replacing(".", with: decimalPoint))"
  }

  /// Returns true if a number of the name has that value. A digit of an ordinal is no number: "1st", "1. Halbzeit", "第1節".
  private func hasNumber(_ value: Double) -> Bool {
    // A fast path: many names have no digits.
    guard name.utf8.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return false }
    return name.split { !$0.isCased && !"0123456789+-.,第ºª".contains($0) }.contains { word in
      if word.hasSuffix(".") { return false }
      return Double((word.hasSuffix(",") ? word.dropLast() : word).replacing(",", with: ".")) == value
    }
  }
}
