import AccountFeed
import OddsFeed
import Wording

extension FeedProblem {
  static let streamEnded = FeedProblem(.accountStreamEnded, remedy: .remedyTriedAgain)

  /// The last of all retries has failed, for that reason.
  static func givenUp(_ why: FeedProblem) -> FeedProblem {
    FeedProblem(Sentence(.accountStreamGivenUp, why.whatSentence), remedy: Sentence(.remedyConnectAgain))
  }

  static func oddAnswer(_ fault: AccountFault) -> FeedProblem {
    FeedProblem(.accountOddAnswer, fault.sentence, remedy: .accountCheckAddress)
  }

  /// What an answer's status says that is not a success; who asked with a token is refused by 401 and 403.
  static func refusal(_ answer: AccountAnswer) -> FeedProblem {
    switch answer.status {
    case 401, 403: FeedProblem(.accountSessionRefused, remedy: .accountLogInAgain)
    case 404: FeedProblem(.accountNotThere, remedy: .accountCheckAddress)
    default: FeedProblem(.accountCannotNow, "\(answer.status)", remedy: .remedyTriedAgain)
    }
  }

  /// Why nobody is let in.
  static func noLogin(_ answer: AccountAnswer) -> FeedProblem {
    switch answer.status {
    // A server takes a name or a password that is longer than any of its own for no login at all.
    case 400, 401, 403, 413, 422: FeedProblem(.accountWrongPassword, remedy: .accountCheckPassword)
    case 404: FeedProblem(.accountNotThere, remedy: .accountCheckAddress)
    case 429:
      FeedProblem(
        Sentence(.accountTooManyLogins),
        remedy: answer.retryAfter.map { Sentence(.accountWait, $0) } ?? Sentence(.accountWaitAWhile))
    default: FeedProblem(.accountCannotNow, "\(answer.status)", remedy: .accountWaitAWhile)
    }
  }
}
