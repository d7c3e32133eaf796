import OddsModel
import TerminalCore

/// The positions and widths of both sides in a match's name, by which it is shortened so that both stay readable.
///
/// Measured once, when the match arrives or is renamed. Drawing a name that does not fit then measures nothing.
struct MatchName: Hashable, Sendable {
  /// The separators of names whose sides the feed does not give apart.
  private static let separators = [" - ", " – ", " — ", " vs ", " v ", " @ "]

  /// The number of UTF-8 bytes and of cells before the separator. Zero if the name has no two sides.
  private(set) var homeBytes: UInt16 = 0
  private(set) var homeCells: UInt16 = 0
  /// The number of cells of the separator and of the second side.
  private var separatorCells: UInt16 = 0
  private var awayCells: UInt16 = 0

  init(_ labels: Match.Names) {
    let name = labels.name
    guard name.utf8.count <= Int(UInt16.max), let separator = Self.separator(of: labels) else { return }
    let (home, away) = (name[..<separator.lowerBound], name[separator.upperBound...])
    homeBytes = UInt16(home.utf8.count)
    homeCells = UInt16(String(home).cellWidth)
    separatorCells = UInt16(String(name[separator]).cellWidth)
    awayCells = UInt16(String(away).cellWidth)
  }

  /// Returns the range of the separator between the sides, or nil for a name of one side.
  private static func separator(of labels: Match.Names) -> Range<String.Index>? {
    let name = labels.name
    let (home, away) = (labels.home, labels.away)
    if !home.isEmpty, !away.isEmpty, name.hasPrefix(home), name.hasSuffix(away),
      let start = name.utf8.index(name.startIndex, offsetBy: home.utf8.count, limitedBy: name.endIndex),
      let end = name.utf8.index(name.endIndex, offsetBy: -away.utf8.count, limitedBy: start)
    {
      return start..<end
    }
    for separator in separators {
      if let range = name.firstRange(of: separator), range.lowerBound > name.startIndex,
        range.upperBound < name.endIndex
      {
        return range
      }
    }
    return nil
  }

  /// The number of cells of the whole name; nil for a name of one side, which is not measured.
  private var cells: Int? { homeBytes == 0 ? nil : Int(homeCells) + Int(separatorCells) + Int(awayCells) }

  /// Returns the number of cells for the first side in a number of cells for the name, with its ellipsis if it is
  /// shortened. Nil if the end of the name is to be cut off: it has one side, or no room for two.
  ///
  /// Both sides get the same number of cells, but none gets more than it needs. An odd cell is the first side's.
  func homeCells(in width: Int) -> Int? {
    guard let cells else { return nil }
    if cells <= width { return Int(homeCells) }
    let room = width - Int(separatorCells)
    // One character and an ellipsis for each side.
    guard room >= 4 else { return nil }
    if Int(awayCells) <= room / 2 { return room - Int(awayCells) }
    return min(Int(homeCells), room - room / 2)
  }
}
