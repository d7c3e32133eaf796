import Dashboard
import EveryMatrix
import FeedNetwork
import FeedSimulator
import Localization
import OddsModel
import Platform
import TOMLKit
import TerminalCore

extension Setting {
  /// All settings except tables, in the order in which they are printed.
  static let all: [Setting] = [
    Setting(.board, "theme", .settingTheme, .text, text: { TOMLText.quoted($0.settings.theme.name) }) {
      value, configuration in
      guard let name = value.string else { return LocalizedMessage(.configNoText, "theme") }
      configuration.themeName = name
      return nil
    },
    .choice(.board, "odds", .settingOdds, \.odds, example: BoardSettings().odds),
    .choice(.board, "fair", .settingFair, \.settings.marginMethod),
    Setting(
      .board, "kelly_fraction", .settingKellyFraction, .number, text: { "\(Double($0.settings.kellyFraction) / 1000)" }
    ) { value, configuration in
      guard let number = value.double ?? value.int.map(Double.init), case let thousandths = (number * 1000).rounded(),
        1...1000 ~= thousandths, abs(number * 1000 - thousandths) < 1e-6
      else { return LocalizedMessage(.configNoFraction, "kelly_fraction", TOMLText.shown(value)) }
      configuration.settings.kellyFraction = Int(thousandths)
      return nil
    },
    .word(
      .board, "sort", .settingSort, \.settings.order.key, print: \.name, parse: { BoardColumn(name: $0) },
      fault: { LocalizedMessage(.configNoChoice, "sort", $0, LocalizedMessage.list(BoardColumn.names)) }),
    Setting(
      .board, "columns", .settingColumns, .list,
      text: { TOMLText.array($0.settings.columns.map(\.text)) }
    ) { value, configuration in
      let texts = value.array.map { $0.map(\.string) } ?? [nil]
      guard !texts.contains(nil) else { return LocalizedMessage(.configNoTexts, "columns") }
      do throws(ColumnError) {
        configuration.settings.columns = try ChosenColumn.list(texts.compactMap { $0 })
        return nil
      } catch { return error.sentence }
    },
    .choice(.board, "group", .settingGroup, \.settings.grouping),
    .flag(.board, "reverse", .settingReverse, \.settings.order.isReversed),
    .word(
      .board, "throttle", .optionThrottle, \.settings.throttle, print: { ThrottleInterval(duration: $0).description },
      parse: { ThrottleInterval(argument: $0)?.duration },
      fault: { LocalizedMessage(.configNoInterval, "throttle", $0) }),
    .count(.board, "fps", .optionFPS, \.fps, Configuration.fpsRange),
    .flag(.board, "mouse", .settingMouse, \.settings.usesMouse),
    .flag(.board, "low_bandwidth", .settingLowBandwidth, \.settings.isLowBandwidth),
    .flag(.board, "alert_bell", .settingAlertBell, \.settings.alertBell),
    .flag(.board, "alert_notify", .settingAlertNotify, \.settings.alertNotify),
    Setting(
      .board, "alert_command", .settingAlertCommand, .list, example: #"["notify-send", "{match}", "{text}"]"#,
      text: { $0.alertCommand.map { TOMLText.array($0.source) } }
    ) { value, configuration in
      let texts = value.array.map { $0.map(\.string) } ?? [nil]
      guard !texts.contains(nil) else { return LocalizedMessage(.configNoTexts, "alert_command") }
      do throws(CommandTemplateError) {
        configuration.alertCommand = try CommandTemplate(texts.compactMap { $0 })
        return nil
      } catch { return error.sentence }
    },
    Setting(
      .board, "alert_webhook", .settingAlertWebhook, .text, example: TOMLText.quoted("https://alerts.example.com/odds"),
      text: { $0.alertWebhook.map { TOMLText.quoted("\($0)") } }
    ) { value, configuration in
      guard let text = value.string, !text.isEmpty else { return LocalizedMessage(.configNoText, "alert_webhook") }
      do throws(FeedError) {
        configuration.alertWebhook = try WebhookAddress(text)
        return nil
      } catch { return LocalizedMessage(.failureOf, "alert_webhook", error.sentence) }
    },
    Setting(
      .board, "link", .settingLink, .text, example: #""https://www.example.com/match/{match}""#,
      text: { $0.settings.link.map { TOMLText.quoted($0.source) } }
    ) { value, configuration in
      guard let text = value.string else { return LocalizedMessage(.configNoText, "link") }
      do throws(LinkTemplateError) {
        configuration.settings.link = try LinkTemplate(text)
        return nil
      } catch { return error.sentence }
    },
    .word(
      .board, "zone", .settingZone, \.zone, print: \.name, parse: Zone.init,
      fault: { LocalizedMessage(.configNoZone, $0) }),
    .text(.board, "language", .optionLanguage, \.language, example: "fr") {
      Language(tag: $0) == nil ? LocalizedMessage(.usageUnknownLanguage, $0.cleaned, CLILanguage.choices) : nil
    },

    .word(
      .feed, "feed", .optionFeed, \.feed, print: { $0 ?? simulated },
      parse: { $0.isEmpty ? nil : .some($0 == simulated ? nil : $0) },
      fault: { _ in LocalizedMessage(.configNoText, "feed") }),
    .text(.feed, "first_channel", .optionChannel, \.channel, example: "live"),
    .count(.feed, "matches", .optionMatches, \.matches, SimulatorOptions.matchRange),
    Setting(.feed, "rate", .optionRate, .number, text: { "\($0.rate)" }) { value, configuration in
      let range = SimulatorOptions.rateRange
      guard let rate = value.double ?? value.int.map(Double.init), range.contains(rate) else {
        let isNumber = value.double != nil || value.int != nil
        return LocalizedMessage(
          isNumber ? .usageOutOfRange : .usageNoNumber, "rate", TOMLText.shown(value), "\(range.lowerBound)",
          "\(Int(range.upperBound))")
      }
      configuration.rate = rate
      return nil
    },
    Setting(.feed, "seed", .optionSeed, .count, text: { "\($0.seed)" }) { value, configuration in
      guard let seed = value.int.flatMap(UInt64.init(exactly:)) else { return outOfRange(value, "seed", 0...Int.max) }
      configuration.seed = seed
      return nil
    },
    .word(
      .feed, "speed", .optionSpeed, \.speed, print: \.description, parse: SpeedOption.init(argument:),
      fault: { LocalizedMessage(.configNoSpeed, $0) }),
    .word(
      .feed, "pipe_timeout", .optionPipeTimeout, \.pipeTimeout, print: \.description,
      parse: PipeTimeout.init(argument:), fault: { LocalizedMessage(.configNoTime, "pipe_timeout", $0) }),
    .count(.feed, "pending_limit", .optionPendingLimit, \.pendingLimit, Configuration.pendingLimitRange),
    .count(.feed, "pending_timeout", .optionPendingTimeout, \.pendingTimeout, Configuration.pendingTimeoutRange),
    .flag(.feed, "history", .settingHistory, \.keepsHistory),
    .count(.feed, "history_days", .settingHistoryDays, \.historyDays, 1...3650),
    .word(
      .feed, "history_size", .settingHistorySize, \.historySize, print: \.description, parse: ByteSize.init(text:),
      fault: { LocalizedMessage(.configNoSize, "history_size", $0) }),
    .flag(.feed, "standard_channels", .configStandardChannels, \.keepsStandardChannels),

    .text(.network, "realm", .optionRealm, \.realm, example: "www.example.com"),
    .text(.network, "origin", .optionOrigin, \.origin, example: "https://www.example.com") {
      WebOrigin.isValid($0) ? nil : LocalizedMessage(.usageNoOrigin, "origin", $0.cleaned)
    },
    .text(.network, "operator", .optionOperator, \.operatorID, example: "1", fault: topicPart("operator")),
    .text(
      .network, "feed_language", .optionFeedLanguage, \.feedLanguage, example: "en", fault: topicPart("feed_language")),
    .text(.network, "ca_file", .optionCAFile, \.caFile, example: "/etc/ssl/own.pem"),
    .text(.network, "token_file", .optionTokenFile, \.tokenFile, example: "/home/me/.token"),
    .text(
      .network, "betfair_app_key_file", .optionBetfairAppKeyFile, \.betfairAppKeyFile, example: "/home/me/.betfair"),
    .text(
      .network, "betfair_identity", .optionBetfairIdentity, \.betfairIdentity, example: "https://identity.example.com"),
    .text(
      .network, "betfair_keep_alive", .optionBetfairKeepAlive, \.betfairKeepAlive,
      example: "https://identity.example.com"),
    .text(.network, "betfair_api", .optionBetfairAPI, \.betfairAPI, example: "https://api.example.com"),
    .count(
      .network, "betfair_conflate_ms", .optionBetfairConflateMs, \.betfairConflateMs, BetfairConnections.conflations),
    .text(.network, "client_cert", .optionClientCert, \.clientCert, example: "/home/me/client.pem"),
    .text(.network, "client_key", .optionClientKey, \.clientKey, example: "/home/me/client.key"),
    .text(.network, "login", .optionLogin, \.login, example: "anna", fault: LoginOptions.fault),
    .flag(.network, "stay_logged_in", .optionStayLoggedIn, \.staysLoggedIn),
  ]

  static let simulated = "simulated"

  private static func topicPart(_ key: String) -> @Sendable (String) -> LocalizedMessage? {
    { Topic.isPathPart($0) ? nil : LocalizedMessage(.usageNoTopicPart, key, $0.cleaned) }
  }
}

extension Setting.Group {
  var title: MessageKey {
    switch self {
    case .board: .configBoard
    case .feed: .configFeed
    case .network: .configNetwork
    }
  }
}
