extension Theme {
  /// What every user can choose, besides themes of his own.
  package static let all: [Theme] = [.auto, .dark, .light, .highContrast, .colorBlind, .monochrome]

  package static func named(_ name: String) -> Theme? { all.first { $0.name == name } }

  /// The dark or the light one, by what the terminal answers lies behind its text; dark where it does not.
  package static let auto = Theme(name: "auto", like: .dark)

  /// In the first eight colours, which are the terminal's user's own: what changes takes the fewest bytes.
  package static let dark = Theme(
    name: "dark",
    roles: [
      .muted: Appearance(.dim), .strong: Appearance(.bold), .bar: Appearance(.reverse), .tab: Appearance(.bold),
      .rising: Appearance([], .palette(2)), .falling: Appearance([], .palette(1)),
      .warning: Appearance([], .palette(3)),
      .found: Appearance([.bold, .underline]), .chart: Appearance([], .palette(6)),
    ],
    // Reverse keeps the colour of a price in view, as its background.
    selected: Appearance(.reverse), damaged: Appearance([], .palette(7), on: .palette(4)))

  /// The same in tones that can be read upon white, as yellow and a light green cannot.
  package static let light = Theme(
    name: "light",
    roles: [
      .muted: Appearance(.dim), .strong: Appearance(.bold), .bar: Appearance(.reverse), .tab: Appearance(.bold),
      .rising: Appearance([], .palette(22)), .falling: Appearance([], .palette(124)),
      .warning: Appearance([], .palette(90)),
      .found: Appearance([.bold, .underline]), .chart: Appearance([], .palette(25)),
    ],
    selected: Appearance(.reverse), damaged: Appearance([], .palette(7), on: .palette(4)))

  /// What says something stands upon a ground of its own, whatever the terminal's; nothing is dim.
  package static let highContrast = Theme(
    name: "high-contrast",
    roles: [
      .strong: Appearance(.bold), .bar: Appearance([.bold, .reverse]), .tab: Appearance([.bold, .underline]),
      .rising: Appearance(.bold, .palette(0), on: .palette(10)),
      .falling: Appearance(.bold, .palette(15), on: .palette(1)),
      .warning: Appearance(.bold, .palette(0), on: .palette(11)), .found: Appearance([.bold, .underline]),
      .chart: Appearance(.bold),
    ],
    selected: Appearance(.reverse), damaged: Appearance([], .palette(0), on: .palette(14)))

  /// Blue and orange, which nobody takes for each other; in tones that can be read upon black and upon white.
  package static let colorBlind = Theme(
    name: "colour-blind",
    roles: [
      .muted: Appearance(.dim), .strong: Appearance(.bold), .bar: Appearance(.reverse), .tab: Appearance(.bold),
      .rising: Appearance([], .palette(33)), .falling: Appearance([], .palette(172)),
      .warning: Appearance(.bold, .palette(175)),
      .found: Appearance([.bold, .underline]), .chart: Appearance([], .palette(33)),
    ],
    selected: Appearance(.reverse), damaged: Appearance([], .palette(7), on: .palette(25)))

  /// Attributes alone.
  package static let monochrome = Theme(
    name: "monochrome",
    roles: [
      .muted: Appearance(.dim), .strong: Appearance(.bold), .bar: Appearance(.reverse), .tab: Appearance(.bold),
      .rising: Appearance(.bold),
      .falling: Appearance(.underline), .warning: Appearance(.bold), .found: Appearance([.bold, .underline]),
    ],
    selected: Appearance(.reverse), damaged: Appearance(.reverse))
}
