import ArgumentParser
import ProgramArguments

extension TypedValue where Value: Comparable & Sendable {
  /// Throws a usage error with the option, the text and a remedy if the value is outside the range.
  func check(_ option: String, _ range: ClosedRange<Value>, remedy: String? = nil) throws {
    do { _ = try checked(in: range) } catch {
      let remedy = remedy ?? "give \(range.lowerBound) to \(range.upperBound)"
      throw ValidationError("\(option) '\(text)' \(error.rawValue): \(remedy)")
    }
  }
}

extension ValidationError {
  /// Throws if the value of an option is empty.
  static func checkEmpty(_ options: [(name: String, value: String?)]) throws {
    guard let option = options.first(where: { $0.value == "" }) else { return }
    throw ValidationError("\(option.name) '' is empty: give a value, or leave it out")
  }
}
