import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct PlaybackTests {
  @Test("Space pauses a recording, Left and Right jump ten seconds, Tab changes the channel")
  func keys() {
    var board = Board.recording(channels: 6)
    board.play(.seconds(5))
    board.type(" ")
    board.press(.right, .left, .tab, .backTab)
    let seek = [Effect.seek(.seconds(10)), .seek(.seconds(-10))]
    #expect(board.effects == [.togglePause] + seek + [board.open(1), board.open(0)])
  }

  @Test("On other feeds Space does nothing, and Left and Right change the channel")
  func otherFeeds() {
    var board = Board()
    board.type(" ")
    board.press(.right, .right, .left)
    #expect(board.effects == [1, 2, 1].map(board.open))
  }

  @Test(
    "The position is painted at most once a second at any speed, and not while paused or at the end",
    arguments: [
      (.times(1), 83.25, "1x 01:23/05:00", 0.75), (.times(10), 83.25, "10x 01:20/05:00", 0.675),
      (.times(0.5), 83.25, "0.5x 01:23/05:00", 1.5), (.times(0.25), 0, "0.25x 00:00/05:00", 4),
      (.times(2.05), 10, "2.05x 00:09/05:00", 2 / 2.05), (.times(1000), 83.25, "1000x 00:00/05:00", 0.21675),
      (.times(1), 299.5, "1x 04:59/05:00", 0.5), (.max, 83.25, "max 01:15/05:00", nil),
    ] as [(Playback.Speed, Double, String, Double?)])
  func ticks(speed: Playback.Speed, position: Double, shown: String, next: Double?) {
    var board = Board.recording()
    board.update()
    board.play(.seconds(position), at: speed)
    board.paint()
    #expect(board.line(0).contains(" \(shown) "), "\(board.line(0))")
    let rest = min(
      board.now.untilNextMinute, board.state.statusBar.meters.nextDeadline.map { $0 - board.now.uptime } ?? .seconds(60)
    )
    let wait = board.state.nextDeadline(after: board.now) - board.now.uptime
    #expect(next == nil ? wait == rest : abs(wait / .seconds(1) - next!) < 1e-9, "\(wait)")
    if let next, speed != .times(1000) {
      board.play(.seconds(position + (next - 0.01) * factor(speed)), at: speed)
      #expect(board.paint().isEmpty)
      board.play(.seconds(position + (next + 0.01) * factor(speed)), at: speed)
      #expect(board.paint().map(\.row) == [0])
    }
    board.play(.seconds(position), at: speed, isPaused: true)
    #expect(board.state.nextDeadline(after: board.now) - board.now.uptime == rest)
    board.play(.seconds(300), at: speed)
    #expect(board.state.nextDeadline(after: board.now) - board.now.uptime == rest)
  }

  private func factor(_ speed: Playback.Speed) -> Double { if case .times(let factor) = speed { factor } else { 1 } }

  @Test("The position has hours if the recording is that long")
  func hours() {
    var board = Board.recording()
    board.update()
    board.play(.seconds(3600 + 62), of: .seconds(36_000))
    board.paint()
    #expect(board.line(0).contains("▶ 1x 1:01:02/10:00:00"))
  }

  @Test(
    "In a narrow header the playback status is shortened step by step",
    arguments: [(80, 0), (64, 0), (56, 1), (45, 1), (43, 2), (40, 3), (30, 4), (26, 5), (22, 5), (10, 5), (3, nil)])
  func widths(columns: Int, expected: Int?) {
    let forms = [
      "recording.jsonl ▶ 10x 01:20/05:00  08:00 ", "▶ 10x 01:20/05:00  08:00 ", "▶ 10x 01:20/05:00 08:00 ",
      "▶ 10x 01:20/05:00 ", "▶ 01:20/05:00 ", "▶ ",
    ]
    var board = Board.recording(columns: columns, channels: 2)
    board.update()
    board.play(.seconds(83), at: .times(10))
    board.paint()
    let line = board.line(0)
    #expect(forms.firstIndex { (line + " ").hasSuffix($0) } == expected, "\(line)")
  }
}
