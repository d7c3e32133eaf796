import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The feed inspector: asked once a second while it is open and something happens, else not at all.
struct InspectorTests {
  private var board = Board()

  init() {
    board.fill()
    board.paint()
  }

  /// The numbers of the questions asked since the last call.
  private mutating func lastRequestID() -> [Int] {
    defer { board.effects = [] }
    return board.effects.compactMap { if case .requestHealth(let question) = $0 { question } else { nil } }
  }

  /// The line with that label, its words a blank apart.
  private func line(_ label: String) -> String {
    let line = board.text.split(separator: "\n").first { $0.contains(label) } ?? ""
    return line.split(separator: " ").joined(separator: " ")
  }

  @Test("i opens it and closes it, so does Esc; the help takes its place, and it the help's")
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

  @Test("The header and the title name the address in use of a feed that has several")
  mutating func address() {
    board = Board(columns: 140, feedName: "a.example", canReconnect: true)
    board.fill()
    board.type("i")
    board.tell(.sample(), answering: 1)
    board.paint()
    #expect(board.text.contains("a.example") && !board.text.contains("wss://"))
    board.send(.addressChanged(CurrentAddress(name: "b.example", url: "wss://b.example/v2")))
    board.paint()
    #expect(board.text.contains("b.example ") && !board.text.contains("a.example"))
    #expect(board.text.contains("wss://b.example/v2 /sports/"))
  }

  @Test("The help stays open while the channel changes")
  mutating func help() {
    board.type("?")
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(board.text.contains("Switch to the channel"))
  }

  @Test("It asks when it is opened, then once a second while the channel changes, and never while closed")
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
        board.tell(.sample(messages: step), answering: question)
      }
      if step == 0 { board.tell(.sample(), answering: 1) }
      board.wait(.milliseconds(50))
    }
    #expect(asked == [20, 40, 60, 80])
    board.type("i")
    board.wait(.seconds(5))
    board.update(.football())
    board.paint()
    #expect(lastRequestID() == [])
  }

  @Test("Unanswered it does not ask again; an answer to another question is none")
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
    board.tell(.sample(messages: 77), answering: 1)
    board.paint()
    #expect(lastRequestID() == [] && !line("messages").contains("77"))
    board.tell(.sample(messages: 88), answering: 2)
    board.paint()
    #expect(line("messages").contains("88"))
  }

  @Test("At rest nobody asks and nothing is painted; what begins then is counted as one second's")
  mutating func rest() {
    board.type("i")
    board.tell(.sample(messages: 100), answering: 1)
    board.paint()
    board.effects = []
    #expect(board.state.inspector?.nextDeadline == nil)
    board.wait(.seconds(30))
    #expect(board.paint().isEmpty)
    board.update()
    board.paint()
    #expect(lastRequestID() == [2])
    board.tell(.sample(messages: 103), answering: 2)
    board.paint()
    #expect(line("messages").contains("103 3.0/s"))
    // And once more, to say that it is over.
    board.wait(.seconds(1))
    board.paint()
    #expect(lastRequestID() == [3])
    board.tell(.sample(messages: 103), answering: 3)
    board.paint()
    #expect(line("messages").contains("103 0/s"))
    board.wait(.seconds(1))
    #expect(board.paint().isEmpty)
    #expect(lastRequestID() == [])
  }

  @Test("What arrives in a second is divided by the time that has passed")
  mutating func rates() {
    board.type("i")
    board.tell(.sample(messages: 100), answering: 1)
    for (number, (wait, messages, rate)) in [(1000, 1100, "1,000/s"), (1500, 1115, "10/s"), (4000, 1119, "1.0/s")]
      .enumerated()
    {
      board.update()
      board.wait(.milliseconds(wait))
      board.paint()
      board.tell(.sample(messages: messages), answering: number + 2)
      board.paint()
      #expect(line("messages").contains(" \(rate)"), "\(line("messages"))")
    }
  }

  @Test("An answer that says the same paints nothing")
  mutating func same() {
    board.type("i")
    board.tell(.sample(), answering: 1)
    board.paint()
    board.update()
    board.wait(.seconds(1))
    board.paint()
    board.tell(.sample(), answering: 2)
    #expect(board.paint().isEmpty)
  }

  @Test("Another channel's figures take the place of the old one's, whether they were seen as missing or not")
  mutating func channels() {
    board.type("i")
    board.tell(.sample(messages: 100), answering: 1)
    board.paint()
    board.type("2")
    board.tell(.sample(messages: 200, topic: "/other"), answering: 2)
    board.paint()
    #expect(line("messages").contains("200") && board.line(1).contains("/other"))
    #expect(board.screen.shown == view(board.state, now: board.now))
  }

  @Test("Keys scroll it as far as it goes; where it fits they do nothing, and the rows below stay where they were")
  mutating func scrolling() {
    board = Board(rows: 10, columns: 40)
    board.fill()
    board.press(.down)
    board.type("i")
    board.tell(.sample(), answering: 1)
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
