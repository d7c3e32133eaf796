extension String {
  /// The text with its non-ASCII characters replaced by similar ASCII ones. Accents are removed, and so are the narrow
  /// blanks inside French quotes. Characters without a similar ASCII one stay.
  package var inASCII: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var text = ""
    var isQuoteOpen = false
    for scalar in unicodeScalars {
      if isQuoteOpen, scalar == "\u{202F}" || scalar == "\u{A0}" { continue }
      isQuoteOpen = scalar == "«"
      if scalar == "»", text.last == " " { text.removeLast() }
      if let likeness = Self.likenesses[scalar] { text += likeness } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  private static let likenesses: [Unicode.Scalar: String] = {
    let letters = [
      "a": "àâä", "c": "ç", "e": "éèêë", "i": "îï", "o": "ôö", "u": "ùûüµ", "y": "ÿ", "A": "ÀÂÄ", "C": "Ç",
      "E": "ÉÈÊË", "I": "ÎÏ", "O": "ÔÖ", "U": "ÙÛÜ", "oe": "œ", "ae": "æ", "OE": "Œ", "AE": "Æ", " ": "\u{202F}\u{A0}",
      "\"": "«»“”", "'": "‘’", "...": "…", "-": "–—·", "x": "×",
    ]
    return letters.reduce(into: [:]) { table, entry in
      for scalar in entry.value.unicodeScalars { table[scalar] = entry.key }
    }
  }()
}
