import Dashboard
import Localization
import OddsModel
import TerminalCore
import Testing

@testable import toteboard

@Suite("Reading a configuration")
struct ConfigReaderTests {
  @Test("The printed defaults read as the default configuration, in every language", arguments: Language.allCases)
  func defaults(language: Language) {
    let reader = ConfigReader(ConfigText.defaults(Catalog(language)))
    #expect(reader.faults.isEmpty)
    #expect(reader.configuration == Configuration())
  }

  @Test("The default file is below the home directory; there is none if HOME is not an absolute path")
  func defaultFile() {
    #expect(ConfigFile(nil, environment: ["HOME": "/h"])?.path == "/h/.config/toteboard/config.toml")
    #expect(ConfigFile(nil, environment: ["HOME": "h"])?.path == nil)
  }

  @Test("The commented examples in the printed defaults are valid")
  func examples() {
    let text = ConfigText.defaults(.english).split(separator: "\n", omittingEmptySubsequences: false)
    let plain = text.map { $0.contains(#/^# (\[|[a-z_]+ = )/#) ? $0.dropFirst(2) : $0 }
    let reader = ConfigReader(plain.joined(separator: "\n"))
    #expect(reader.faults.map(\.message.description) == [])
    #expect(reader.configuration.channels.count == 3 && reader.configuration.settings.alerts.count == 1)
    #expect(reader.configuration.settings.ownThemes.map(\.name) == ["mine"])
  }

  @Test("Every setting is read, and printed as it was read")
  func settings() throws {
    let values = [
      "theme": #""light""#, "odds": #""hong-kong""#, "fair": #""power""#, "kelly_fraction": "0.25",
      "sort": #""mover""#, "columns": #"["time", "name:30"]"#, "reverse": "true", "throttle": #""250ms""#,
      "group": #""sport""#,
      "fps": "30", "mouse": "false", "low_bandwidth": "true", "alert_bell": "false", "alert_notify": "false",
      "link": #""https://x/{match}?q={{""#,
      "alert_command": #"["a", "{match}", "-{{"]"#,
      "alert_webhook": #""https://alerts.example.com/a?b=c""#,
      "zone": #""UTC""#, "language": #""fr""#,
      "feed": #""wss://x/v2""#, "first_channel": #""tennis""#, "matches": "20", "rate": "2.5", "seed": "7",
      "speed": #""max""#, "pipe_timeout": #""30s""#, "pending_limit": "5", "pending_timeout": "6",
      "standard_channels": "false",
      "realm": #""r\"\\""#,
      "origin": #""https://o""#,
      "operator": #""op-1""#, "feed_language": #""nl""#, "ca_file": #""/ca""#, "token_file": #""/t""#,
      "betfair_app_key_file": #""/k""#, "betfair_identity": #""https://i""#, "betfair_api": #""https://a""#,
      "betfair_keep_alive": #""https://k""#,
      "betfair_conflate_ms": "500",
      "client_cert": #""/c""#, "client_key": #""/y""#, "login": #""anna""#, "stay_logged_in": "true",
      "history": "false", "history_days": "7", "history_size": #""2GB""#,
    ]
    #expect(Set(values.keys) == Set(Setting.all.map(\.key)))
    // Without the standard channels a custom one is required.
    let channel = "[[channel]]\ntitle = \"Mine\"\nkind = \"next\"\nsport = 3"
    let rest = ConfigReader(channel).configuration
    for setting in Setting.all {
      let value = try #require(values[setting.key])
      let reader = ConfigReader("\(setting.key) = \(value)\n\(channel)")
      #expect(reader.faults == [] && setting.text(reader.configuration) == value, "\(setting.key)")
      #expect(reader.configuration != rest, "\(setting.key)")
    }
  }

  @Test(
    "An error is reported with its line and a remedy",
    arguments: [
      ("a = ", 1, "TOML"), ("\nfps = \"60\"", 2, "1 to 1000"), ("fps = 0", 1, "1 to 1000"), ("fsp = 1", 1, "use fps"),
      ("x = 1", 1, "theme, odds"), ("mouse = 1", 1, "true"), ("odds = \"dezimal\"", 1, "decimal, fractional"),
      ("sort = 3", 1, "sort = "), ("columns = \"name\"", 1, "columns = ["), ("columns = [1]", 1, "columns = ["),
      ("\ncolumns = [\"name\", \"coutry\"]", 2, "use country"), ("columns = [\"time\"]", 1, "'name' is missing"),
      ("columns = [\"name:7\"]", 1, "8 to 120"), ("\n\ntheme = \"dusk\"", 3, "dark, light"),
      ("throttle = \"soon\"", 1, "250ms"),
      ("zone = \"Mars/Base\"", 1, "Europe/Paris"), ("zone = \"../etc/passwd\"", 1, "UTC"),
      ("rate = 1_000_000", 1, "100000"), ("seed = -1", 1, "0 to"), ("language = \"tlh\"", 1, "zh-Hant"),
      ("feed = 1", 1, "feed = "), ("operator = \"a/b\"", 1, "letters"), ("login = \"a:b\"", 1, "'a:…'"),
      ("standard_channels = 0", 1, "true"), ("\nstandard_channels = false", 2, "[[channel]]"),
      ("channel_ = 1", 1, "channel"), ("[[channels]]", 1, "use channel"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"live\"\n[[channel]]\ntitle = \"B\"\nkind = \"x\"", 6, "popular"),
      ("[[channel]]\nkind = \"live\"", 1, "title"), ("[[channel]]\ntitle = \"A\"\ntopic = \"x\"", 3, "/sports"),
      ("[[channel]]\ntitle = \"A\"\ntopic = \"/x\"\nsport = 3", 4, "remove one"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"live\"\nsprot = 3", 4, "sport"), ("[channel]", 1, "[[channel]]"),
      ("[[alert]]\nrule = 1", 2, "rule = "), ("[[alert]]", 1, "rule = "), ("[[alert]]\nrul = \"x\"", 1, "rule"),
      ("themes = 1", 1, "[themes.NAME]"), ("[themes]\nmine = 1", 2, "[themes.NAME]"),
      ("[themes.mine]\nrsing = \"x\"", 2, "rising"), ("keys = 1", 1, "[keys]"), ("[keys]\n\nsort = 1", 3, "[\"x\""),
      ("[keys]\nsrot = \"x\"", 2, "use sort"), ("[keys]\nsort = \"Ctrl-I\"", 2, "Ctrl-D"),
      ("[keys]\nodds = \"F2\"\nsort = [\n\"f2\"]", 3, "both odds and sort"), ("[keys]\nquit = []", 2, "quit = "),
      ("[keys]\nsort = \"q\"\nodds = \"Ctrl-C\"", 3, "both odds and quit"),
    ])
  func faults(text: String, line: Int, remedy: String) throws {
    let fault = try #require(ConfigReader(text).faults.first)
    #expect(fault.line == line)
    #expect(fault.message.description.contains(remedy), "\(fault.message)")
  }

  @Test(
    "The reported line is that of the error, in every form of table",
    arguments: [
      ("[themes.mine]\nrising = \"red\"\nfalling = \"rad\"", 3, "'rad'"),
      ("[themes.mine]\nbase = \"dark\"\n\nfaling = \"red\"", 4, "'faling'"),
      ("[themes.mine]\nrising = \"red\"\nbase = 1", 3, "base is not a string"),
      ("[themes.mine]\nrising = \"red\"\nbase = \"dusk\"", 3, "'dusk'"),
      ("[themes.mine]\nrising = 1", 2, "rising is not a string"),
      ("[themes]\nmine = { rising = \"rad\" }", 2, "'rad'"),
      ("themes = { mine = { rising = [\n1] } }", 1, "rising is not a string"),
      ("[themes]\nmine.base = \"dark\"\nmine.rising = \"rad\"", 3, "'rad'"),
      ("[[channel]]\ntitle = \"A\"\n\nkind = \"livee\"", 4, "kind 'livee' is unknown: use live, next, popular"),
      ("[[channel]]\n\ntitle = \"A\"", 1, "neither a topic nor a kind"),
      ("[[channel]]\ntitle = \"A\"\nkind = 3", 3, "kind is not a string"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"next\"\nmatches = \"a\"", 4, "matches 'a' is not a whole number: use 1"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"next\"\nmarkets = 0", 4, "markets '0' is out of range: use 1"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"next\"\nlevels = 0", 4, "levels '0' is out of range: use 1 to 10"),
      ("[[channel]]\ntitle = \"A\"\ntopic = \"/x\"\nlevels = 11", 4, "levels '11' is out of range: use 1 to 10"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"next\"\nlevels = 2.5", 4, "levels '2.5' is not a whole number: use 1"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"next\"\nvolumes = 0", 4, "volumes is neither true nor false"),
      ("channel = [\n{ title = \"A\", kind = \"next\" },\n{ title = \"B\", kind = \"x\" }]", 3, "kind 'x'"),
      ("channel = [\n{ title = \"A\", kind = \"next\" }, # ]\n\n7]", 4, "[[channel]]"),
      ("[[alert]]\nrule = \"kickoff\"\n[[alert]]\n\nrule = \"odds <\"", 5, "odds <"),
      ("alert = [{ rule = \"kickoff\" },\n  { rul = \"kickoff\" }]", 2, "'rul'"),
      ("[keys]\nquit = \"x\"\nsort = [\"a\",\n1]", 3, "sort has an invalid key"),
      ("keys = { quit = \"x\", srot = \"y\" }", 1, "'srot'"), ("keys.quit = \"x\"\nkeys.srot = \"y\"", 2, "'srot'"),
      ("fps = 5\n\nfps = 6", 3, "fps"), ("[keys]\nquit = \"x\"\n[keys]\nsort = \"y\"", 3, "keys"),
      ("\u{FEFF}fps = 0", 1, "fps '0'"), ("\u{FEFF}\nmouse = 1", 2, "mouse"),
    ])
  func lines(text: String, line: Int, message: String) throws {
    for text in [text, text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")] {
      let fault = try #require(ConfigReader(text).faults.first, "\(text)")
      #expect(fault.line == line, "\(text)")
      #expect(fault.message.description.contains(message), "\(fault.message)")
    }
  }

  @Test("An empty value or one of the wrong type is reported with its setting and its line")
  func types() throws {
    let (texts, flags) = (
      ["\"\"", "3", "true", "2.5", "[]", "[\"x\"]", "{}", "1979-05-27"], ["\"true\"", "1", "[]", "{}"]
    )
    let numbers = ["\"a\"", "\"\"", "true", "[]", "[1]", "{}", "{ a = 1 }", "1979-05-27"]
    for setting in Setting.all {
      let values =
        switch setting.text(Configuration()) {
        case _ where setting.kind == .list: ["\"\"", "3", "true", "2.5", "[]", "[1]", "{}", "1979-05-27"]
        case "true", "false": flags
        case let text? where !text.hasPrefix("\""): numbers
        default: texts
        }
      for value in values where value != setting.text(Configuration()) {
        let faults = ConfigReader("# first\n\(setting.key) = \(value)").faults
        let fault = try #require(faults.first, "\(setting.key) = \(value)")
        #expect(faults.count == 1 && fault.line == 2, "\(setting.key) = \(value): \(faults)")
        let text = fault.message.description
        // The error of a time zone does not name its setting.
        #expect(text.contains(setting.key) || text.contains("not a time zone"), "\(text)")
        #expect(values != numbers || text.contains("number: use ") && text.contains(" to "), "\(text)")
      }
    }
  }

  @Test(
    "An invalid number is reported with its range",
    arguments: [
      ("fps = \"a\"", "fps 'a' is not a whole number: use 1 to 1000"), ("fps = 2.5", "fps '2.5' is not a whole number"),
      ("fps = 1001", "fps '1001' is out of range: use 1 to 1000"), ("rate = nan", "rate 'nan' is out of range"),
      ("rate = \"a\"", "rate 'a' is not a number: use 0.1 to 100000"), ("rate = 0", "rate '0' is out of range"),
      ("seed = -1", "seed '-1' is out of range: use 0 to"),
      ("matches = [1, 2]", "matches '[1, 2]' is not a whole number"),
      ("pending_timeout = 86401", "pending_timeout '86401' is out of range: use 0 to 86400"),
      ("origin = \"abc\"", "origin 'abc' is not a valid origin: use one such as https://HOST"),
      ("feed = \"\"", "feed is not a string"),
    ])
  func numbers(text: String, message: String) throws {
    let faults = ConfigReader(text).faults
    #expect(faults.count == 1 && faults[0].message.description.contains(message), "\(faults.map(\.message))")
  }

  @Test("Control characters are rejected everywhere, and the first one is reported with its line")
  func controlCharacters() throws {
    for (text, line, name) in [
      (String(repeating: "\0", count: 100_000), 1, "U+0000"), ("fps = 5\n\0", 2, "U+0000"),
      ("# \u{1B}[2J", 1, "U+001B"),
      ("\n\nlogin = \"a\u{7F}\"", 3, "U+007F"), ("fps = 5\rfps = 6", 1, "U+000D"), ("fps = 5\r", 1, "U+000D"),
    ] {
      let faults = ConfigReader(text).faults
      #expect(faults.count == 1 && faults[0].line == line, "\(faults)")
      #expect(faults[0].message.description.contains("control character \(name)"), "\(faults)")
    }
    #expect(ConfigReader("fps\t=\t5 # Ü\u{85}\r\n").faults.isEmpty)
  }

  @Test("Ten thousand keys, channels or list entries are read, and each error has its own line")
  func many() {
    let count = 10_000
    let keys = (1...count).map { "key\($0) = \($0)" }.joined(separator: "\n")
    #expect(ConfigReader(keys).faults.map(\.line) == Array(1...count))
    let channels = (1...count).map { "[[channel]]\ntitle = \"\($0)\"\nkind = \"x\"" }.joined(separator: "\n")
    #expect(ConfigReader(channels).faults.map(\.line) == (1...count).map { 3 * $0 })
    let list = "channel = [\n" + String(repeating: "1,\n", count: count) + "]"
    #expect(ConfigReader(list).faults.map(\.line) == (1...count).map { $0 + 1 })
  }

  @Test("All errors are reported in order, and valid settings still apply")
  func several() {
    let reader = ConfigReader("fps = 5\nodds = \"x\"\nrate = \"x\"\nmatches = 5\n[keys]\nsort = \"xx\"\n[[alert]]\n")
    #expect(reader.faults.map(\.line) == [2, 3, 6, 7])
    #expect(reader.configuration.fps == 5 && reader.configuration.matches == 5)
  }

  @Test("A command can have several keys, and assigning a key removes it from its default command")
  func keys() throws {
    let reader = ConfigReader(
      #"[keys]"# + "\n" + #"quit = ["x", "ctrl-q"]"# + "\n" + #"sort = "SPACE""# + "\nodds = []")
    #expect(reader.faults == [])
    let keys = Dictionary(uniqueKeysWithValues: reader.configuration.settings.keys.bindings.map { ($0.name, $0.keys) })
    #expect(keys["quit"] == ["x", "Ctrl-Q"] && keys["sort"] == ["Space"] && keys["odds"] == [])
    #expect(keys["pin-or-pause"] == [] && keys["pin"] == ["m"])
    let same = ConfigReader(
      reader.configuration.settings.keys.bindings.reduce("[keys]") { text, binding in
        "\(text)\n\(binding.name) = \(TOMLText.list(binding.keys))"
      })
    #expect(same.configuration.settings.keys == reader.configuration.settings.keys)
  }

  @Test("Custom channels override and follow the standard ones, or replace them")
  func channels() {
    let own = "[[channel]]\ntitle=\"Mine\"\nkind=\"next\"\nsport=3\n[[channel]]\ntitle=\"live\"\ntopic=\"/{op}/{lang}\""
    let configuration = ConfigReader(own).configuration
    let channels = configuration.channels(TopicTemplate(ofSimulated: configuration))
    #expect(channels.map(\.title).first == "live" && channels.map(\.title).last == "Mine" && channels.count == 7)
    #expect(channels[0].topic.path == "/1/en")
    let alone = ConfigReader("standard_channels = false\n\(own)").configuration
    #expect(alone.channels(TopicTemplate(ofSimulated: alone)).map(\.title) == ["Mine", "live"])
  }

  @Test("A channel of Betfair has at most the matches of its table, and at most 200; the setting matches has no effect")
  func betfairMatches() {
    let tables = [
      "kind = \"live\"\nmatches = 50", "kind = \"next\"\nsport = 7\nmatches = 201\nlevels = 1", "kind = \"popular\"",
    ]
    let text = tables.enumerated().map { "[[channel]]\ntitle = \"\($0)\"\n\($1)" }.joined(separator: "\n")
    let reader = ConfigReader("feed = \"betfair\"\nstandard_channels = false\nmatches = 30\n\(text)")
    #expect(reader.faults == [])
    let channels = reader.configuration.channels(TopicTemplate(of: reader.configuration))
    #expect(
      channels.map(\.topic.path) == [
        "/types/MATCH_ODDS/in-play/limit/50", "/levels/1/sports/7/types/WIN/limit/200", "/types/MATCH_ODDS",
      ])
  }

  @Test("A channel of Betfair has the levels of its table, with or without volumes; another feed ignores both")
  func prices() {
    let tables = [
      "kind = \"live\"\nlevels = 1\nvolumes = false", "kind = \"next\"\nsport = 1\nlevels = 10",
      "kind = \"next\"\nsport = 2\nlevels = 3\nvolumes = true", "kind = \"live\"\nvolumes = false",
      "topic = \"/levels/5/in-play\"\nvolumes = false",
      "topic = \"/no-volumes/event/29\"\nlevels = 2\nvolumes = true",
      "topic = \"/in-play/sports/1\"", "topic = \"/other\"\nlevels = 1",
      "topic = \"/in-play/limit/20\"\nlevels = 1\nvolumes = false",
    ]
    let text = tables.enumerated().map { "[[channel]]\ntitle = \"\($0)\"\n\($1)" }.joined(separator: "\n")
    let reader = ConfigReader("feed = \"betfair\"\nstandard_channels = false\n\(text)")
    #expect(reader.faults == [])
    func paths(_ template: TopicTemplate) -> [String] {
      reader.configuration.channels(template).map(\.topic.path)
    }
    #expect(
      paths(TopicTemplate(of: reader.configuration)) == [
        "/levels/1/no-volumes/types/MATCH_ODDS/in-play", "/levels/10/sports/1/types/MATCH_ODDS",
        "/sports/2/types/MATCH_ODDS", "/no-volumes/types/MATCH_ODDS/in-play", "/levels/5/no-volumes/in-play",
        "/levels/2/event/29", "/in-play/sports/1", "/other", "/levels/1/no-volumes/in-play/limit/20",
      ])
    #expect(
      paths(TopicTemplate(ofSimulated: reader.configuration))[4...] == [
        "/levels/5/in-play", "/no-volumes/event/29", "/in-play/sports/1", "/other", "/in-play/limit/20",
      ])
  }
}
