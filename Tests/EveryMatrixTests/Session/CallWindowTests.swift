import Testing

@testable import EveryMatrix

/// The limit of open calls.
struct CallWindowTests {
  @Test("A prompt dump raises a limit that was reached, a later one halves it, and other answers do not change it")
  func answers() {
    var window = CallWindow()
    for request in 1...4 as ClosedRange<UInt64> {
      #expect(window.hasRoom)
      window.sent(request, at: .zero)
    }
    #expect(!window.hasRoom)
    window.answered(1, isDump: true, at: .seconds(1))
    #expect(window.limit == 5 && window.hasRoom)
    window.answered(2, isDump: true, at: .seconds(1))
    #expect(window.limit == 5)
    window.answered(3, isDump: false, at: .seconds(5))
    for request in [1, 99] as [UInt64] { window.answered(request, isDump: true, at: .seconds(5)) }
    #expect(window.limit == 5)
    window.answered(4, isDump: true, at: .milliseconds(1001))
    #expect(window.limit == 2)
  }

  @Test("A call without an answer for 10 s is given up and halves the limit; progress extends the time of all calls")
  func expiry() {
    var window = CallWindow()
    window.sent(1, at: .zero)
    window.sent(2, at: .seconds(1))
    window.extend(at: .seconds(5))
    window.sent(3, at: .seconds(6))
    #expect(window.deadline == .seconds(15))
    window.expire(at: .milliseconds(14_999))
    #expect(window.limit == 4)
    window.expire(at: .seconds(15))
    #expect(window.limit == 1 && window.deadline == .seconds(16) && !window.hasRoom)
    window.answered(1, isDump: true, at: .seconds(15))
    #expect(window.limit == 1)
    window.expire(at: .seconds(16))
    #expect(window.limit == 1 && window.deadline == nil && window.hasRoom)
  }
}
