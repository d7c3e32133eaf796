extension Catalog {
  /// The text of a message in one language.
  enum Form: Hashable, Sendable {
    case plain(String)
    /// Text with placeholders.
    case places([Part])
    /// One form per plural form of the language, in the order of `Language.plurals`.
    indirect case plurals([Form])
  }

  enum Part: Hashable, Sendable {
    case text(String)
    case place(Int)
  }
}

extension Catalog.Form {
  /// Parses a text with placeholders: `{0}` is the first argument. Other braces are literal.
  init(_ text: String) {
    var parts: [Catalog.Part] = []
    /// The start of the text that is not in a part yet.
    var start = text.startIndex
    var at = start
    while let brace = text.utf8[at...].firstIndex(of: UInt8(ascii: "{")) {
      at = text.utf8.index(after: brace)
      guard let end = text.utf8[at...].firstIndex(of: UInt8(ascii: "}")), let place = Int(text[at..<end]) else {
        continue
      }
      if start < brace { parts.append(.text(String(text[start..<brace]))) }
      parts.append(.place(place))
      at = text.utf8.index(after: end)
      start = at
    }
    if parts.isEmpty {
      self = .plain(text)
    } else {
      self = .places(start < text.endIndex ? parts + [.text(String(text[start...]))] : parts)
    }
  }

  /// Returns the same form with each text replaced.
  func mapTexts(_ change: (String) -> String) -> Catalog.Form {
    switch self {
    case .plain(let text): .plain(change(text))
    case .plurals(let forms): .plurals(forms.map { $0.mapTexts(change) })
    case .places(let parts):
      .places(
        parts.map { part in
          switch part {
          case .text(let text): .text(change(text))
          case .place: part
          }
        })
    }
  }
}
