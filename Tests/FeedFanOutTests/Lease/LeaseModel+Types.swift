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
    /// The number of the awaited call for each key. Answers to other calls are ignored.
    var awaited = [Int](repeating: 0, count: LeaseMachine.keyCount)
    var pausedUntil = Duration.zero
    /// The time until which calls of the process and their answers are lost.
    var isolatedUntil = Duration.zero
    /// The additional delay of all answers.
    var answerDelay = Duration.zero
    /// The time at which a new process replaces this one.
    var end: Duration?

    func local(_ time: Duration) -> Duration { offset + time * rate }
    func real(_ time: Duration) -> Duration { (time - offset) / rate }
  }

  struct Store {
    var history: [LeaseEntry?] = [nil]
    var revision: UInt64 = 0
    var isUp = true
  }

  /// The time for which a process held an epoch, according to the process at that time.
  struct Term {
    let process: Int
    let epoch: UInt64
    let start: Duration
    var end: Duration
  }
}
