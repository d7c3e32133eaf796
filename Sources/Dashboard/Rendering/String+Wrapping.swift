import TerminalCore

extension String {
  /// Returns the text in lines of at most `width` cells. Breaks between words, and in Chinese between characters, but
  /// not next to punctuation that belongs to them. A longer word has a line of its own.
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

  /// The unbreakable parts, and true for a part after a blank.
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
  /// Returns true if a line may break between this character and the next.
  fileprivate func mayPart(from next: Character) -> Bool {
    (isWide || next.isWide) && !"（「『《".contains(self) && !"，。、；：！？）」』》…%".contains(next)
  }

  private var isWide: Bool { unicodeScalars.contains { $0.cellWidth == 2 } }
}
