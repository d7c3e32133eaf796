/// The terminal settings that a program has changed and not restored, read from its output.
package struct UnrestoredTerminalSettings: Hashable {
  /// A setting that differs from what a shell expects.
  package enum Setting: Hashable {
    /// A private mode that is off at first: 1049 the alternate screen, 1000 to 1006 the mouse, 2004 bracketed paste.
    case mode(Int)
    case hiddenCursor
    case noWrapping
    case insertMode
    case attributes
    case scrollRegion
    case keypad
  }

  /// The settings at the end of the output.
  package private(set) var settings: Set<Setting> = []

  /// Reads the output of a terminal of that many rows.
  package init(_ output: [UInt8], rows: Int) {
    var at = 0
    while let escape = output[at...].firstIndex(of: 0x1B), escape + 1 < output.count {
      at = escape + 2
      switch output[escape + 1] {
      case UInt8(ascii: "["):
        let end = output[at...].firstIndex { 0x40...0x7E ~= $0 } ?? output.count - 1
        applySequence(parameters: output[at..<max(at, end)], final: output[end], rows: rows)
        at = end + 1
      case UInt8(ascii: "]"):
        at = (output[at...].firstIndex { $0 == 0x07 || $0 == 0x1B } ?? output.count - 1) + 1
      case UInt8(ascii: "="): settings.insert(.keypad)
      case UInt8(ascii: ">"): settings.remove(.keypad)
      default: break
      }
    }
  }

  private mutating func applySequence(parameters: ArraySlice<UInt8>, final: UInt8, rows: Int) {
    let isPrivate = parameters.first == UInt8(ascii: "?")
    let numbers = String(decoding: isPrivate ? parameters.dropFirst() : parameters, as: UTF8.self)
      .split(separator: ";").compactMap { Int($0) }
    switch final {
    case UInt8(ascii: "h") where isPrivate: numbers.forEach { set($0, true) }
    case UInt8(ascii: "l") where isPrivate: numbers.forEach { set($0, false) }
    case UInt8(ascii: "h") where numbers == [4]: settings.insert(.insertMode)
    case UInt8(ascii: "l") where numbers == [4]: settings.remove(.insertMode)
    case UInt8(ascii: "m"): change(.attributes, isSet: numbers.contains { $0 != 0 })
    case UInt8(ascii: "r"): change(.scrollRegion, isSet: !numbers.isEmpty && numbers != [1, rows])
    default: break
    }
  }

  private mutating func set(_ mode: Int, _ isOn: Bool) {
    switch mode {
    case 25: change(.hiddenCursor, isSet: !isOn)
    case 7: change(.noWrapping, isSet: !isOn)
    // The terminal decides whether the cursor blinks.
    case 12: break
    default: change(.mode(mode), isSet: isOn)
    }
  }

  private mutating func change(_ setting: Setting, isSet: Bool) {
    if isSet { settings.insert(setting) } else { settings.remove(setting) }
  }
}
