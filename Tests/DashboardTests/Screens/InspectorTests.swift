import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The feed inspector: requests figures once a second while it is open and the channel changes, otherwise never.
struct InspectorTests {
  private var board = Board()

  init() {
    board.fill()
    board.paint()
  }

  /// Returns the ids of the requests since the last call.
  private mutating func lastRequestID() -> [Int] {
    defer { board.effects = [] }
    return board.effects.compactMap { if case .requestHealth(let question) = $0 { question } else { nil } }
  }

  /// Returns the row with a label, its words separated by single blanks.
  private func line(_ label: String) -> String {
    let line = board.text.split(separator: "\n").first { $0.contains(label) } ?? ""
    return line.split(separator: " ").joined(separator: " ")
  }

  @Test("i opens and closes the inspector, Esc closes it, and help and inspector replace each other")
  mutating func keys() {
    for (key, title) in [
      ("i", " PRICES"), ("i", "Ajax"), ("i", " PRICES"), ("?", "Switch to the channel"), ("i", " PRICES"),
    ] {
      board.type(key)
      board.paint()
      #expect(board.text.contains(title), "after \(key)")
    }
    board.press(.escape)
    board.paint()
    #expect(board.text.contains("Ajax"))
  }

  @Test("For a feed with several addresses the header and the title show the one in use")
  mutating func address() {
    board = Board(columns: 140, feedName: "a.example", canReconnect: true)
    board.fill()
    board.type("i")
    board.receiveHealth(.sample(), answering: 1)
    board.paint()
    #expect(board.text.contains("a.example") && !board.text.contains("wss://"))
    board.send(.addressChanged(CurrentAddress(name: "b.example", url: "wss://b.example/v2")))
    board.paint()
    #expect(board.text.contains("b.example ") && !board.text.contains("a.example"))
    #expect(board.text.contains("wss://b.example/v2 /sports/"))
  }

  @Test("The help stays open while the channel is updated")
  mutating func help() {
    board.type("?")
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(board.text.contains("Switch to the channel"))
  }

  @Test("Figures are requested on opening, then once a second while the channel changes, never when closed")
  mutating func asking() {
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(lastRequestID() == [])
    board.type("i")
    #expect(lastRequestID() == [1])
    var asked: [Int] = []
    for step in 0..<100 {
      board.update(.football(odds: ["2.\(step)", "3.1", "2.9"]))
      board.paint()
      for question in lastRequestID() {
        asked.append(step)
        board.receiveHealth(.sample(messages: step), answering: question)
      }
      if step == 0 { board.receiveHealth(.sample(), answering: 1) }
      board.wait(.milliseconds(50))
    }
    #expect(asked == [20, 40, 60, 80])
    board.type("i")
    board.wait(.seconds(5))
    board.update(.football())
    board.paint()
    #expect(lastRequestID() == [])
  }

  @Test("No request follows an unanswered one, and an answer to an older request is ignored")
  mutating func late() {
    board.type("i")
    #expect(lastRequestID() == [1])
    board.type("3")
    #expect(lastRequestID() == [2])
    for _ in 0..<3 {
      board.wait(.seconds(2))
      board.update()
      board.paint()
    }
    board.receiveHealth(.sample(messages: 77), answering: 1)
    board.paint()
    #expect(lastRequestID() == [] && !line("messages").contains("77"))
    board.receiveHealth(.sample(messages: 88), answering: 2)
    board.paint()
    #expect(line("messages").contains("88"))
  }

  @Test("Without updates nothing is requested or painted; the next rate counts for one second")
  mutating func rest() {
    board.type("i")
    board.receiveHealth(.sample(messages: 100), answering: 1)
    board.paint()
    board.effects = []
    #expect(board.state.inspector?.nextDeadline == nil)
    board.wait(.seconds(30))
    #expect(board.paint().isEmpty)
    board.update()
    board.paint()
    #expect(lastRequestID() == [2])
    board.receiveHealth(.sample(messages: 103), answering: 2)
    board.paint()
    #expect(line("messages").contains("103 3.0/s"))
    // One more request, to show that the rate is zero again.
    board.wait(.seconds(1))
    board.paint()
    #expect(lastRequestID() == [3])
    board.receiveHealth(.sample(messages: 103), answering: 3)
    board.paint()
    #expect(line("messages").contains("103 0/s"))
    board.wait(.seconds(1))
    #expect(board.paint().isEmpty)
    #expect(lastRequestID() == [])
  }

  @Test("Rates are divided by the elapsed time")
  mutating func rates() {
    board.type("i")
    board.receiveHealth(.sample(messages: 100), answering: 1)
    for (number, (wait, messages, rate)) in [(1000, 1100, "1,000/s"), (1500, 1115, "10/s"), (4000, 1119, "1.0/s")]
      .enumerated()
    {
      board.update()
      board.wait(.milliseconds(wait))
      board.paint()
      board.receiveHealth(.sample(messages: messages), answering: number + 2)
      board.paint()
      #expect(line("messages").contains(" \(rate)"), "\(line("messages"))")
    }
  }

  @Test("An unchanged answer paints nothing")
  mutating func same() {
    board.type("i")
    board.receiveHealth(.sample(), answering: 1)
    board.paint()
    board.update()
    board.wait(.seconds(1))
    board.paint()
    board.receiveHealth(.sample(), answering: 2)
    #expect(board.paint().isEmpty)
  }

  @Test("The figures of another channel replace those of the old one")
  mutating func channels() {
    board.type("i")
    board.receiveHealth(.sample(messages: 100), answering: 1)
    board.paint()
    board.type("2")
    board.receiveHealth(.sample(messages: 200, topic: "/other"), answering: 2)
    board.paint()
    #expect(line("messages").contains("200") && board.line(1).contains("/other"))
    #expect(board.screen.content == view(board.state, now: board.now))
  }

  @Test("Keys scroll the inspector to its end, do nothing if it fits, and do not move the list's cursor")
  mutating func scrolling() {
    board = Board(rows: 10, columns: 40)
    board.fill()
    board.press(.down)
    board.type("i")
    board.receiveHealth(.sample(), answering: 1)
    let last = InspectorTable.count(width: 40) - 6
    let script: [(Key, Int)] = [
      (.down, 1), (.pageDown, 7), (.up, 6), (.end, last), (.down, last), (.home, 0), (.up, 0), (.character("j"), 1),
    ]
    for (key, first) in script {
      board.press(key)
      board.paint()
      #expect(board.line(1).contains("\(first + 1)-\(first + 6) of \(last + 6)"), "\(key): \(board.line(1))")
    }
    board.resize(rows: 60, columns: 40)
    board.press(.end)
    board.paint()
    #expect(board.state.openPane(now: board.now)?.visible == 0..<last + 6)
    #expect(board.state.list.cursor == 1)
  }
}
