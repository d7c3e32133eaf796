import ArgumentParser
import Dashboard
import Localization
import OddsFeed
import TOMLKit
import TerminalCore

/// A thing that the configuration can say, in a line of its own: from this table are made how it is read and printed, and
/// the help of the option of the same name.
struct Setting: Sendable {
  /// What a group of settings is about.
  enum Group: CaseIterable { case board, feed, network }

  typealias Path<Value> = WritableKeyPath<Configuration, Value> & Sendable

  let group: Group
  /// The name in the file.
  let key: String
  let help: MessageKey
  /// The value as TOML; nil where there is none.
  let text: @Sendable (Configuration) -> String?
  /// A value as TOML, for one that has none by default.
  let example: String?
  /// Takes what the file says; returns what is wrong with that.
  let take: @Sendable (any TOMLValueConvertible, inout Configuration) -> LocalizedMessage?

  private init(
    _ group: Group, _ key: String, _ help: MessageKey, example: String? = nil,
    text: @escaping @Sendable (Configuration) -> String?,
    take: @escaping @Sendable (any TOMLValueConvertible, inout Configuration) -> LocalizedMessage?
  ) {
    (self.group, self.key, self.help, self.example, self.text, self.take) = (group, key, help, example, text, take)
  }

  /// A whole number in a range.
  static func count(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Int>, _ range: ClosedRange<Int>
  ) -> Setting {
    Setting(group, key, help, text: { "\($0[keyPath: path])" }) { value, configuration in
      guard let count = value.int, range.contains(count) else { return misfit(value, key, range) }
      configuration[keyPath: path] = count
      return nil
    }
  }

  /// Why a value is no whole number of that range.
  static func misfit(_ value: any TOMLValueConvertible, _ key: String, _ range: ClosedRange<Int>) -> LocalizedMessage {
    LocalizedMessage(
      value.int == nil ? .usageNoWholeNumber : .usageOutOfRange, key, TOMLText.shown(value), "\(range.lowerBound)",
      "\(range.upperBound)")
  }

  /// True or false.
  static func flag(_ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Bool>) -> Setting {
    Setting(group, key, help, text: { "\($0[keyPath: path])" }) { value, configuration in
      guard let flag = value.bool else { return LocalizedMessage(.configNoFlag, key) }
      configuration[keyPath: path] = flag
      return nil
    }
  }

  /// A text, and what is wrong with one.
  static func text(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<String?>, example: String,
    fault: @escaping @Sendable (String) -> LocalizedMessage? = { _ in nil }
  ) -> Setting {
    Setting(group, key, help, example: TOMLText.quoted(example), text: { $0[keyPath: path].map(TOMLText.quoted) }) {
      value, configuration in
      guard let text = value.string, !text.isEmpty else { return LocalizedMessage(.configNoText, key) }
      if let fault = fault(text) { return fault }
      configuration[keyPath: path] = text
      return nil
    }
  }

  /// One of some words, or a word of some form.
  static func word<Value>(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Value>,
    print: @escaping @Sendable (Value) -> String, parse: @escaping @Sendable (String) -> Value?,
    fault: @escaping @Sendable (String) -> LocalizedMessage
  ) -> Setting {
    Setting(group, key, help, text: { TOMLText.quoted(print($0[keyPath: path])) }) { value, configuration in
      guard let text = value.string else { return LocalizedMessage(.configNoText, key) }
      guard let value = parse(text) else { return fault(text.cleaned) }
      configuration[keyPath: path] = value
      return nil
    }
  }

  /// One of an enumeration's values.
  static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Value>
  ) -> Setting {
    let names = LocalizedMessage.list(Value.allCases.map(\.rawValue))
    return word(group, key, help, path, print: \.rawValue, parse: { Value(rawValue: $0) }) {
      LocalizedMessage(.configNoChoice, key, $0, names)
    }
  }

  /// Anything else.
  static func other(
    _ group: Group, _ key: String, _ help: MessageKey, text: @escaping @Sendable (Configuration) -> String?,
    take: @escaping @Sendable (any TOMLValueConvertible, inout Configuration) -> LocalizedMessage?
  ) -> Setting { Setting(group, key, help, text: text, take: take) }

  /// What an option's help says: what it does, and its default.
  var optionHelp: String {
    let value = text(Configuration()).flatMap { $0 == "false" ? nil : $0 }.map {
      $0.hasPrefix("\"") ? String($0.dropFirst().dropLast()) : $0
    }
    return value.map { CLILanguage.words(.screenDefault, CLILanguage.words(help), $0) } ?? CLILanguage.words(help)
  }
}

extension ArgumentHelp {
  /// What the table says of a setting.
  static func setting(_ key: String, valueName: String? = nil) -> ArgumentHelp {
    guard let setting = Setting.all.first(where: { $0.key == key }) else {
      preconditionFailure("'\(key)' is no setting: add it to Setting.all")
    }
    return ArgumentHelp(setting.optionHelp, valueName: valueName)
  }
}
