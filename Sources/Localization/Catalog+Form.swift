extension Catalog {
  /// The text of a message in one language.
  enum Form: Hashable, Sendable {
    case plain(String)
    /// Text with placeholders.
    case template([Part])
    /// One form per plural form of the language, in the order of `Language.plurals`.
    indirect case plurals([Form])
  }

  enum Part: Hashable, Sendable {
    case text(String)
    case placeholder(Int)
  }
}

extension Catalog.Form {
  /// Parses a text with placeholders: `{0}` is the first argument. Other braces are literal.
  init(_ text: String) {
    var text = text
    self = text.withUTF8 { Catalog.Form(utf8: $0) }
  }

  init(utf8 text: UnsafeBufferPointer<UInt8>) {
    var parts: [Catalog.Part] = []
    /// The start of the text that is not in a part yet.
    var start = 0
    var at = 0
    while let brace = text[at...].firstIndex(of: UInt8(ascii: "{")) {
      at = brace + 1
      guard let end = text[at...].firstIndex(of: UInt8(ascii: "}")),
        let index = Int(String(decoding: text[at..<end], as: UTF8.self))
      else { continue }
      if start < brace { parts.append(.text(String(decoding: text[start..<brace], as: UTF8.self))) }
      parts.append(.placeholder(index))
      at = end + 1
      start = at
    }
    let rest = String(decoding: text[start...], as: UTF8.self)
    if parts.isEmpty {
      self = .plain(rest)
    } else {
      self = .template(rest.isEmpty ? parts : parts + [.text(rest)])
    }
  }

  /// Returns the same form with each text replaced.
  func mapTexts(_ change: (String) -> String) -> Catalog.Form {
    switch self {
    case .plain(let text): .plain(change(text))
    case .plurals(let forms): .plurals(forms.map { $0.mapTexts(change) })
    case .template(let parts):
      .template(
        parts.map { part in
          switch part {
          case .text(let text): .text(change(text))
          case .placeholder: part
          }
        })
    }
  }
}
