import Dashboard
import OddsFeed
import TerminalCore
import Testing
import Wording

@testable import toteboard

@Suite("What a configuration says")
struct ConfigReaderTests {
  @Test("What is printed as the default says nothing, in every language", arguments: Language.allCases)
  func defaults(language: Language) {
    let reader = ConfigReader(ConfigText.defaults(Catalog(language)))
    #expect(reader.faults.isEmpty)
    #expect(reader.configuration == Configuration())
  }

  @Test("What is printed behind # can be used, too")
  func examples() {
    let text = ConfigText.defaults(.english).split(separator: "\n", omittingEmptySubsequences: false)
    let plain = text.map { $0.contains(#/^# (\[|[a-z_]+ = )/#) ? $0.dropFirst(2) : $0 }
    let reader = ConfigReader(plain.joined(separator: "\n"))
    #expect(reader.faults.map(\.what.description) == [])
    #expect(reader.configuration.channels.count == 2 && reader.configuration.settings.alerts.count == 1)
    #expect(reader.configuration.settings.ownThemes.map(\.name) == ["mine"])
  }

  @Test("Every line of the table is read, and printed as it was read")
  func settings() throws {
    let values = [
      "theme": #""light""#, "odds": #""hong-kong""#, "sort": #""mover""#, "reverse": "true", "throttle": #""250ms""#,
      "fps": "30", "mouse": "false", "low_bandwidth": "true", "alert_bell": "false", "alert_notify": "false",
      "zone": #""UTC""#, "language": #""fr""#,
      "feed": #""wss://x/v2""#, "first_channel": #""tennis""#, "matches": "20", "rate": "2.5", "seed": "7",
      "speed": #""max""#, "held_limit": "5", "held_age": "6", "standard_channels": "false", "realm": #""r\"\\""#,
      "origin": #""https://o""#,
      "operator": #""op-1""#, "feed_language": #""nl""#, "ca_file": #""/ca""#, "token_file": #""/t""#,
      "login": #""anna""#, "stay_logged_in": "true",
    ]
    #expect(Set(values.keys) == Set(Setting.all.map(\.key)))
    // Without the usual channels there has to be another.
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
    "What is wrong is told with its line, and what to write",
    arguments: [
      ("a = ", 1, "TOML"), ("\nfps = \"60\"", 2, "1 to 1000"), ("fps = 0", 1, "1 to 1000"), ("fsp = 1", 1, "use fps"),
      ("x = 1", 1, "theme, odds"), ("mouse = 1", 1, "true"), ("odds = \"dezimal\"", 1, "decimal, fractional"),
      ("sort = 3", 1, "sort = "), ("\n\ntheme = \"dusk\"", 3, "dark, light"), ("throttle = \"soon\"", 1, "250ms"),
      ("zone = \"Mars/Base\"", 1, "Europe/Paris"), ("zone = \"../etc/passwd\"", 1, "UTC"),
      ("rate = 1_000_000", 1, "100000"), ("seed = -1", 1, "0 to"), ("language = \"tlh\"", 1, "zh-Hant"),
      ("feed = 1", 1, "feed = "), ("operator = \"a/b\"", 1, "letters"), ("login = \"a:b\"", 1, "'a:…'"),
      ("standard_channels = 0", 1, "true"), ("\nstandard_channels = false", 2, "[[channel]]"),
      ("channel_ = 1", 1, "channel"), ("[[channels]]", 1, "use channel"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"live\"\n[[channel]]\ntitle = \"B\"\nkind = \"x\"", 6, "popular"),
      ("[[channel]]\nkind = \"live\"", 1, "title"), ("[[channel]]\ntitle = \"A\"\ntopic = \"x\"", 3, "/sports"),
      ("[[channel]]\ntitle = \"A\"\ntopic = \"/x\"\nsport = 3", 1, "leave one"),
      ("[[channel]]\ntitle = \"A\"\nkind = \"live\"\nsprot = 3", 1, "sport"), ("[channel]", 1, "[[channel]]"),
      ("[[alert]]\nrule = 1", 2, "rule = "), ("[[alert]]", 1, "rule = "), ("[[alert]]\nrul = \"x\"", 1, "rule"),
      ("themes = 1", 1, "[themes.NAME]"), ("[themes]\nmine = 1", 2, "[themes.NAME]"),
      ("[themes.mine]\nrsing = \"x\"", 1, "rising"), ("keys = 1", 1, "[keys]"), ("[keys]\n\nsort = 1", 3, "[\"x\""),
      ("[keys]\nsrot = \"x\"", 2, "use sort"), ("[keys]\nsort = \"Ctrl-I\"", 2, "Ctrl-D"),
      ("[keys]\nodds = \"F2\"\nsort = [\n\"f2\"]", 3, "both odds and sort"), ("[keys]\nquit = []", 2, "quit = "),
      ("[keys]\nsort = \"q\"\nodds = \"Ctrl-C\"", 3, "both odds and quit"),
    ])
  func faults(text: String, line: Int, remedy: String) throws {
    let fault = try #require(ConfigReader(text).faults.first)
    #expect(fault.line == line)
    #expect(fault.what.description.contains(remedy), "\(fault.what)")
  }

  @Test("All that is wrong is told, from the top, and what is right is taken all the same")
  func several() {
    let reader = ConfigReader("fps = 5\nodds = \"x\"\nrate = \"x\"\nmatches = 5\n[keys]\nsort = \"xx\"\n[[alert]]\n")
    #expect(reader.faults.map(\.line) == [2, 3, 6, 7])
    #expect(reader.configuration.fps == 5 && reader.configuration.matches == 5)
  }

  @Test("Keys are one or several; what is given a key takes it from what had it")
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

  @Test("The user's channels change and follow the usual ones, or stand alone")
  func channels() {
    let own = "[[channel]]\ntitle=\"Mine\"\nkind=\"next\"\nsport=3\n[[channel]]\ntitle=\"live\"\ntopic=\"/{op}/{lang}\""
    let configuration = ConfigReader(own).configuration
    let channels = configuration.channels(TopicTemplate(ofSimulated: configuration))
    #expect(channels.map(\.title).first == "live" && channels.map(\.title).last == "Mine" && channels.count == 7)
    #expect(channels[0].topic.path == "/1/en")
    let alone = ConfigReader("standard_channels = false\n\(own)").configuration
    #expect(alone.channels(TopicTemplate(ofSimulated: alone)).map(\.title) == ["Mine", "live"])
  }
}
