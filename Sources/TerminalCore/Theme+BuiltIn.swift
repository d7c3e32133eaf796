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
      .muted: Look(.dim), .strong: Look(.bold), .bar: Look(.reverse), .tab: Look(.bold),
      .rising: Look([], .palette(2)), .falling: Look([], .palette(1)), .warning: Look([], .palette(3)),
      .found: Look([.bold, .underline]), .chart: Look([], .palette(6)),
    ],
    // Reverse keeps the colour of a price in view, as its background.
    selected: Look(.reverse), damaged: Look([], .palette(7), on: .palette(4)))

  /// The same in tones that can be read upon white, as yellow and a light green cannot.
  package static let light = Theme(
    name: "light",
    roles: [
      .muted: Look(.dim), .strong: Look(.bold), .bar: Look(.reverse), .tab: Look(.bold),
      .rising: Look([], .palette(22)), .falling: Look([], .palette(124)), .warning: Look([], .palette(90)),
      .found: Look([.bold, .underline]), .chart: Look([], .palette(25)),
    ],
    selected: Look(.reverse), damaged: Look([], .palette(7), on: .palette(4)))

  /// What says something stands upon a ground of its own, whatever the terminal's; nothing is dim.
  package static let highContrast = Theme(
    name: "high-contrast",
    roles: [
      .strong: Look(.bold), .bar: Look([.bold, .reverse]), .tab: Look([.bold, .underline]),
      .rising: Look(.bold, .palette(0), on: .palette(10)), .falling: Look(.bold, .palette(15), on: .palette(1)),
      .warning: Look(.bold, .palette(0), on: .palette(11)), .found: Look([.bold, .underline]), .chart: Look(.bold),
    ],
    selected: Look(.reverse), damaged: Look([], .palette(0), on: .palette(14)))

  /// Blue and orange, which nobody takes for each other; in tones that can be read upon black and upon white.
  package static let colorBlind = Theme(
    name: "colour-blind",
    roles: [
      .muted: Look(.dim), .strong: Look(.bold), .bar: Look(.reverse), .tab: Look(.bold),
      .rising: Look([], .palette(33)), .falling: Look([], .palette(172)), .warning: Look(.bold, .palette(175)),
      .found: Look([.bold, .underline]), .chart: Look([], .palette(33)),
    ],
    selected: Look(.reverse), damaged: Look([], .palette(7), on: .palette(25)))

  /// Attributes alone.
  package static let monochrome = Theme(
    name: "monochrome",
    roles: [
      .muted: Look(.dim), .strong: Look(.bold), .bar: Look(.reverse), .tab: Look(.bold), .rising: Look(.bold),
      .falling: Look(.underline), .warning: Look(.bold), .found: Look([.bold, .underline]),
    ],
    selected: Look(.reverse), damaged: Look(.reverse))
}
