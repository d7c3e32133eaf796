import ArgumentParser
import Localization
import OddsFeed
import ProgramArguments
import TerminalCore

extension TypedValue where Value: Comparable & Sendable {
  /// Throws, naming the option, what was typed and the range, where the value is none of that range. The bounds are shown
  /// as they are to be typed.
  func check(_ option: String, _ range: ClosedRange<Value>, showing show: (Value) -> String = { "\($0)" }) throws {
    do { _ = try checked(in: range) } catch {
      let isWhole = !(Value.self is any BinaryFloatingPoint.Type)
      let phrase: MessageKey =
        switch error {
        case .outOfRange: .usageOutOfRange
        case .noNumber: isWhole ? .usageNoWholeNumber : .usageNoNumber
        }
      throw ValidationError(phrase, option, text.cleaned, show(range.lowerBound), show(range.upperBound))
    }
  }
}

extension ValidationError {
  /// Throws where an option has an empty value that is of no use.
  static func checkEmpty(_ options: [(name: String, value: String?)]) throws {
    if let option = options.first(where: { $0.value == "" }) { throw ValidationError(.usageValueEmpty, option.name) }
  }
}
