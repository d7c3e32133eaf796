import Localization
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The syntax of alert rules.
struct AlertRuleTests {
  @Test(
    "A rule is parsed and written back in its canonical form",
    arguments: [
      ("1 >= 2.10", "1 >= 2.10"), ("1>=2.1", "1 >= 2.10"), ("home ≥ 2,1", "1 >= 2.10"),
      ("X < 3", "X < 3.00"), ("draw<3.0000001", "X < 3.0000001"), ("FAV <= 1.5", "favourite <= 1.50"),
      ("any > 100 once", "any > 100.00"), ("any any > 100", "any > 100.00"), ("all 2 > 9", "2 > 9.00"),
      ("1 >= 2.1 again", "1 >= 2.10 again by 2%"), ("1 >= 2.1 again by 2.50 %", "1 >= 2.10 again by 2.5%"),
      ("1 >= 2.1 again by 0.01%", "1 >= 2.10 again by 0.01%"), ("1 >= 2 again by 12", "1 >= 2.00 again by 12%"),
      (#"match 1234 "Ajax - Porto" 1 >= 2.10"#, #"match 1234 "Ajax - Porto" 1 >= 2.10"#),
      ("MATCH 1234 suspended", "match 1234 suspended"),
      (#"match "a:1" "quote \" and \\" score"#, #"match "a:1" "quote \" and \\" score"#),
      ("premier  league favourite < 1.5", #""premier league" favourite < 1.50"#),
      (#""match" suspended"#, #""match" suspended"#), (#""" suspended"#, "suspended"),
      (#"man "united 1 > 2" kickoff"#, #""man united 1 > 2" kickoff"#),
      ("move 5% in 10m", "any move 5% in 10m"), ("arsenal up 5 % in 600s", #""arsenal" any up 5% in 10m"#),
      ("2 down 0.5% in 90s again", "2 down 0.5% in 90s again"), ("any move 5% in 120min", "any move 5% in 2h"),
      (#"market "Handicap 1.5" outcome "Ajax" >= 2.1"#, #"market "Handicap 1.5" outcome "Ajax" >= 2.10"#),
      (
        #"MATCH 7 "A - B" Market 12 "讓分 \"1.5\"" OUTCOME 34 move 5% in 10m again"#,
        #"match 7 "A - B" market 12 "讓分 \"1.5\"" outcome 34 move 5% in 10m again"#
      ),
      (
        #"lens market id "a:1" outcome id "b" "Over" suspended"#,
        #""lens" market id "a:1" outcome id "b" "Over" suspended"#
      ),
      (#"market 12 outcome id 34 resumed once"#, "market 12 outcome 34 resumed once"),
      ("market place suspended", #""market place" suspended"#), ("market 1 > 2", #""market" 1 > 2.00"#),
      ("suspended", "suspended"), ("suspended again", "suspended"), ("resumed once", "resumed once"),
      ("minute > 80 and lead = 0", "when minute > 80 and lead = 0"),
      ("odds<2 and live again", "when odds<2 and live again"),
      ("favourite < 1.5 and live once", "when favourite < 1.5 and live"),
      ("(odds < 2 or odds > 9) not ended", "when (odds < 2 or odds > 9) not ended"),
      ("ajax when odds < 2", #""ajax" when odds < 2"#), ("match 7 when live", "match 7 when live"),
      ("EVERY outcome when odds < 1.1", "every outcome when odds < 1.1"),
      ("every outcome odds < 1.1 and live", "every outcome when odds < 1.1 and live"),
      ("every outcome >= 2.5 again", "every outcome >= 2.50 again by 2%"),
      ("ajax every outcome down 5% in 10m", #""ajax" every outcome down 5% in 10m"#),
      ("every outcome lowest of the day", "every outcome lowest in 24h"),
      ("every outcome move 10% from opening again", "every outcome move 10% from opening again"),
      (#"market 12 outcome 34 when odds < 2 and live"#, "market 12 outcome 34 when odds < 2 and live"),
      ("1 move 10% from opening", "1 move 10% from opening"),
      ("up 5% from opening again", "any up 5% from opening again"),
      ("lowest in 24h", "any lowest in 24h"), ("favourite highest in 90m again", "favourite highest in 90m again"),
      ("brighton and hove 1 > 2", #""brighton and hove" 1 > 2.00"#),
      ("kickoff", "kickoff"), ("kick-off in 5m", "kickoff in 5m"), ("goal", "score"), ("浦和 score", #""浦和" score"#),
    ])
  func canonical(text: String, canonical: String) throws {
    let rule = try AlertRule(text)
    #expect(rule.text == canonical)
    #expect(try AlertRule(canonical) == rule)
  }

  @Test(
    "An invalid rule is refused with the position of the error and a remedy",
    arguments: [
      ("", 0, "missing condition"), ("   ", 3, "missing condition"), ("arsenal", 7, "missing condition"),
      ("1 >= ", 5, "'' is not a price"), ("1 >= 1", 5, "'1' is not a price"), ("1 >= 0.5", 5, "not a price"),
      ("1 >= 2.12345678", 5, "at most 7 decimals"), ("1 >= 1000000.1", 5, "not a price"), ("1 >= 2.", 5, "not a price"),
      ("1 >= x", 5, "'x' is not a price"), ("1 >= ٢", 5, "not a price"), ("1 => 2", 2, "'=>' is not a comparison"),
      ("1 = 2", 2, "'=' is not a comparison"), ("3 >= 2.1", 0, "'3' is not a price of a match"),
      ("arsenal >= 2.1", 0, "'arsenal' is not a price"), (">= 2.1", 0, "'>=' is not a price"),
      ("1 >= 2.1 twice", 9, "unexpected 'twice'"), ("kickoff again", 8, "unexpected 'again'"),
      ("suspended again by 2%", 16, "unexpected 'by'"), ("1 >= 2.1 again by 0%", 18, "from 0.01% to 50%"),
      ("1 >= 2.1 again by 51%", 18, "from 0.01% to 50%"), ("move 5%", 7, "needs a time span"),
      ("move 5% 10m", 8, "needs a time span"), ("move 5% in 10", 11, "'10' is not a valid time"),
      ("move 5% in 25h", 11, "at most 24h"), ("move 5% in 0s", 11, "not a valid time"),
      ("move 1001% in 5m", 5, "to 1000%"),
      ("when", 4, "odds > 2.5"), ("ajax when odds < x", 17, "'x'"),
      ("minute > 80 and goals > 1", 16, "'goals'"), ("when move > 5%", 5, "'move'"),
      ("when live and pinned", 5, "'pinned'"),
      ("lowest", 6, "or of the day"), ("every outcome", 13, "missing condition"),
      ("every outcome move 5%", 21, "needs a time span"), ("every outcome suspended", 14, "'suspended' is not"),
      ("arsenal and porto", 17, "missing condition"),
      ("kickoff in", 10, "'' is not a valid time"), ("match arsenal 1 >= 2", 6, "'arsenal' is not a match id"),
      ("match", 5, "not a match id"),
      (#"match 12 "Ajax 1 >= 2"#, 9, "missing closing quotation mark"),
      (#"market "Total 2.5" > 2"#, 19, "'>' is not an outcome"),
      (#"market "" outcome "x" > 2"#, 7, "'' is not a market"), (#"market "x" outcome"#, 18, "'' is not an outcome"),
      (#"market "x" outcome over > 2"#, 19, "'over' is not an outcome"),
      (#"market "x" outcome "y""#, 22, "missing condition"),
      (#"market "x" outcome "y" = 2"#, 23, "'=' is not a comparison"), ("1 >= 99999999999999999999", 5, "not a price"),
    ])
  func refused(text: String, position: Int, sentence: String) {
    do {
      let rule = try AlertRule(text)
      Issue.record("'\(text)' is read as '\(rule.text)'")
    } catch {
      #expect(error.position == position, "\(text): \(error)")
      #expect(error.description.contains(sentence), "\(text): \(error)")
    }
  }

  @Test("A rule equals the rule that is parsed from its text")
  func law() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<3000 {
      let rule = AlertRule.random(using: &random)
      #expect(try AlertRule(rule.text) == rule, "\(rule.text)")
    }
  }

  @Test("Any text is parsed, or refused with a position in the text")
  func anyText() {
    var random = SeededRandom(seed: 8)
    let pieces = AlertRule.vocabulary + ["\"", "\\", " ", "5%", "10m", "2.10", "12", "浦和", "é", "\u{202E}", ",", "="]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      do throws(FilterError) {
        let rule = try AlertRule(text)
        #expect((try? AlertRule(rule.text)) == rule, "\(text)")
      } catch { #expect(0...text.count ~= error.position, "\(text)") }
    }
  }
}

extension AlertRule {
  static func random(using random: inout SeededRandom) -> AlertRule {
    let words = ["a", "any", "match", "1", "x", "move", "\"", "\\", "é浦", "suspended", ">=", "%", "again"]
    func text(_ random: inout SeededRandom) -> String {
      (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random)! }
        .joined(separator: " ")
    }
    let scope: Scope =
      switch Int.random(in: 0...2, using: &random) {
      case 0: .all
      case 1: .words(text(&random))
      default:
        .match(
          MatchID(raw: .random(in: 1...1_000_000, using: &random)),
          name: Bool.random(using: &random) ? "" : text(&random))
      }
    let percent = Percent(hundredths: .random(in: 1...5000, using: &random))
    let span = Duration.seconds(Int.random(in: 1...86_400, using: &random))
    func name<Entity>(_ random: inout SeededRandom) -> AlertOutcome.Name<Entity> {
      let ids: [FeedID<Entity>] = [
        FeedID(raw: .random(in: 1...1_000_000, using: &random)), FeedID("007")!, FeedID("a:\"1")!,
      ]
      let id = Bool.random(using: &random) ? ids.randomElement(using: &random)! : nil
      return AlertOutcome.Name(id, id != nil && Bool.random(using: &random) ? "" : text(&random))
    }
    let outcome = Bool.random(using: &random) ? AlertOutcome(market: name(&random), outcome: name(&random)) : nil
    let pick =
      outcome.map { .outcome($0) } ?? (Selection.words.map(\.selection) + [.everyOutcome]).randomElement(
        using: &random)!
    switch Int.random(in: 0...5, using: &random) {
    case 0: return AlertRule(scope, .suspended(outcome), Bool.random(using: &random) ? .once : .again)
    case 1: return AlertRule(scope, .resumed(outcome), Bool.random(using: &random) ? .once : .again)
    case 2: return AlertRule(scope, .kickOff(before: Bool.random(using: &random) ? .zero : span))
    case 3: return AlertRule(scope, .score, Bool.random(using: &random) ? .once : .again)
    case 4:
      let direction = Direction.allCases.randomElement(using: &random)!
      return AlertRule(
        scope, .move(pick, direction, percent, within: span), Bool.random(using: &random) ? .once : .again)
    default:
      let odds = DecimalOdds(units: .random(in: 10_000_001...10_000_000_000_000, using: &random))
      let comparison = comparisons.randomElement(using: &random)!
      return AlertRule(
        scope, .price(pick, comparison, odds), Bool.random(using: &random) ? .once : .againBy(percent))
    }
  }
}
