import TerminalCore

/// A cell of a screen as it is drawn.
struct PictureCell: Hashable {
  /// The character with its combining marks; empty for a blank.
  var text: String
  /// The number of terminal cells: 1, or 2 for a wide character, whose right half is no cell of its own.
  var width = 1
  var appearance = Theme.Appearance()
}

/// Neighbouring cells of one row that are one element of the picture.
struct PictureRun: Equatable {
  /// The kind of the characters. A text element has only characters of one kind: a font that lacks symbols or wide
  /// characters takes them from other fonts, whose widths differ.
  enum Kind: Equatable {
    case letters, wide, symbols
    /// Braille patterns, and characters of thin lines.
    case dots, lines

    /// True if the characters are drawn as paths.
    var isDrawn: Bool { self == .dots || self == .lines }
  }

  let kind: Kind
  /// The colour, and the attributes that change the font.
  let color: PicturePalette.RGB
  let attributes: Theme.Attributes
  let column: Int
  private(set) var width: Int
  private(set) var text: String

  /// Returns the runs of a row. Blanks are part of a run only singly, between letters.
  static func runs(of row: [PictureCell], _ palette: PicturePalette) -> [PictureRun] {
    var runs: [PictureRun] = []
    var column = 0
    for cell in row {
      if !cell.text.isEmpty {
        let run = PictureRun(cell, at: column, palette)
        if runs.isEmpty || !runs[runs.count - 1].append(run) { runs.append(run) }
      }
      column += cell.width
    }
    return runs
  }

  private init(_ cell: PictureCell, at column: Int, _ palette: PicturePalette) {
    kind = Kind(cell)
    color = palette.colors(of: cell.appearance).foreground
    attributes = cell.appearance.attributes.intersection([.bold, .italic])
    self.column = column
    width = cell.width
    text = cell.text
  }

  private var end: Int { column + width }

  /// Appends the next run if it looks alike and begins at the end of this one, or one column later after letters.
  /// Returns false if it does not.
  private mutating func append(_ next: PictureRun) -> Bool {
    let gap = next.column - end
    guard gap == 0 || gap == 1 && kind == .letters,
      next.kind == kind && next.color == color && next.attributes == attributes
    else { return false }
    text += (gap == 1 ? " " : "") + next.text
    width += gap + next.width
    return true
  }
}

extension PictureRun.Kind {
  fileprivate init(_ cell: PictureCell) {
    let scalar = cell.text.unicodeScalars.first ?? " "
    self =
      switch scalar.value {
      case _ where cell.width > 1: .wide
      case 0x2800...0x28FF: .dots
      case _ where ScreenPicture.arms[scalar] != nil: .lines
      // Latin, Greek and Cyrillic letters, dashes, quotation marks and the ellipsis.
      case ..<0x530, 0x1E00..<0x1F00, 0x2010..<0x2040: .letters
      default: .symbols
      }
  }
}

/// Neighbouring cells of one row with the same colour: a background, or the line below underlined cells.
struct PictureBar: Equatable {
  let color: PicturePalette.RGB
  let column: Int
  private(set) var width: Int

  /// Returns the cells that have a colour, joined.
  static func bars(of row: [PictureCell], _ color: (PictureCell) -> PicturePalette.RGB?) -> [PictureBar] {
    var bars: [PictureBar] = []
    var column = 0
    for cell in row {
      if let color = color(cell) {
        if let last = bars.last, last.color == color, last.column + last.width == column {
          bars[bars.count - 1].width += cell.width
        } else {
          bars.append(PictureBar(color: color, column: column, width: cell.width))
        }
      }
      column += cell.width
    }
    return bars
  }
}
