@testable import FeedFanOut

extension LeaseModel {
  enum Message {
    case read(key: Int, number: Int)
    case write(key: Int, LeaseRecord, expecting: UInt64, number: Int)
    case wake
    case readAnswer(key: Int, LeaseEntry?)
    case readFailure(key: Int)
    case writeAnswer(key: Int, LeaseMachine.WriteResult)
  }

  /// A message from or to a process. Answers have the number of the call.
  struct Envelope {
    let time: Duration
    let process: Int
    let number: Int
    let message: Message
  }

  struct Process {
    var machine: LeaseMachine
    let offset: Duration
    let rate: Double
    /// The call for each key that the process waits for; answers to another one are ignored.
    var awaited = [Int](repeating: 0, count: LeaseMachine.keyCount)
    var pausedUntil = Duration.zero
    /// Until then its calls and their answers are lost.
    var isolatedUntil = Duration.zero
    /// The time that all answers take.
    var answerDelay = Duration.zero
    /// The time at which another process begins in its place.
    var end: Duration?

    func local(_ time: Duration) -> Duration { offset + time * rate }
    func real(_ time: Duration) -> Duration { (time - offset) / rate }
  }

  struct Store {
    var history: [LeaseEntry?] = [nil]
    var revision: UInt64 = 0
    var isUp = true
  }

  /// The time for which a process held an epoch, as the process knew at the time.
  struct Term {
    let process: Int
    let epoch: UInt64
    let start: Duration
    var end: Duration
  }
}
