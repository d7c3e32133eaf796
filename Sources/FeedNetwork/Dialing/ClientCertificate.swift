import CLibrary
import Localization
import NIOSSL
public import OddsModel

/// A certificate that identifies this client to a server, with its private key.
public struct ClientCertificate: Sendable {
  let chain: [NIOSSLCertificate]
  let key: NIOSSLPrivateKey

  /// Reads a certificate and its key from files in PEM format.
  ///
  /// - Throws: A `FeedError` if a file cannot be read, has other content, or the key is that of another certificate.
  public init(certificateFile: String, keyFile: String) throws(FeedError) {
    for file in [certificateFile, keyFile] {
      guard access(file, R_OK) == 0 else {
        let why = LocalizedMessage.foreign(String(cString: strerror(errno)))
        throw FeedError(.clientFileUnreadable, file, why, remedy: .remedyClientCertificate)
      }
    }
    do {
      chain = try NIOSSLCertificate.fromPEMFile(certificateFile)
      if chain.isEmpty { throw NIOSSLError.failedToLoadCertificate }
    } catch { throw FeedError(.clientCertificateEmpty, certificateFile, remedy: .remedyClientCertificate) }
    do {
      // NB: The empty passphrase keeps the library from asking for one on the terminal.
      key = try NIOSSLPrivateKey(file: keyFile, format: .pem) { (set: NIOSSLPassphraseSetter<[UInt8]>) in set([]) }
    } catch { throw FeedError(.clientKeyUnfit, keyFile, remedy: .remedyClientKey) }
    do { _ = try NIOSSLContext(configuration: Self.configuration(chain, key)) } catch {
      throw FeedError(.clientKeyOfOther, keyFile, certificateFile, remedy: .remedyClientCertificate)
    }
  }

  private static func configuration(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates([])
    configuration.certificateChain = chain.map { .certificate($0) }
    configuration.privateKey = .privateKey(key)
    return configuration
  }
}
