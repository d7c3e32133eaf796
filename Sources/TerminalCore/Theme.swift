/// Which colours and attributes a style has.
package struct Theme: Hashable, Sendable {
  /// How something is drawn. What a look leaves open is as in plain text.
  package struct Appearance: Hashable, Sendable {
    package var attributes: Attributes
    package var foreground: Color
    package var background: Color

    package init(_ attributes: Attributes = [], _ foreground: Color = .standard, on background: Color = .standard) {
      (self.attributes, self.foreground, self.background) = (attributes, foreground, background)
    }

    package var hasColors: Bool { foreground != .standard || background != .standard }
  }

  /// What every terminal has besides colours.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let underline = Attributes(rawValue: 4)
    package static let reverse = Attributes(rawValue: 8)
    package static let italic = Attributes(rawValue: 16)
  }

  /// Why a text is no look, or there is nothing to give it to.
  package enum Problem: Error, Hashable {
    /// Not one of `parts`.
    case unknownPart(String)
    /// Neither a colour nor an attribute.
    case unknownWord(String)
  }

  /// What it is called in the configuration.
  package let name: String
  /// By the role's raw value, on the normal ground.
  private var roles: [Appearance]
  /// What each ground, by its raw value, makes of them.
  private var grounds: [Appearance]

  init(name: String, roles: [Style.Role: Appearance], selected: Appearance, damaged: Appearance) {
    self.name = name
    self.roles = Style.Role.allCases.map { roles[$0] ?? Appearance() }
    grounds = [Appearance(), selected, damaged]
  }

  /// A theme that differs from another in some parts, each by what it is called (`parts`) and its look as a text.
  package init(name: String, basedOn base: Theme, _ looks: [String: String]) throws(Problem) {
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
    (self.name, roles, grounds) = (name, base.roles, base.grounds)
  }

  /// What can be given a look: each role, and the grounds but for the normal one.
  package static let parts: [String] =
    Style.Role.allCases.map { "\($0)" } + Style.Background.allCases.dropFirst().map { "\($0)" }

  /// How a style is drawn: as its role, or as its ground where that has an opinion.
  package subscript(style: Style) -> Appearance {
    let plain = roles[Int(Style.Role.plain.rawValue)]
    let ground = grounds[Int(style.ground.rawValue)]
    var look = roles[Int(style.role.rawValue)]
    // Where the ground takes the colour of a role, its attributes have to tell it.
    if ground.foreground != .standard, look.foreground != .standard {
      look.attributes.formUnion(Theme.monochrome[Style(style.role)].attributes)
    }
    func first(_ colors: Color...) -> Color { colors.first { $0 != .standard } ?? .standard }
    return Appearance(
      look.attributes.union(ground.attributes), first(ground.foreground, look.foreground, plain.foreground),
      on: first(ground.background, look.background, plain.background))
  }

  /// False where attributes say it all.
  package var hasColors: Bool { (roles + grounds).contains(where: \.hasColors) }
}

extension Theme.Appearance {
  private static let words: [Substring: Theme.Attributes] = [
    "plain": [], "bold": .bold, "dim": .dim, "underline": .underline, "reverse": .reverse, "italic": .italic,
  ]

  /// A look as it is written: attributes, a colour, and behind `on` another, as in `bold underline green on black`. A
  /// colour is a name, 0 to 255, or `#rrggbb`.
  package init(_ text: String) throws(Theme.Problem) {
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
}
