import TerminalCore

extension String {
  /// The text in lines of at most that many cells, broken between words, and in Chinese between characters where no
  /// punctuation stands against it; a longer word has a line of its own.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for piece in pieces {
      if let last = lines.last, last.cellWidth + (piece.isSpaced ? 1 : 0) + piece.text.cellWidth <= width {
        lines[lines.count - 1] += piece.isSpaced ? " \(piece.text)" : piece.text
      } else {
        lines.append(piece.text)
      }
    }
    return lines
  }

  /// What is not broken, and whether a blank stands before it.
  private var pieces: [(text: String, isSpaced: Bool)] {
    split(separator: " ").flatMap { word in
      var parts: [(text: String, isSpaced: Bool)] = []
      for character in word {
        if let before = parts.last?.text.last, !before.mayPart(from: character) {
          parts[parts.count - 1].text.append(character)
        } else {
          parts.append((String(character), parts.isEmpty))
        }
      }
      return parts
    }
  }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Character {
  /// Whether a line may end between this character and another.
  fileprivate func mayPart(from next: Character) -> Bool {
    (isWide || next.isWide) && !"（「『《".contains(self) && !"，。、；：！？）」』》…%".contains(next)
  }

  private var isWide: Bool { unicodeScalars.contains { $0.cellWidth == 2 } }
}
