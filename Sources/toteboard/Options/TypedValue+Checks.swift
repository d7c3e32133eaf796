import ArgumentParser
import Localization
import ProgramArguments
import TerminalCore

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

extension ValidationError {
  /// Throws if the value of an option is empty.
  static func checkEmpty(_ options: [(name: String, value: String?)]) throws {
    if let option = options.first(where: { $0.value == "" }) { throw ValidationError(.usageValueEmpty, option.name) }
  }
}
