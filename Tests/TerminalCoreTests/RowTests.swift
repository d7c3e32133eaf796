import TerminalCore
import TestSupport
import Testing

struct RowTests {
  @Test(
    "Text is clipped by cells, never through a wide character",
    arguments: [
      ("abcdef", 4, "abcd"), ("北京国安", 5, "北京"), ("a北京", 4, "a北"), ("北", 1, ""), ("e\u{301}e", 1, "e\u{301}"),
    ])
  func clip(text: String, width: Int, expected: String) {
    var row = Row(width: width)
    row.write(text, at: 0)
    #expect(row.description.unicodeScalars.elementsEqual(expected.unicodeScalars))
    #expect(row.width == width)
  }

  @Test("Writing over half of a wide character leaves a blank for the other half")
  func overwriting() {
    var row = Row(width: 6)
    row.write("北京国", at: 0)
    row.write("x", at: 1)
    row.write("y", at: 4)
    #expect(row.description == " x京y")
    #expect(row.cells.map(\.width) == [1, 1, 2, 0, 1, 1])
  }

  @Test("Damage applied to the old frame gives the new one, and covers only rows that differ")
  func damageLaw() {
    let texts = ["2.45", "北京", "e\u{301}", " ", "▲", "上", "x"]
    for seed in 0..<300 {
      var random = SeededRandom(seed: UInt64(seed))
      func frame(from start: Frame) -> Frame {
        var frame = start
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          let row = Int.random(in: 0..<frame.rows.count, using: &random)
          frame.rows[row].write(
            texts.randomElement(using: &random)!, at: Int.random(in: 0..<20, using: &random),
            style: Style(Style.Role.allCases.randomElement(using: &random)!))
        }
        return frame
      }
      let old = frame(from: frame(from: Frame(size: Size(rows: 4, columns: 20))))
      let new = frame(from: old)
      let damage = new.damage(since: old)
      var patched = old
      patched.apply(damage, from: new)
      #expect(patched == new, "seed \(seed)")
      for part in damage {
        #expect(old.rows[part.row] != new.rows[part.row], "seed \(seed)")
        for frame in [old, new] {
          let cells = frame.rows[part.row].cells
          #expect(cells[part.columns.lowerBound].width != 0, "seed \(seed)")
          #expect(part.columns.upperBound == 20 || cells[part.columns.upperBound].width != 0, "seed \(seed)")
        }
      }
      #expect(new.damage(since: new).isEmpty)
    }
  }

  @Test("A frame of another size is damaged everywhere", arguments: [(0, 0), (1, 1), (3, 0), (2, 7)])
  func otherSize(rows: Int, columns: Int) {
    let frame = Frame(size: Size(rows: rows, columns: columns))
    let damage = frame.damage(since: Frame(size: Size(rows: 9, columns: 9)))
    #expect(damage.map(\.columns.count).reduce(0, +) == rows * columns)
  }
}
