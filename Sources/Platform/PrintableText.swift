extension StringProtocol {
  /// Returns at most `limit` characters of untrusted text, followed by `…` if it is longer. Each run of white space
  /// becomes one space; control characters and other invisible characters are removed.
  package func printable(_ limit: Int = 200) -> String {
    var text = ""
    var wasBlank = true
    for scalar in unicodeScalars {
      let isBlank = scalar.properties.isWhitespace
      switch scalar.properties.generalCategory {
      case _ where isBlank: if !wasBlank { text += " " }
      case .control, .format, .surrogate, .privateUse, .unassigned: continue
      default: text.unicodeScalars.append(scalar)
      }
      wasBlank = isBlank
    }
    while text.last == " " { text.removeLast() }
    return text.count > limit ? "\(text.prefix(limit))…" : text
  }
}
