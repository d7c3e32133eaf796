import AccountModel
import Localization
import OddsModel

extension FeedError {
  static let streamEnded = FeedError(.accountStreamEnded, remedy: .remedyTriedAgain)

  /// Returns the error for a stream whose last retry failed.
  static func givenUp(_ why: FeedError) -> FeedError {
    FeedError(.accountStreamGivenUp, why.localizedMessage, remedy: .remedyConnectAgain)
  }

  static func oddAnswer(_ fault: AccountError) -> FeedError {
    FeedError(.accountOddAnswer, fault.sentence, remedy: .accountCheckAddress)
  }

  /// Returns the error for an answer without success to a request with a token; 401 and 403 refuse the token.
  static func refusal(_ answer: AccountAnswer) -> FeedError {
    switch answer.status {
    case 401, 403: FeedError(.accountSessionRefused, remedy: .accountLogInAgain)
    case 404: FeedError(.accountNotThere, remedy: .accountCheckAddress)
    default: FeedError(.accountCannotNow, "\(answer.status)", remedy: .remedyTriedAgain)
    }
  }

  /// Returns the error for an answer without success to a login.
  static func noLogin(_ answer: AccountAnswer) -> FeedError {
    switch answer.status {
    // Servers may reject overlong names or passwords with 400, 413 or 422.
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
