import TOMLKit
import TerminalCore

/// Functions that write values as TOML, or for a message.
enum TOMLText {
  /// Returns a text as a basic string of TOML, with quotes and escapes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Returns a value for a message, cut to 40 characters: a text without quotes, a list, or the keys of a table.
  static func shown(_ value: any TOMLValueConvertible) -> String {
    let text =
      if let text = value.string {
        text
      } else if let list = value.array {
        "[\(list.map { shown($0) }.joined(separator: ", "))]"
      } else if let table = value.table {
        "{\(table.keys.joined(separator: ", "))}"
      } else {
        value.debugDescription
      }
    return text.count > 40 ? "\(String(text.prefix(40)).cleaned)…" : text.cleaned
  }

  /// Returns a single text as a string of TOML, several or none as an array.
  static func list(_ texts: [String]) -> String {
    texts.count == 1 ? quoted(texts[0]) : array(texts)
  }

  static func array(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }
}
