import Dashboard
import Localization
import TerminalCore

/// The type of a value in the configuration.
enum SettingKind {
  case text, flag, count, number, list

  var name: MessageKey {
    switch self {
    case .text: .manualText
    case .flag: .manualFlag
    case .count: .manualCount
    case .number: .manualNumber
    case .list: .manualList
    }
  }
}

/// A setting in a table of the configuration, such as that of a channel.
struct TableSetting {
  /// The name in the file.
  let key: String
  let kind: SettingKind
  let help: MessageKey

  static let channel = [
    TableSetting(key: "title", kind: .text, help: .channelSettingTitle),
    TableSetting(key: "topic", kind: .text, help: .channelSettingTopic),
    TableSetting(key: "kind", kind: .text, help: .channelSettingKind),
    TableSetting(key: "sport", kind: .text, help: .channelSettingSport),
    TableSetting(key: "matches", kind: .count, help: .channelSettingMatches),
    TableSetting(key: "markets", kind: .count, help: .channelSettingMarkets),
    TableSetting(key: "levels", kind: .count, help: .channelSettingLevels),
    TableSetting(key: "volumes", kind: .flag, help: .channelSettingVolumes),
  ]

  static let alert = [TableSetting(key: "rule", kind: .text, help: .alertSettingRule)]

  /// The settings of a theme: its base, and the appearance of each of `Theme.parts`.
  static let theme =
    [TableSetting(key: "base", kind: .text, help: .themeBase)]
    + Style.Role.allCases.map { TableSetting(key: "\($0)", kind: .text, help: $0.help) }
    + Style.Background.allCases.compactMap { background in
      background.help.map { TableSetting(key: "\(background)", kind: .text, help: $0) }
    }
}

extension Style.Role {
  fileprivate var help: MessageKey {
    switch self {
    case .plain: .themePlain
    case .muted: .themeMuted
    case .strong: .themeStrong
    case .bar: .themeBar
    case .tab: .themeTab
    case .rising: .themeRising
    case .falling: .themeFalling
    case .warning: .themeWarning
    case .found: .themeFound
    case .chart: .themeChart
    }
  }
}

extension Style.Background {
  /// The help; nil for the normal background, which is the terminal's.
  fileprivate var help: MessageKey? {
    switch self {
    case .normal: nil
    case .selected: .themeSelected
    case .damaged: .themeDamaged
    }
  }
}
