#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AccountCredentials {
  struct Fields: Decodable {
    let user: String
    let password: String

    init(json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }
  }
}
