extension Catalog {
  /// A phrase's text.
  enum Form: Hashable, Sendable {
    case plain(String)
    /// Cut at its places.
    case places([Part])
    /// One for each of the language's plurals.
    indirect case plurals([Form])
  }

  enum Part: Hashable, Sendable {
    case text(String)
    case place(Int)
  }
}

extension Catalog.Form {
  /// `{0}` is the first place; other braces are themselves.
  init(_ text: String) {
    var parts: [Catalog.Part] = []
    /// Where the words begin that are in no part yet.
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

  /// The same form of other words.
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
