import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("What the board costs in the long run", .serialized)
  struct RestTests {
    @Test("A board whose feed is silent writes nothing once its counters rest")
    func silence() throws {
      let board = try Board.fed(FeedText.dump(FeedText.football(), FeedText.football(200, "Lens - Lille")))
      #expect(board.wait { $0.matches.count == 2 })
      // The counters start at rest: kept busy until they have moved, by what starts no price's age.
      for step in 1...1000 where board.screen.isAtRest {
        board.send(FeedText.update(FeedText.change("MATCH", 100, #""name":"Ajax - Porto \#(step)""#)))
        #expect(board.wait { $0.text(2).contains("Porto \(step) ") })
      }
      #expect(!board.screen.isAtRest)
      #expect(board.wait(until: \.isAtRest))
      #expect(board.isSilent(for: .milliseconds(1500)), "\(board.pty.text.suffix(200).debugDescription)")
    }

    #if os(Linux)
      @Test("A thousand changes of channel leave memory and threads as they were")
      func switches() throws {
        let board = try Board.simulated("--matches", "40")
        #expect(board.waitForMatches())
        try change(board, times: 20)
        let before = try Usage(of: board.process.id)
        try change(board, times: 80)
        let after = try Usage(of: board.process.id)
        #expect(after.kilobytes <= before.kilobytes + 2048, "\(before) -> \(after)")
        #expect(after.threads <= before.threads, "\(before) -> \(after)")
      }

      /// Ten changes each time; the screen is looked at after every five.
      private func change(_ board: Board, times: Int) throws {
        for _ in 0..<times {
          for (keys, tab) in [("23456", "6 Popular"), ("54321", "1 Live")] {
            board.type(keys)
            try #require(board.wait { $0.tab == tab && !$0.matches.isEmpty })
          }
        }
      }

      /// What /proc says of a process.
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
