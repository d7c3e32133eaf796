package import AccountModel
package import OddsModel

/// A request to a web service of Betfair.
package struct ServiceRequest: Sendable {
  package var path: String
  package var contentType: String
  /// The application key and the token of the login session: `X-Application`, `X-Authentication`.
  package var appKey: Secret
  package var token: Secret?
  /// May contain a password.
  package var body: Secret
}

/// An answer of a web service.
package struct ServiceAnswer: Sendable {
  package var status: Int
  package var body: [UInt8]

  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}

/// A web service of Betfair: its logins, or its betting API.
package protocol WebService: Sendable {
  /// Posts a request.
  ///
  /// - Throws: A `ConnectionError` if there is no answer.
  func post(_ request: ServiceRequest) async throws(ConnectionError) -> ServiceAnswer
}
