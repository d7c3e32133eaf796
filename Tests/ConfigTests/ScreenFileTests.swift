import Dashboard
import Localization
import TerminalCore
import TestSupport
import Testing

@testable import toteboard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("A screen written to a file")
struct ScreenFileTests {
  private let directory = TemporaryDirectory()
  private let frame: Frame = {
    var frame = Frame(size: Size(rows: 2, columns: 9))
    frame.rows[0].write("北 2.45▲", at: 0, style: Style(.rising))
    return frame
  }()

  private func content(_ name: String) -> String? {
    guard let file = fopen("\(directory.path)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test("The file is plain text, or has colours if its name ends in .ansi or .ans; ~ is the user's home")
  func forms() {
    let note = ScreenFile("~/a.txt", home: directory.path).write(frame)
    #expect(!note.isWarning && note.sentence.description.contains("'\(directory.path)/a.txt'"))
    #expect(content("a.txt") == "北 2.45▲\n\n")
    for name in ["b.ansi", "c.ANS"] {
      #expect(!ScreenFile("\(directory.path)/\(name)", home: nil).write(frame).isWarning)
      #expect(content(name) == "\u{1B}[0;32m北 2.45▲\u{1B}[0m\n\n")
    }
  }

  @Test("An existing file is not replaced, and other errors are reported")
  func refusals() {
    let file = TemporaryFile("mine")
    let note = ScreenFile(file.path, home: nil).write(frame)
    #expect(note.isWarning && note.sentence.description.contains("exists") && file.text == "mine")
    for path in ["\(directory.path)/none/a.txt", directory.path, "/dev/full/x", ""] {
      let note = ScreenFile(path, home: nil).write(frame)
      #expect(note.isWarning && note.sentence.description.contains("'\(path)'"), "\(note.sentence)")
    }
  }
}
