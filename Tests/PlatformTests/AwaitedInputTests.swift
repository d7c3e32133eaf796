import Platform
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The wait for input", .timeLimit(.minutes(45)))
struct AwaitedInputTests {
  @Test("A wait ends at its deadline, at once if that has passed, and earlier if a descriptor is ready")
  func ends() {
    var data: [CInt] = [-1, -1]
    var stop: [CInt] = [-1, -1]
    #expect(pipe(&data) == 0 && pipe(&stop) == 0)
    defer { for end in data + stop { close(end) } }
    let silent = AwaitedInput(data: data[0], stop: stop[0], until: .now + .milliseconds(2))
    #expect(silent.block() == [])
    #expect(silent.time! <= .now)
    for time in [Duration.nanoseconds(1), .milliseconds(1), .seconds(1), .seconds(100 * 365 * 86400)] {
      #expect(AwaitedInput(data: data[0], stop: stop[0], until: .now - time).block() == [])
    }
    write(stop[1], [1], 1)
    for time in [Duration.zero, .milliseconds(1), .seconds(100 * 365 * 86400)] {
      #expect(AwaitedInput(data: data[0], stop: stop[0], until: .now + time).block() == .stop)
    }
    write(data[1], [1], 1)
    #expect(AwaitedInput(data: data[0], stop: stop[0], until: nil).block() == [.data, .stop])
    #expect(AwaitedInput(data: data[0], stop: -1, until: .now).block() == .data)
  }
}
