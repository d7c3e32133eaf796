import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("The board's use of resources over time", .serialized)
  struct RestTests {
    @Test("A board with a silent feed writes nothing once its counters are zero")
    func silence() throws {
      let board = try PtyBoard.withFeed(FeedText.dump(FeedText.football(), FeedText.football(200, "Lens - Lille")))
      #expect(board.wait { $0.matches.count == 2 })
      // NB: a new minute in the header is painted, so that attempt proves nothing. The next attempt ends long before
      // another minute.
      for _ in 0..<2 {
        let header = board.screen.text(0)
        try settle(board)
        if board.isSilent(for: .milliseconds(1500)) { return }
        _ = board.wait { _ in true }
        try #require(board.screen.text(0) != header, "\(board.pty.text.suffix(200).debugDescription)")
      }
      Issue.record("not silent after a new minute either: \(board.pty.text.suffix(200).debugDescription)")
    }

    /// Sends updates without prices until the counters move, then waits until they are zero. They are zero at first.
    private func settle(_ board: PtyBoard) throws {
      var step = 0
      repeat {
        step += 1
        let name = "Ajax - Porto \(step % 2)"
        board.send(FeedText.update(FeedText.change("MATCH", 100, #""name":"\#(name)""#)))
        try #require(board.wait { $0.text(2).contains("\(name) ") })
      } while board.screen.isAtRest && step < 10_000
      #expect(!board.screen.isAtRest)
      #expect(board.wait(until: \.isAtRest))
    }

    #if os(Linux)
      @Test(
        "A thousand channel changes do not increase memory or the number of threads",
        .enabled(if: getenv("TOTEBOARD_RACE") == nil, "the thread sanitizer keeps memory of its own"))
      func switches() throws {
        let board = try PtyBoard.simulated("--matches", "40")
        #expect(board.waitForMatches())
        try change(board, times: 20)
        let before = try Usage(of: board.process.id)
        try change(board, times: 80)
        let after = try Usage(of: board.process.id)
        #expect(after.kilobytes <= before.kilobytes + 2048, "\(before) -> \(after)")
        // Dispatch keeps a few idle threads, whose number varies; any further threads end by themselves.
        let hasFewThreads = board.wait { _ in
          (try? Usage(of: board.process.id)).map { $0.threads <= max(before.threads, 8) } ?? false
        }
        #expect(hasFewThreads, "\(before) -> \(after)")
      }

      /// Changes the channel ten times for each of `times`, and checks the screen after every five changes.
      private func change(_ board: PtyBoard, times: Int) throws {
        for _ in 0..<times {
          for (keys, tab) in [("23456", "6 Popular"), ("54321", "1 Live")] {
            board.type(keys)
            try #require(board.wait { $0.tab == tab && !$0.matches.isEmpty })
          }
        }
      }

      /// The memory and threads of a process, from /proc.
      private struct Usage {
        var kilobytes = 0
        var threads = 0

        init(of process: Int32) throws {
          let file = try #require(fopen("/proc/\(process)/status", "r"))
          defer { fclose(file) }
          var line = [CChar](repeating: 0, count: 256)
          while fgets(&line, CInt(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
              .split { " \t\n".contains($0) }
            if words.first == "VmRSS:" { kilobytes = Int(words[1]) ?? 0 }
            if words.first == "Threads:" { threads = Int(words[1]) ?? 0 }
          }
        }
      }
    #endif
  }
}
