import AccountModel
import Localization
import OddsFeed

extension FeedError {
  static let streamEnded = FeedError(.accountStreamEnded, remedy: .remedyTriedAgain)

  /// The last of all retries has failed, for that reason.
  static func givenUp(_ why: FeedError) -> FeedError {
    FeedError(LocalizedMessage(.accountStreamGivenUp, why.whatSentence), remedy: LocalizedMessage(.remedyConnectAgain))
  }

  static func oddAnswer(_ fault: AccountFault) -> FeedError {
    FeedError(.accountOddAnswer, fault.sentence, remedy: .accountCheckAddress)
  }

  /// What an answer's status says that is not a success; who asked with a token is refused by 401 and 403.
  static func refusal(_ answer: AccountAnswer) -> FeedError {
    switch answer.status {
    case 401, 403: FeedError(.accountSessionRefused, remedy: .accountLogInAgain)
    case 404: FeedError(.accountNotThere, remedy: .accountCheckAddress)
    default: FeedError(.accountCannotNow, "\(answer.status)", remedy: .remedyTriedAgain)
    }
  }

  /// Why nobody is let in.
  static func noLogin(_ answer: AccountAnswer) -> FeedError {
    switch answer.status {
    // A server takes a name or a password that is longer than any of its own for no login at all.
    case 400, 401, 403, 413, 422: FeedError(.accountWrongPassword, remedy: .accountCheckPassword)
    case 404: FeedError(.accountNotThere, remedy: .accountCheckAddress)
    case 429:
      FeedError(
        LocalizedMessage(.accountTooManyLogins),
        remedy: answer.retryAfter.map { LocalizedMessage(.accountWait, $0) } ?? LocalizedMessage(.accountWaitAWhile))
    default: FeedError(.accountCannotNow, "\(answer.status)", remedy: .accountWaitAWhile)
    }
  }
}
