import TerminalCore
import Testing

@testable import TerminalCurses

@Suite("Styles and what they look like")
struct StyleTableTests {
  @Test("On each ground, a role that says something looks different from plain text", arguments: [true, false])
  func rolesDiffer(hasColors: Bool) {
    let table = StyleTable(hasColors: hasColors)
    for ground in Style.Ground.allCases {
      for role in Style.Role.allCases where role != .plain && role != .bar {
        #expect(table[Style(role, on: ground)] != table[Style(.plain, on: ground)], "\(role) on \(ground)")
      }
      #expect(table[Style(.rising, on: ground)] != table[Style(.falling, on: ground)], "\(ground)")
    }
    #expect(table[Style(.bar)] != table[.plain])
    #expect(table[Style(.tab)] != table[Style(.bar)])
  }

  @Test("Each ground looks different from none for every role but the bar", arguments: [true, false])
  func groundsDiffer(hasColors: Bool) {
    let table = StyleTable(hasColors: hasColors)
    for role in Style.Role.allCases where role != .bar {
      #expect(table[Style(role, on: .selected)] != table[Style(role)], "\(role)")
      #expect(table[Style(role, on: .damaged)] != table[Style(role)], "\(role)")
    }
  }

  @Test("With colours, rising, falling and warning differ, and a damaged row differs from the selected one")
  func colors() {
    let table = StyleTable(hasColors: true)
    #expect(Set([.rising, .falling, .warning].map { table[Style($0)] }).count == 3)
    for role in Style.Role.allCases {
      #expect(table[Style(role, on: .selected)] != table[Style(role, on: .damaged)])
    }
  }

  @Test("Without colours no look has a colour pair")
  func monochrome() {
    let table = StyleTable(hasColors: false)
    for ground in Style.Ground.allCases {
      #expect(Style.Role.allCases.allSatisfy { table[Style($0, on: ground)].pair == 0 })
    }
  }
}
