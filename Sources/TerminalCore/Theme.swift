/// A mapping from styles to colours and attributes.
package struct Theme: Hashable, Sendable {
  /// The attributes and colours of a role or a background. Parts left open are those of plain text.
  package struct Appearance: Hashable, Sendable {
    package var attributes: Attributes
    package var foreground: Color
    package var background: Color

    package init(_ attributes: Attributes = [], _ foreground: Color = .standard, on background: Color = .standard) {
      self.attributes = attributes
      self.foreground = foreground
      self.background = background
    }

    private static let words: [Substring: Attributes] = [
      "plain": [], "bold": .bold, "dim": .dim, "underline": .underline, "reverse": .reverse, "italic": .italic,
    ]

    /// Parses an appearance: attributes, a colour, and a background colour after `on`, as in `bold underline green on
    /// black`. A colour is a name, 0 to 255, or `#rrggbb`.
    package init(_ text: String) throws(ThemeError) {
      self.init()
      var isBehind = false
      for word in text.lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" }) {
        if let attribute = Self.words[word] {
          attributes.insert(attribute)
        } else if word == "on" {
          isBehind = true
        } else if let color = Color(word) {
          if isBehind { background = color } else { foreground = color }
        } else {
          throw .unknownWord(String(word))
        }
      }
    }

    package var hasColors: Bool { foreground != .standard || background != .standard }
  }

  /// Text attributes, which every terminal has.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let underline = Attributes(rawValue: 4)
    package static let reverse = Attributes(rawValue: 8)
    package static let italic = Attributes(rawValue: 16)
  }

  package let name: String
  /// The appearances on the normal background, indexed by the raw value of the role.
  private var roles: [Appearance]
  /// The changes by each background, indexed by its raw value.
  private var grounds: [Appearance]

  /// The appearances of roles that a built-in theme does not change.
  private static let usualRoles: [Style.Role: Appearance] = [
    .muted: Appearance(.dim), .strong: Appearance(.bold), .bar: Appearance(.reverse), .tab: Appearance(.bold),
    .found: Appearance([.bold, .underline]),
  ]

  init(name: String, roles: [Style.Role: Appearance], selected: Appearance, damaged: Appearance) {
    self.name = name
    self.roles = Style.Role.allCases.map { roles[$0] ?? Self.usualRoles[$0] ?? Appearance() }
    grounds = [Appearance(), selected, damaged]
  }

  /// Creates a theme that differs from another in some parts. `looks` maps names of `parts` to appearances as text.
  package init(name: String, basedOn base: Theme, _ looks: [String: String]) throws(ThemeError) {
    self = Theme(name: name, like: base)
    for (part, text) in looks.sorted(by: { $0.key < $1.key }) {
      if let role = Style.Role.allCases.first(where: { "\($0)" == part }) {
        roles[Int(role.rawValue)] = try Appearance(text)
      } else if part != "normal", let ground = Style.Background.allCases.first(where: { "\($0)" == part }) {
        grounds[Int(ground.rawValue)] = try Appearance(text)
      } else {
        throw .unknownPart(part)
      }
    }
  }

  init(name: String, like base: Theme) {
    self.name = name
    roles = base.roles
    grounds = base.grounds
  }

  /// The names of the parts with an appearance: every role, and every background except the normal one.
  package static let parts: [String] =
    Style.Role.allCases.map { "\($0)" } + Style.Background.allCases.dropFirst().map { "\($0)" }

  /// The appearance of a style: that of its role, combined with the attributes and colours of its background.
  package subscript(style: Style) -> Appearance {
    let plain = roles[Int(Style.Role.plain.rawValue)]
    let ground = grounds[Int(style.ground.rawValue)]
    var look = roles[Int(style.role.rawValue)]
    // The background's foreground colour replaces that of the role, so that the role needs an attribute to be visible.
    if ground.foreground != .standard, look.foreground != .standard {
      look.attributes.formUnion(Theme.monochrome[Style(style.role)].attributes)
    }
    func first(_ colors: Color...) -> Color { colors.first { $0 != .standard } ?? .standard }
    return Appearance(
      look.attributes.union(ground.attributes), first(ground.foreground, look.foreground, plain.foreground),
      on: first(ground.background, look.background, plain.background))
  }

  /// True if any part has a colour.
  package var hasColors: Bool { (roles + grounds).contains(where: \.hasColors) }
}

/// An error in the definition of a theme.
package enum ThemeError: Error, Hashable {
  /// The name is not one of `parts`.
  case unknownPart(String)
  /// The word is neither a colour nor an attribute.
  case unknownWord(String)
}
