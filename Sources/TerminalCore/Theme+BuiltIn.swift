extension Theme {
  package static let all: [Theme] = [.auto, .dark, .light, .highContrast, .colorBlind, .monochrome]

  /// Returns the built-in theme of that name; nil if there is none.
  package static func named(_ name: String) -> Theme? { all.first { $0.name == name } }

  /// The theme that becomes `light` if the terminal reports a light background colour, and otherwise `dark`.
  package static let auto = Theme(name: "auto", like: .dark)

  /// The theme in the first 8 colours, which users configure in their terminal. A change takes the fewest bytes.
  package static let dark = Theme(
    name: "dark",
    roles: [
      .rising: Appearance([], .palette(2)), .falling: Appearance([], .palette(1)),
      .warning: Appearance([], .palette(3)), .chart: Appearance([], .palette(6)),
    ],
    // Reverse keeps the colour of a price visible, as its background.
    selected: Appearance(.reverse), damaged: Appearance([], .palette(7), on: .palette(4)))

  /// The theme in colours that are readable on white; yellow and light green are not.
  package static let light = Theme(
    name: "light",
    roles: [
      .rising: Appearance([], .palette(22)), .falling: Appearance([], .palette(124)),
      .warning: Appearance([], .palette(90)), .chart: Appearance([], .palette(25)),
    ],
    selected: Appearance(.reverse), damaged: Appearance([], .palette(7), on: .palette(4)))

  /// The theme that shows states on backgrounds of its own, independent of the terminal's. Nothing is dim.
  package static let highContrast = Theme(
    name: "high-contrast",
    roles: [
      .muted: Appearance(), .bar: Appearance([.bold, .reverse]), .tab: Appearance([.bold, .underline]),
      .rising: Appearance(.bold, .palette(0), on: .palette(10)),
      .falling: Appearance(.bold, .palette(15), on: .palette(1)),
      .warning: Appearance(.bold, .palette(0), on: .palette(11)), .chart: Appearance(.bold),
    ],
    selected: Appearance(.reverse), damaged: Appearance([], .palette(0), on: .palette(14)))

  /// The theme in blue and orange, which colour-blind people can distinguish, in tones readable on black and on white.
  package static let colorBlind = Theme(
    name: "colour-blind",
    roles: [
      .rising: Appearance([], .palette(33)), .falling: Appearance([], .palette(172)),
      .warning: Appearance(.bold, .palette(175)), .chart: Appearance([], .palette(33)),
    ],
    selected: Appearance(.reverse), damaged: Appearance([], .palette(7), on: .palette(25)))

  /// The theme without colours, with attributes only.
  package static let monochrome = Theme(
    name: "monochrome",
    roles: [.rising: Appearance(.bold), .falling: Appearance(.underline), .warning: Appearance(.bold)],
    selected: Appearance(.reverse), damaged: Appearance(.reverse))
}
