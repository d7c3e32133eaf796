import Testing

@testable import Localization

/// The rules for the texts of each language.
struct StyleTests {
  /// The texts that are the same as in English: symbols, units and common words.
  private static let sameAsEnglish: [Language: Set<String>] = [
    .english: [],
    .french: [
      "verbatim", "joinedSentences", "joinedWords", "listedWords", "columnScore", "columnMatch", "columnHome",
      "columnAway", "columnSport", "columnMinute", "columnFavourite", "rowLive", "modeHiddenMark",
      "modeUnservedMark", "groupCount.one",
      "ageSeconds", "ageMinutes", "ageHours", "statusMaintenance", "playbackMax", "playbackTimes", "counterChanges",
      "perSecond", "hintPause", "hintJump", "figureMessages", "figureSource", "figureSports", "figureRelations",
      "figureDivergences", "unitMilliseconds", "sourceCache", "sourceREST", "channelFootball", "channelTennis",
      "channelOfSport", "manualSynopsis", "manualOptions", "manualConfiguration", "manualDescription", "manualSentence",
      "detailColumnChance",
      "tokenFromElsewhere",
      "accountSession", "accountBonus", "accountTotal", "titleBoard", "alertOutcome", "alertPrice", "plainStatement",
      "plainPrice", "channelNFL", "channelNBA", "channelMLB", "channelNHL", "channelPremierLeague",
    ],
    .traditionalChinese: [
      "verbatim", "playbackTimes", "keyEscape", "keyEnter", "keyBackTab", "keyPageUp", "keyPageDown", "keyHome",
      "keyEnd", "unitKilobytes", "accountGoHomeKey", "accountLoginKey",
      "accountStayKey", "accountLogOutKey",
      "unitMegabytes", "modeHiddenMark", "modeUnservedMark", "sourceREST", "titleBoard", "plainPrice", "channelNFL",
      "channelNBA",
      "channelMLB", "channelNHL",
      "channelPremierLeague",
    ],
  ]

  private static func texts(_ language: Language) -> [String: String] { CatalogFile(of: language).texts }

  @Test("Only the listed texts are the same as in English", arguments: [Language.french, .traditionalChinese])
  func translated(language: Language) {
    let english = Self.texts(.english)
    let same = Self.texts(language).filter { english[$0.key] == $0.value }.keys
    #expect(Set(same) == Self.sameAsEnglish[language]!)
  }

  @Test("Texts have no control characters, non-breaking spaces or double blanks", arguments: Language.allCases)
  func characters(language: Language) {
    for (key, text) in Self.texts(language) {
      #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(key)")
      #expect(!text.contains("\u{A0}") && !text.contains("  "), "\(key)")
    }
  }

  @Test("French has narrow blanks before ; : ! ? and inside « », and no other quotes")
  func french() {
    let english = Self.texts(.english)
    for (key, text) in Self.texts(.french) {
      let scalars = Array(text.unicodeScalars)
      for (at, scalar) in scalars.enumerated() {
        let before = at > 0 ? scalars[at - 1] : " "
        let after = at + 1 < scalars.count ? scalars[at + 1] : " "
        switch scalar {
        case "«": #expect(after == "\u{202F}", "\(key): \(text)")
        case "»": #expect(before == "\u{202F}", "\(key): \(text)")
        case ";", ":", "!", "?":
          // A sign in the middle of a word is part of a name: wss://, key:value.
          if after == " " { #expect(before == "\u{202F}", "\(key): \(text)") }
        // Quotation marks are allowed if the English text has them.
        case "\"": #expect((english[key] ?? "").contains("\""), "\(key): \(text)")
        case "'":
          #expect(
            before.properties.isAlphabetic && (after.properties.isAlphabetic || after == "{" || after == "«"),
            "\(key): \(text)")
        default: break
        }
      }
    }
  }

  @Test("Chinese uses full-width punctuation and its own quotes")
  func chinese() {
    let english = Self.texts(.english)
    for (key, text) in Self.texts(.traditionalChinese) {
      let characters = Array(text)
      for (at, character) in characters.enumerated() {
        let beside = (at > 0 ? [characters[at - 1]] : []) + (at + 1 < characters.count ? [characters[at + 1]] : [])
        switch character {
        case ",", ";", ":", "!", "?", "(", ")", ".": #expect(!beside.contains { $0.isChinese }, "\(key): \(text)")
        case "'", "\"": #expect((english[key] ?? "").contains("\""), "\(key): \(text)")
        default: break
        }
      }
      // A sentence ends with a full stop or an ellipsis if the English one does.
      if let end = english[key]?.suffix(3), end.last == "." {
        #expect(text.hasSuffix(end == "..." ? "…" : "。"), "\(key): \(text)")
      }
    }
  }

  @Test("English and French texts can be written in ASCII", arguments: [Language.english, .french])
  func ascii(language: Language) {
    for (key, text) in Self.texts(language) {
      #expect(text.inASCII.utf8.allSatisfy { $0 < 0x80 }, "\(key): \(text)")
    }
    let catalog = Catalog(language).ascii
    #expect(catalog.number(1_234_567) == (language == .french ? "1 234 567" : "1,234,567"))
    #expect("Où est «\u{202F}{0}\u{202F}» ? À l'œil…".inASCII == #"Ou est "{0}" ? A l'oeil..."#)
    #expect(Catalog(.traditionalChinese).ascii.language == .english)
  }

  @Test("The first count chooses the plural form")
  func plurals() {
    let french = Catalog(.french)
    #expect(french(.modeFrozen, 1).hasSuffix("manqué") && french(.modeFrozen, 0).hasSuffix("manqué"))
    #expect(french(.modeFrozen, 2).hasSuffix("manqués"))
    #expect(Catalog(.english)(.modeFrozen, 0).hasSuffix("changes missed"))
    #expect(Catalog(.english)(.modeFrozen, 1234) == "FROZEN, 1,234 changes missed")
    #expect(Catalog(.traditionalChinese)(.modeFrozen, 1) == "已凍結，錯過 1 筆變動")
  }

  @Test(
    "A text is split at its placeholders, and other braces are literal",
    arguments: [
      ("a", .plain("a")), ("{0}", .template([.placeholder(0)])),
      ("a{1}b{0}", .template([.text("a"), .placeholder(1), .text("b"), .placeholder(0)])),
      ("{a} {0}", .template([.text("{a} "), .placeholder(0)])), ("{ {2", .plain("{ {2")),
      ("é{0}é", .template([.text("é"), .placeholder(0), .text("é")])),
      ("{{0}}", .template([.text("{"), .placeholder(0), .text("}")])), ("", .plain("")),
    ] as [(String, Catalog.Form)])
  func forms(text: String, form: Catalog.Form) {
    #expect(Catalog.Form(text) == form)
  }

  @Test("Blanks outside quotes are ignored, and invalid or duplicate lines are reported")
  func files() {
    let file = CatalogFile(Array("# a = b\n\n a = b = c \n b = \" d \"\n c = \"\n = é \nno line\na = e\n".utf8))
    #expect(file.texts == ["a": "e", "b": " d ", "c": "\"", "": "é"])
    #expect(file.faults == ["no line", "a = e"])
  }

  @Test("Messages can be nested, and are joined as the language requires")
  func sentences() {
    let words = Catalog(.french)
    let age = LocalizedMessage(.ageSeconds, 5)
    #expect(words(.statusAgo, age) == "il y a 5s")
    #expect(words.text([age, age, age], joinedBy: .joinedClauses) == "5s\u{202F}; 5s\u{202F}; 5s")
    #expect(words.text([], joinedBy: .joinedClauses) == "")
    #expect(words(.statusAgo) == "il y a ")
  }
}

extension Character {
  fileprivate var isChinese: Bool {
    unicodeScalars.first.map { 0x3000...0x9FFF ~= $0.value || 0xFF00...0xFFEF ~= $0.value } ?? false
  }
}
