import Localization
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Filters: the parsing of their text and the rows that they match.
struct QueryTests {
  private static let context = FilterContext()

  private func node(_ text: String, _ words: Catalog = .english) throws(FilterError) -> FilterNode? {
    try FilterParser.node(text)
  }

  private static func units(_ number: Double) -> Int64 { Int64((number * 10_000_000).rounded()) }

  @Test(
    "A filter is parsed into its expression tree",
    arguments: [
      ("ars che", .words([FuzzyWord("ars"), FuzzyWord("che")])),
      ("odds < 2.0", .number(.odds, .less, units(2))), ("odds<2,05", .number(.odds, .less, units(2.05))),
      ("MARGIN >= 6%", .number(.margin, .atLeast, units(6))),
      ("favorite = 1.5", .number(.favourite, .equal, units(1.5))),
      ("start < 90m", .number(.start, .less, units(5400))), ("start < 2h", .number(.start, .less, units(7200))),
      ("start > -1.5h", .number(.start, .greater, units(-5400))),
      ("start <= 45", .number(.start, .atMost, units(2700))),
      ("score != 2:1", .score(.unequal, Score(home: 2, away: 1))), ("suspended", .flag(.suspended)),
      ("not live", .not(.flag(.live))), ("not not live", .flag(.live)),
      ("live and odds ≤ 3", .all([.flag(.live), .number(.odds, .atMost, units(3))])),
      ("live odds ≠ 3", .all([.flag(.live), .number(.odds, .unequal, units(3))])),
      ("live or ended and pinned", .any([.flag(.live), .all([.flag(.ended), .flag(.pinned)])])),
      ("(live or ended) pinned", .all([.any([.flag(.live), .flag(.ended)]), .flag(.pinned)])),
      ("country = france", .text(.country, .equal, FuzzyWord("france", isExact: true))),
      ("tournament ~ \"serie a\"", .text(.tournament, .contains, FuzzyWord("serie a", isExact: true))),
      ("name = 「國安」", .text(.name, .equal, FuzzyWord("國安", isExact: true))),
      ("ｏｄｄｓ＜２．５", .number(.odds, .less, units(2.5))),
      ("sport = tennis", .sport(.equal, FuzzyWord("tennis", isExact: true), known: [3])),
      ("sport = 網球", .sport(.equal, FuzzyWord("網球", isExact: true), known: [3])),
      ("sport = basket", .sport(.equal, FuzzyWord("basket", isExact: true), known: [8])),
      ("sport = 8", .sport(.equal, FuzzyWord("8", isExact: true), known: [8])),
      ("odds", .words([FuzzyWord("odds")])), ("\"live\"", .words([FuzzyWord("live", isExact: true)])),
      ("\"ajax", .words([FuzzyWord("ajax", isExact: true)])), ("wow!", .words([FuzzyWord("wow!")])),
      ("minute!=5", .number(.minute, .unequal, units(5))),
    ] as [(String, FilterNode)])
  func good(text: String, node expected: FilterNode) throws {
    #expect(try node(text) == expected)
  }

  @Test("A blank text is no filter", arguments: ["", " ", "\u{3000}"])
  func blank(text: String) throws {
    #expect(try node(text) == nil)
  }

  @Test(
    "An invalid filter is refused with the position of the error and a remedy",
    arguments: [
      ("odds <", 6, "'odds <' has no value: add one, such as 2.5"),
      ("live and odds < abc", 16, "'abc' is not a valid value for 'odds': use one such as 2.5"),
      ("odds < 1.123456789", 7, "'1.123456789' is not a valid value for 'odds': use one such as 2.5"),
      ("odds < 123456789012", 7, "'123456789012' is not a valid value for 'odds': use one such as 2.5"),
      ("score = 2", 8, "'2' is not a valid value for 'score': use one such as 2-1"),
      ("start < 5x", 8, "'5x' is not a valid value for 'start': use one such as 60m"),
      ("odds ~ 2", 5, "'odds' does not support '~': use <, <=, =, !=, >=, >"),
      ("country < france", 8, "'country' does not support '<': use =, !=, ~"),
      ("live and", 8, "a condition is missing here: add one, such as odds > 2.5"),
      ("or live", 0, "a condition is missing here: add one, such as odds > 2.5"),
      ("live and or ended", 9, "a condition is missing here: add one, such as odds > 2.5"),
      ("()", 1, "a condition is missing here: add one, such as odds > 2.5"),
      ("not", 3, "a condition is missing here: add one, such as odds > 2.5"),
      ("(live", 0, "unclosed parenthesis: close it"),
      ("live) ended", 4, "unmatched closing parenthesis: remove it"),
      ("odds = = 2", 7, "'odds =' has no value: add one, such as 2.5"),
    ])
  func bad(text: String, position: Int, sentence: String) {
    #expect { _ = try node(text) } throws: { error in
      guard let error = error as? FilterError else { return false }
      #expect(error.description == sentence)
      #expect(error.position == position, "\(text)")
      return true
    }
  }

  @Test("The error for an unknown field lists the valid fields")
  func unknownFields() {
    for (text, start) in [
      ("price < 2", "'price' cannot be compared: use one of odds, "), ("live = 2", "'live' cannot"),
      ("< 2", "'<' needs a field before it: use one of odds, "), ("\"odds\" < 2", "'odds' cannot"),
    ] {
      #expect { _ = try node(text) } throws: { ($0 as? FilterError)?.description.hasPrefix(start) == true }
    }
  }

  @Test("Parentheses can be nested up to 32 levels")
  func depth() throws {
    func text(_ levels: Int) -> String {
      String(repeating: "(", count: levels) + "live" + String(repeating: ")", count: levels)
    }
    #expect(try node(text(32)) == .flag(.live))
    #expect { _ = try node(text(33)) } throws: { ($0 as? FilterError)?.position == 32 }
  }

  @Test(
    "An unfinished filter uses the part that can be parsed",
    arguments: [
      ("odds <", nil), ("live and odds <", .flag(.live)), ("live or odds", .flag(.live)), ("live and (", .flag(.live)),
      ("ars odds < x", .words([FuzzyWord("ars")])), ("live) ended", .flag(.live)), ("(odds < 2", nil),
    ] as [(String, FilterNode?)])
  func starts(text: String, node: FilterNode?) {
    #expect(FilterParser.start(text) == node)
  }

  private static let expressions = [
    "odds < 2.0 and sport = tennis", "not (live or suspended) and country != \"Côte d'Ivoire\"",
    "(score = 2-1 or lead >= 2) minute > 80 ars", "start < 60m and margin > 6,5%", "「国安」 or name ~ 上海",
  ]

  @Test("Each prefix of a filter is valid or has an error position in its text", arguments: expressions)
  func prefixes(text: String) throws {
    #expect(try node(text) != nil)
    for count in 0..<text.count {
      let start = String(text.prefix(count))
      do {
        _ = try node(start)
      } catch {
        #expect(0...count ~= error.position, "\(start)")
      }
      _ = FilterParser.start(start)
    }
  }

  @Test("Any input is parsed, or refused with a message in each language", arguments: 0..<300)
  func wild(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "(", ")", "<", "!=", "!", "\"", "「", " ", "and", "or", "not", "odds", "live", "score", "2-1", "9", "é", "\u{301}",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "-", "99999999999", "start", "60m", "\u{202E}", "~", "%", "sport",
    ]
    let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined(
      separator: Bool.random(using: &random) ? " " : "")
    for language in Language.allCases {
      let words = Catalog(language)
      do {
        _ = try FilterParser.node(text)
      } catch {
        #expect(0...text.count ~= error.position, "\(text)")
        #expect(!words.text(error.sentence).isEmpty)
      }
      _ = FilterParser.start(text)
    }
  }

  private static let row = MatchRow(
    .football(odds: ["1.85", "3.1", "4.5"]), now: .zero, newest: nil)

  @Test(
    "A filter matches the rows that meet its conditions",
    arguments: [
      ("odds < 2", true), ("odds < 1.85", false), ("odds <= 1,85", true), ("odds > 4", true), ("not odds > 4", false),
      ("favourite > 1.84 favourite < 1.86", true), ("home = 1.85 draw = 3.1 away = 4.5", true), ("away < 4", false),
      ("margin > 8", true), ("margin > 9", false), ("live", true), ("pending", false), ("ended", false),
      ("suspended", false), ("pinned", false), ("minute > 0", false), ("minute != 5", false), ("not minute = 5", true),
      ("score = 0-0", false), ("start < 60m", false), ("name = ajax", true), ("name = porto", true),
      ("name = aja", false),
      ("name ~ aja", true), ("name = \"Ajax - Porto\"", true), ("name != ajax", false), ("country = \"\"", true),
      ("sport = football", true), ("sport = FOOTBALL", true), ("sport ~ foot", true), ("sport = 1", true),
      ("sport != football", false), ("sport = tennis", false), ("prt", true), ("ajx prt", true), ("ajx chelsea", false),
      ("\"ax - po\"", true), ("move > 5%", false),
    ])
  func matches(text: String, isMatch: Bool) throws {
    let filter = try #require(try MatchFilter(text, .english, Self.context))
    #expect(filter.matches(Self.row) == isMatch)
  }

  @Test(
    "A name equals that of the match or of one of its sides, whatever the feed puts between them",
    arguments: [" - ", " v ", " vs. ", " @ "])
  func sides(separator: String) throws {
    let labels = Match.Names(name: "Ajax\(separator)Paris - SG", home: "Ajax", away: "Paris - SG")
    let row = MatchRow(Match(id: 1, labels: labels), now: .zero, newest: nil)
    for (text, isMatch) in [
      ("name = ajax", true), ("name = \"paris - sg\"", true), ("name = \"\(labels.name)\"", true),
      ("name != AJAX", false), ("name = paris", false), ("name = sg", false), ("name = \"\"", false),
    ] {
      #expect(try MatchFilter(text, .english, Self.context)?.matches(row) == isMatch, "\(text)")
    }
    // A name that is not that of two sides.
    let whole = MatchRow(.named("Serie A\(separator)Winner", 1), now: .zero, newest: nil)
    for (text, isMatch) in [("name = winner", false), ("name = \"\"", false), ("name ~ winner", true)] {
      #expect(try MatchFilter(text, .english, Self.context)?.matches(whole) == isMatch, "\(text)")
    }
  }

  @Test("A filter uses the row's score, status, suspension and time until the start")
  func states() throws {
    var row = Self.row
    row.score = Score(home: 1, away: 3)
    row.status = .pending
    row.startTime = 1_000_000 + 30 * 60_000
    row.prices.first.state = .suspended
    var context = Self.context
    context.wall = 1_000_000
    for text in [
      "score = 1-3", "total = 4", "lead >= 2", "start < 31m", "start >= 30m", "suspended", "pending",
    ] {
      #expect(try MatchFilter(text, .english, context)?.matches(row) == true, "\(text)")
    }
    #expect(try MatchFilter("odds < 2", .english, context)?.matches(row) == false)
    context.pinned = [row.id]
    #expect(try MatchFilter("pinned", .english, context)?.matches(row) == true)
    // The largest values do not overflow.
    row.score = Score(home: .max, away: -5)
    row.startTime = .max
    for text in ["total > 0", "lead > 0", "start > 5d", "not start < 1s"] {
      #expect(try MatchFilter(text, .english, context)?.matches(row) == true, "\(text)")
    }
  }

  @Test(
    "The minute is that of the column MIN: without a value unless the match is in play",
    arguments: [(.inProgress, true), (.pending, false), (.ended, false), (.unknown, false)] as [(MatchStatus, Bool)])
  func minutes(status: MatchStatus, hasMinute: Bool) throws {
    var row = Self.row
    row.minute = 90
    row.status = status
    #expect((row.playedMinute != nil) == hasMinute)
    for text in ["minute > 80", "minute = 90", "minute != 5"] {
      #expect(try MatchFilter(text, .english, Self.context)?.matches(row) == hasMinute, "\(text)")
    }
  }

  @Test("A sport matches its name in English, in the board's language and in the feed")
  func sports() throws {
    let words = Catalog(.traditionalChinese)
    for text in ["sport = football", "sport = 足球", "sport ~ 足"] {
      #expect(try MatchFilter(text, words, Self.context)?.matches(Self.row) == true, "\(text)")
    }
    var state = ChannelState()
    state.apply(.of(FeedText.dump(FeedText.football(), #"{"_type":"SPORT","id":"1","name":"Fútbol"}"#)))
    let row = MatchRow(state.match(100)!, now: .zero, newest: nil)
    #expect(try MatchFilter("sport = futbol", words, Self.context)?.matches(row) == true)
    state.apply(.of(FeedText.update(FeedText.change("SPORT", 1, #""name":"Soccer""#))))
    #expect(state.match(100)!.labels.sport == "Soccer")
    state.apply(.of(FeedText.update(FeedText.delete("SPORT", 1))))
    #expect(state.match(100)!.labels.sport.isEmpty)
  }

  @Test("A filter for the history has each field and flag but those that the history does not record")
  func history() throws {
    let fields = FilterField.allCases.map { ($0.rawValue, $0.usage) }
    let flags = FilterFlag.allCases.map { ($0.rawValue, $0.rawValue) }
    var refused: [String] = []
    for (name, term) in fields + flags {
      for text in [term, "not \(term)", "ajax or (live \(term))"] {
        do throws(FilterError) { _ = try MatchQuery(text, .english, wall: 0) } catch {
          #expect(error == FilterError(at: 0, LocalizedMessage(.historyNoField, name)), "\(text)")
          refused.append(name)
        }
      }
    }
    #expect(refused == ["move", "minute", "pinned"].flatMap { Array(repeating: $0, count: 3) })
  }

  @Test("A filter for matches without their markets also refuses the fields and flags that need prices")
  func withoutPrices() {
    let fields = FilterField.allCases.map { ($0.rawValue, $0.usage) }
    let flags = FilterFlag.allCases.map { ($0.rawValue, $0.rawValue) }
    var refused: Set<String> = []
    for (name, term) in fields + flags {
      do throws(FilterError) { _ = try MatchQuery("not \(term)", .english, wall: 0, hasPrices: false) } catch {
        let key = ["move", "minute", "pinned"].contains(name) ? MessageKey.historyNoField : .historyNoPriceField
        #expect(error == FilterError(at: 0, LocalizedMessage(key, name)), "\(term)")
        refused.insert(name)
      }
    }
    let prices = ["odds", "favourite", "home", "draw", "away", "margin", "suspended"]
    #expect(refused == Set(prices + ["move", "minute", "pinned"]))
  }

  @Test("Matched words have positions in the names, and negated words have none")
  func found() throws {
    let labels = Self.row.labels
    func name(_ text: String) throws -> Set<Int>? {
      try MatchFilter(text, .english, Self.context)?.node.marks.matchedIndices(in: labels)[.name]
    }
    #expect(try name("ajx") == [0, 1, 3])
    #expect(try name("\"porto\" aj") == [0, 1, 7, 8, 9, 10, 11])
    #expect(try name("name ~ ort and odds < 2") == [8, 9, 10])
    #expect(try name("not ajax porto") == [7, 8, 9, 10, 11])
    #expect(try MatchFilter("odds < 2", .english, Self.context)?.node.marks == [])
  }
}
