package import AccountModel
import JSONText
import Localization
import OddsModel
import Platform

/// The requests to Betfair's login service (Login.md).
package struct LoginClient: Sendable {
  private let service: any WebService
  private let keepAliveService: any WebService
  private let appKey: Secret
  private let user: String
  private let password: Secret
  private let hasCertificate: Bool

  /// Creates a client. With a certificate, which the service's connections present, the login is that for programs.
  ///
  /// - Parameters:
  ///   - service: The login service.
  ///   - keepAlive: The service that extends the session. It is another one if the service is for certificates alone.
  ///   - appKey: The application key.
  ///   - user: The user name of the account.
  ///   - password: The password of the account.
  ///   - hasCertificate: True for the login with a certificate.
  package init(
    _ service: any WebService, keepAlive: any WebService, appKey: Secret, user: String, password: Secret,
    hasCertificate: Bool
  ) {
    self.service = service
    keepAliveService = keepAlive
    self.appKey = appKey
    self.user = user
    self.password = password
    self.hasCertificate = hasCertificate
  }

  /// Logs in. Returns the token of the new session.
  func logIn() async -> Result<Secret, LoginError> {
    let body = "username=\(user.percentEncoded)&password=\(password.text.percentEncoded)"
    return await ask(service, hasCertificate ? "/api/certlogin" : "/api/login", Secret(body), token: nil)
  }

  /// Extends the session. Returns its token.
  func keepAlive(_ token: Secret) async -> Result<Secret, LoginError> {
    await ask(keepAliveService, "/api/keepAlive", Secret(""), token: token)
  }

  private func ask(
    _ service: any WebService, _ path: String, _ body: Secret, token: Secret?
  ) async -> Result<Secret, LoginError> {
    let answer: ServiceAnswer
    do throws(ConnectionError) {
      answer = try await service.post(
        ServiceRequest(
          path: path, contentType: "application/x-www-form-urlencoded", appKey: appKey, token: token, body: body))
    } catch { return .failure(LoginError(error.isTerminal ? .refused : .temporary, error.problem)) }
    guard answer.status == 200 else {
      let isTemporary = answer.status >= 500 || answer.status == 429 || answer.status == 408
      let status = LocalizedMessage(.betfairLoginStatus, "\(answer.status)")
      return .failure(
        LoginError(
          isTemporary ? .temporary : .refused,
          FeedError(status, remedy: LocalizedMessage(isTemporary ? .remedyTriedAgain : .remedyBetfairLoginAddress))))
    }
    guard let fields = Self.fields(answer.body) else {
      return .failure(LoginError(.refused, FeedError(.betfairNoLoginAnswer, remedy: .remedyBetfairLoginAddress)))
    }
    // A login with limited access cannot bet, but reads prices.
    let status = fields["loginStatus"] ?? fields["status"] ?? ""
    guard ["SUCCESS", "LIMITED_ACCESS"].contains(status),
      let text = fields["sessionToken"] ?? fields["token"], let token = try? Secret(token: text, from: "Betfair")
    else {
      return .failure(LoginError(code: fields["error"].flatMap { $0.isEmpty ? nil : $0 } ?? status))
    }
    return .success(token)
  }

  /// Returns the texts of an object; nil if the bytes are none.
  private static func fields(_ bytes: [UInt8]) -> [String: String]? {
    bytes.withUnsafeBufferPointer { bytes in
      guard JSONCursor.isOneValue(bytes) else { return nil }
      var cursor = JSONCursor(bytes)
      guard cursor.peek() == UInt8(ascii: "{") else { return nil }
      var fields: [String: String] = [:]
      try? cursor.decodedFields { key, cursor throws(JSONError) in fields[key] = try cursor.textIfAny() }
      return fields
    }
  }
}
