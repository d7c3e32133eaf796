import ProgramArguments
import Testing

@testable import toteboard

/// The time ranges of `--since`.
struct HistoryAgeTests {
  @Test("--since counts back from the time at which the command began", arguments: [("1s", 9000), ("1m", -50_000)])
  func range(age: String, begin: Int) {
    let since: TypedValue<HistoryAge>? = TypedValue(argument: age)
    #expect(since.begin(at: 10_000) == Int64(begin))
    #expect(since.range(at: 10_000, end: nil) == Int64(begin)..<10_001)
    // The history can end later, if the clock was set back.
    #expect(since.range(at: 10_000, end: 20_000) == Int64(begin)..<20_001)
  }

  @Test("Without --since, a time range begins with the history")
  func noOption() {
    let since: TypedValue<HistoryAge>? = nil
    #expect(since.range(at: 10_000, end: 5000) == 0..<10_001)
  }
}
