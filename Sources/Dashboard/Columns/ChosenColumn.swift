package import Localization
import Platform
import TerminalCore

/// A column that the user has chosen, written as its name, or as its name and its width: `name:30`.
package struct ChosenColumn: Hashable, Sendable {
  package let column: BoardColumn
  /// The width in cells; nil for the usual one.
  package var width: Int?

  static let maxWidth = 120

  init(_ column: BoardColumn, width: Int? = nil) {
    self.column = column
    self.width = width
  }

  package var text: String { width.map { "\(column.name):\($0)" } ?? column.name }

  private init(_ text: String) throws(ColumnError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let column = BoardColumn(name: name) else {
      throw ColumnError(
        sentence: LocalizedMessage(
          .columnsUnknown, name.cleaned, LocalizedMessage.list(BoardColumn.names.closestMatches(to: name))))
    }
    self.column = column
    guard parts.count > 1 else { return }
    let range = column.entry.minWidth...Self.maxWidth
    guard let width = Int(parts[1]), range ~= width else {
      throw ColumnError(
        sentence: LocalizedMessage(.columnsWidth, text.cleaned, name, range.lowerBound, range.upperBound))
    }
    self.width = width
  }

  /// Parses a choice of columns. An empty one is the automatic choice.
  ///
  /// - Throws: `ColumnError` if a column is unknown or named twice, if a width is out of range, or if the name is
  ///   missing.
  package static func list(_ texts: [String]) throws(ColumnError) -> [ChosenColumn] {
    var columns: [ChosenColumn] = []
    for text in texts {
      let column = try ChosenColumn(text)
      if columns.contains(where: { $0.column == column.column }) {
        throw ColumnError(sentence: LocalizedMessage(.columnsTwice, column.column.name))
      }
      columns.append(column)
    }
    if !columns.isEmpty, !columns.contains(where: { $0.column == .name }) {
      throw ColumnError(sentence: LocalizedMessage(.columnsNoName, BoardColumn.name.name))
    }
    return columns
  }
}

/// An error in a choice of columns.
package struct ColumnError: LocalizedMessageError, Hashable {
  package let sentence: LocalizedMessage
}
