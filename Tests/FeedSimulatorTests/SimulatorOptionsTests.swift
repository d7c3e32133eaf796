import Testing

@testable import FeedSimulator

@Suite("The simulator's options")
struct SimulatorOptionsTests {
  @Test(
    "name the value that is out of range and the remedy",
    arguments: [
      (0, 20.0, 0, "matches '0' is out of range: use 1 to 20000"),
      (20_001, 20.0, 0, "matches '20001' is out of range: use 1 to 20000"),
      (1, 0.0, 0, "rate '0.0' is out of range: use 0.1 to 100000 per second"),
      (1, .nan, 0, "rate 'nan' is out of range: use 0.1 to 100000 per second"),
      (1, 20.0, -5, "start time '-5' is before 1970: use milliseconds since 1970"),
    ] as [(Int, Double, Int64, String)])
  func invalid(matches: Int, rate: Double, startTime: Int64, message: String) {
    let error = #expect(throws: SimulatorOptionsError.self) {
      try SimulatorOptions(matches: matches, rate: rate, startTime: startTime)
    }
    #expect("\(error!)" == message)
  }
}
