import ArgumentParser
import CLibrary
import Localization
import ProgramArguments
import TerminalCore

/// A failure with a message for the user; exit code 1.
struct CommandError: LocalizedMessageError {
  let sentence: LocalizedMessage

  init(_ sentence: LocalizedMessage) { self.sentence = sentence }

  init(_ phrase: MessageKey, _ values: any MessageArgument...) { sentence = LocalizedMessage(phrase, values: values) }
}

extension LocalizedMessage {
  /// The system's message for the current `errno`.
  static var ofLastCall: LocalizedMessage { .foreign(String(cString: strerror(errno))) }
}

extension ValidationError {
  /// Creates a usage error with a message in the program's language; exit code 2.
  init(_ phrase: MessageKey, _ values: any MessageArgument...) {
    self.init(CLILanguage.words.text(LocalizedMessage(phrase, values: values)))
  }

  /// Throws if the value of an option is empty.
  static func checkEmpty(_ options: [(name: String, value: String?)]) throws {
    if let option = options.first(where: { $0.value == "" }) { throw ValidationError(.usageValueEmpty, option.name) }
  }
}

extension TypedValue where Value: Comparable & Sendable {
  /// Throws a usage error with the option, the text and the range if the value is outside the range. `show` formats the
  /// bounds as a user would type them.
  func check(_ option: String, _ range: ClosedRange<Value>, showing show: (Value) -> String = { "\($0)" }) throws {
    do { _ = try checked(in: range) } catch {
      let phrase: MessageKey =
        switch error {
        case .outOfRange: .usageOutOfRange
        case .noNumber: .usageNoNumber
        case .noWholeNumber: .usageNoWholeNumber
        }
      throw ValidationError(phrase, option, text.cleaned, show(range.lowerBound), show(range.upperBound))
    }
  }
}

extension ArgumentHelp {
  /// Returns a help text in the program's language.
  static func phrase(_ phrase: MessageKey, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(HelpTexts.areOmitted ? "" : CLILanguage.words(phrase), valueName: valueName)
  }
}
