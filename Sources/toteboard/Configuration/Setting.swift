import ArgumentParser
import Dashboard
import Localization
import TOMLKit
import TerminalCore

/// A setting on a line of its own in the configuration, and the help of the option with the same name.
struct Setting: Sendable {
  enum Group: CaseIterable { case board, feed, network }

  typealias Path<Value> = WritableKeyPath<Configuration, Value> & Sendable

  let group: Group
  /// The name in the file.
  let key: String
  let help: MessageKey
  let kind: SettingKind
  /// Returns the value as TOML; nil if it is not set.
  let text: @Sendable (Configuration) -> String?
  /// An example value as TOML, for a setting without default.
  let example: String?
  /// Applies a value from the file; returns the error, or nil.
  let apply: @Sendable (any TOMLValueConvertible, inout Configuration) -> LocalizedMessage?

  init(
    _ group: Group, _ key: String, _ help: MessageKey, _ kind: SettingKind, example: String? = nil,
    text: @escaping @Sendable (Configuration) -> String?,
    apply: @escaping @Sendable (any TOMLValueConvertible, inout Configuration) -> LocalizedMessage?
  ) {
    self.group = group
    self.key = key
    self.help = help
    self.kind = kind
    self.example = example
    self.text = text
    self.apply = apply
  }

  /// Creates a setting for a whole number in a range.
  static func count(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Int>, _ range: ClosedRange<Int>
  ) -> Setting {
    Setting(group, key, help, .count, text: { "\($0[keyPath: path])" }) { value, configuration in
      guard let count = value.int, range.contains(count) else { return outOfRange(value, key, range) }
      configuration[keyPath: path] = count
      return nil
    }
  }

  /// Returns the error for a value that is no whole number in the range.
  static func outOfRange(
    _ value: any TOMLValueConvertible, _ key: String, _ range: ClosedRange<Int>
  ) -> LocalizedMessage {
    LocalizedMessage(
      value.int == nil ? .usageNoWholeNumber : .usageOutOfRange, key, TOMLText.shown(value), "\(range.lowerBound)",
      "\(range.upperBound)")
  }

  static func flag(_ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Bool>) -> Setting {
    Setting(group, key, help, .flag, text: { "\($0[keyPath: path])" }) { value, configuration in
      guard let flag = value.bool else { return LocalizedMessage(.configNoFlag, key) }
      configuration[keyPath: path] = flag
      return nil
    }
  }

  /// Creates a setting for a text. `fault` returns the error of a text, or nil.
  static func text(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<String?>, example: String,
    fault: @escaping @Sendable (String) -> LocalizedMessage? = { _ in nil }
  ) -> Setting {
    Setting(
      group, key, help, .text, example: TOMLText.quoted(example), text: { $0[keyPath: path].map(TOMLText.quoted) }
    ) { value, configuration in
      guard let text = value.string, !text.isEmpty else { return LocalizedMessage(.configNoText, key) }
      if let fault = fault(text) { return fault }
      configuration[keyPath: path] = text
      return nil
    }
  }

  /// Creates a setting for a text that `parse` converts to a value.
  static func word<Value>(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Value>,
    print: @escaping @Sendable (Value) -> String, parse: @escaping @Sendable (String) -> Value?,
    fault: @escaping @Sendable (String) -> LocalizedMessage
  ) -> Setting {
    Setting(group, key, help, .text, text: { TOMLText.quoted(print($0[keyPath: path])) }) { value, configuration in
      read(value, key, parse, fault) { configuration[keyPath: path] = $0 }
    }
  }

  /// Assigns the value that `parse` makes of a text. Returns the error, or nil.
  private static func read<Value>(
    _ value: any TOMLValueConvertible, _ key: String, _ parse: (String) -> Value?,
    _ fault: (String) -> LocalizedMessage, assign: (Value) -> Void
  ) -> LocalizedMessage? {
    guard let text = value.string else { return LocalizedMessage(.configNoText, key) }
    guard let value = parse(text) else { return fault(text.cleaned) }
    assign(value)
    return nil
  }

  static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Value>
  ) -> Setting {
    let names = LocalizedMessage.list(Value.allCases.map(\.rawValue))
    return word(group, key, help, path, print: \.rawValue, parse: { Value(rawValue: $0) }) {
      LocalizedMessage(.configNoChoice, key, $0, names)
    }
  }

  /// Creates a setting for a choice whose default depends on the feed. `example` is written in place of a default.
  static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ group: Group, _ key: String, _ help: MessageKey, _ path: any Path<Value?>, example: Value
  ) -> Setting {
    let names = LocalizedMessage.list(Value.allCases.map(\.rawValue))
    return Setting(
      group, key, help, .text, example: TOMLText.quoted(example.rawValue),
      text: { $0[keyPath: path].map { TOMLText.quoted($0.rawValue) } }
    ) { value, configuration in
      read(value, key, { Value(rawValue: $0) }, { LocalizedMessage(.configNoChoice, key, $0, names) }) {
        configuration[keyPath: path] = $0
      }
    }
  }

  /// The help of the option: its description with its default.
  var optionHelp: String {
    let value = text(Configuration()).flatMap { $0 == "false" ? nil : $0 }.map {
      $0.hasPrefix("\"") ? String($0.dropFirst().dropLast()) : $0
    }
    return value.map { CLILanguage.words(.screenDefault, CLILanguage.words(help), $0) } ?? CLILanguage.words(help)
  }
}

extension ArgumentHelp {
  /// Returns the help of the option that corresponds to a setting.
  static func setting(_ key: String, valueName: String? = nil) -> ArgumentHelp {
    if HelpTexts.areOmitted { return ArgumentHelp(valueName: valueName) }
    guard let setting = Setting.all.first(where: { $0.key == key }) else {
      preconditionFailure("'\(key)' is no setting: add it to Setting.all")
    }
    return ArgumentHelp(setting.optionHelp, valueName: valueName)
  }
}
