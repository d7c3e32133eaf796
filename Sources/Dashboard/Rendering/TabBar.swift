import TerminalCore

/// The tabs of the header, in the cells that the status leaves.
struct TabBar {
  /// The forms of the tabs, from the most complete.
  enum Form {
    /// All names in full.
    case whole
    /// All names, shortened evenly. The name of the open tab is shortened last.
    case short
    /// The numbers, with the name of the open tab in full, or shortened.
    case numbers, shortNumbers
    /// The open tab alone, with its name in full, shortened, or without it.
    case current, shortCurrent, number
  }

  struct Title {
    let tab: Tab
    let number: Int
    let name: String
  }

  struct Item {
    let tab: Tab
    let text: String
  }

  /// The least width of a shortened name, in cells.
  static let minName = 3

  private let titles: [Title]
  private let open: Tab
  private let ellipsis: String

  init(_ titles: [Title], open: Tab, ellipsis: String) {
    self.titles = titles
    self.open = open
    self.ellipsis = ellipsis
  }

  /// Returns the tabs in a form, in at most `room` cells; nil if they do not fit.
  func items(_ form: Form, room: Int) -> [Item]? {
    switch form {
    // The least tab is a digit between two blanks. Many watch lists are not measured one by one.
    case .whole, .short, .numbers, .shortNumbers: if titles.count * 3 > room { return nil }
    case .current, .shortCurrent, .number: break
    }
    switch form {
    case .whole:
      return Self.fitting(titles.map { Item(tab: $0.tab, text: " \($0.number) \($0.name) ") }, room)
        ?? Self.fitting(narrow(titles.map(\.name)), room)
    case .short: return shortened(room: room)
    case .numbers: return named(in: titles, room: room, isShort: false)
    case .shortNumbers: return named(in: titles, room: room, isShort: true)
    case .current: return named(in: titles.filter { $0.tab == open }, room: room, isShort: false)
    case .shortCurrent: return named(in: titles.filter { $0.tab == open }, room: room, isShort: true)
    case .number:
      return titles.first { $0.tab == open }.flatMap { Self.fitting([Item(tab: open, text: " \($0.number) ")], room) }
    }
  }

  private static func fitting(_ items: [Item], _ room: Int) -> [Item]? {
    items.reduce(0) { $0 + $1.text.cellWidth } <= room ? items : nil
  }

  /// Returns the tabs with one blank between them instead of two.
  private func narrow(_ names: [String]) -> [Item] {
    zip(titles, names).enumerated().map { index, part in
      Item(tab: part.0.tab, text: "\(index == 0 ? " " : "")\(part.0.number) \(part.1) ")
    }
  }

  /// Gives each name its least width and the open tab's name all of its width, and distributes the rest evenly.
  private func shortened(room: Int) -> [Item]? {
    var limits = titles.map { $0.tab == open ? max(Self.minName, $0.name.cellWidth) : Self.minName }
    func name(_ index: Int, _ limit: Int) -> String { titles[index].name.short(limit, ellipsis: ellipsis) }
    var left = room - narrow(titles.indices.map { name($0, limits[$0]) }).reduce(0) { $0 + $1.text.cellWidth }
    if left < 0, let index = titles.firstIndex(where: { $0.tab == open }) {
      let width = name(index, limits[index]).cellWidth
      limits[index] = max(Self.minName, width + left)
      left += width - name(index, limits[index]).cellWidth
    }
    guard left >= 0 else { return nil }
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      for index in titles.indices where limits[index] < titles[index].name.cellWidth {
        let growth = name(index, limits[index] + 1).cellWidth - name(index, limits[index]).cellWidth
        guard growth <= left else { continue }
        limits[index] += 1
        left -= growth
        hasGrown = true
      }
    }
    return narrow(titles.indices.map { name($0, limits[$0]) })
  }

  /// Returns the numbers of tabs, and the name of the open one among them.
  private func named(in titles: [Title], room: Int, isShort: Bool) -> [Item]? {
    func items(_ name: String) -> [Item] {
      titles.map { Item(tab: $0.tab, text: $0.tab == open ? " \($0.number) \(name) " : " \($0.number) ") }
    }
    guard let name = titles.first(where: { $0.tab == open })?.name else { return nil }
    if !isShort { return Self.fitting(items(name), room) }
    let limit = room - items("").reduce(0) { $0 + $1.text.cellWidth }
    return limit < Self.minName ? nil : items(name.short(limit, ellipsis: ellipsis))
  }
}

extension String {
  /// Returns the text in at most `cells` cells. A text cut to four cells or more ends in an ellipsis.
  func short(_ cells: Int, ellipsis: String) -> String {
    if cellWidth <= cells { return self }
    let end = cells > 3 ? ellipsis : ""
    var start = ""
    var left = cells - end.cellWidth
    for character in self {
      left -= String(character).cellWidth
      if left < 0 { break }
      start.append(character)
    }
    return start.trimmedAtEnd + end
  }
}
