import AccountModel
import FeedNetwork
import OddsModel

/// An account at Betfair with the application key of a program.
public struct BetfairAccount: Sendable {
  let appKey: Secret
  let user: String
  let password: Secret
  let certificate: (file: String, keyFile: String)?

  /// Creates an account that logs in with its password. `OddsClient.init(_:)` throws an error if a value is empty.
  ///
  /// - Parameters:
  ///   - appKey: The application key of the program.
  ///   - user: The user name of the account.
  ///   - password: The password of the account.
  public init(appKey: String, user: String, password: String) {
    self.init(Secret(appKey), user, Secret(password), nil)
  }

  /// Creates an account that logs in with its password and a certificate, for programs that run without a person at the
  /// keyboard. `OddsClient.init(_:)` throws an error if a value is empty or a file cannot be read.
  ///
  /// - Parameters:
  ///   - appKey: The application key of the program.
  ///   - user: The user name of the account.
  ///   - password: The password of the account.
  ///   - certificateFile: The path of a PEM file with the certificate that the account has registered.
  ///   - keyFile: The path of a PEM file with the private key of the certificate, without a password.
  public init(appKey: String, user: String, password: String, certificateFile: String, keyFile: String) {
    self.init(Secret(appKey), user, Secret(password), (certificateFile, keyFile))
  }

  private init(_ appKey: Secret, _ user: String, _ password: Secret, _ certificate: (String, String)?) {
    self.appKey = appKey
    self.user = user
    self.password = password
    self.certificate = certificate
  }
}

struct BetfairSource: Sendable {
  let account: BetfairAccount
  let address: String
  let identity: String?
  let keepAlive: String?
  let api: String?
  let conflateMs: Int
  let caFile: String?

  /// Returns the address and the account.
  ///
  /// - Throws: An `OddsClientError` if a value is invalid or a file of the certificate cannot be read.
  func checked() throws(OddsClientError) -> (BetfairAddress, BetfairConnections.Account) {
    for (name, isEmpty) in [
      ("application key", account.appKey.text.isEmpty), ("user name", account.user.isEmpty),
      ("password", account.password.text.isEmpty),
    ] where isEmpty {
      throw OddsClientError(.valueInvalid, "the \(name) is empty", remedy: "give that of an account at Betfair")
    }
    guard BetfairConnections.conflations.contains(conflateMs) else {
      throw OddsClientError(
        .optionOutOfRange, "the time '\(conflateMs)' ms over which updates are merged is out of range",
        remedy: "use 0 to 120000")
    }
    guard account.appKey.text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw OddsClientError(
        .valueInvalid, "the application key has a character that no key has", remedy: "give the key alone")
    }
    return try OddsClientError.wrapping { () throws(FeedError) in
      let certificate = try certificate()
      let address = try BetfairAddress(
        address, identity: identity, keepAlive: keepAlive, api: api, hasCertificate: certificate != nil)
      return (
        address,
        BetfairConnections.Account(
          appKey: account.appKey, user: account.user, password: account.password, certificate: certificate)
      )
    }
  }

  private func certificate() throws(FeedError) -> ClientCertificate? {
    guard let files = account.certificate else { return nil }
    return try ClientCertificate(certificateFile: files.file, keyFile: files.keyFile)
  }
}
