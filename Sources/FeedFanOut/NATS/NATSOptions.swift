internal import CLibrary
internal import CNATS

/// The settings of a connection to a NATS cluster.
package struct NATSOptions: Hashable, Sendable {
  /// The addresses of one or more servers: `nats://host:4222`, or `tls://host:4222` for TLS. A user name and a password
  /// or a token may precede the host. The library learns of the other servers of the cluster.
  package var servers: [String]
  /// The path of a credentials file (user JWT and seed); nil for none.
  package var credentialsFile: String?
  /// The path of a PEM file with the authorities that sign the servers' certificates; nil for those of the system.
  package var authorityFile: String?
  /// The paths of PEM files with the certificate chain and the key of this client; nil for none.
  package var certificateFile: String?
  package var keyFile: String?
  /// The name of the connection in the monitoring of NATS.
  package var name: String

  package init(
    servers: [String], credentialsFile: String? = nil, authorityFile: String? = nil, certificateFile: String? = nil,
    keyFile: String? = nil, name: String
  ) {
    self.servers = servers
    self.credentialsFile = credentialsFile
    self.authorityFile = authorityFile
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.name = name
  }

  private var usesTLS: Bool {
    authorityFile != nil || certificateFile != nil || servers.contains { $0.hasPrefix("tls://") }
  }

  /// True for the address of a server whose port is 1 to 65535 or left out. The library accepts others, and never
  /// connects.
  package static func isAddress(_ server: String) -> Bool {
    let schemes = ["nats://", "tls://"]
    guard let scheme = schemes.first(where: { server.hasPrefix($0) && server != $0 }) else { return false }
    let host = withoutPassword(String(server.dropFirst(scheme.count)))
    // An IPv6 address is in brackets.
    guard let end = host.lastIndex(where: { $0 == ":" || $0 == "]" }), host[end] == ":" else { return true }
    let port = host[host.index(after: end)...].prefix { $0 != "/" }
    return port.isEmpty || port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && 1...65535 ~= Int(port) ?? 0
  }

  /// Returns an address without the user name and password before its host.
  package static func withoutPassword(_ server: String) -> String {
    server.lastIndex(of: "@").map { String(server[server.index(after: $0)...]) } ?? server
  }

  /// The addresses without user names and passwords, for messages.
  package var shownServers: String { servers.map(Self.withoutPassword).joined(separator: ",") }

  /// Checks the values that the library would only find wrong later, or never.
  func validate() throws(NATSError) {
    if servers.isEmpty {
      throw NATSError(.invalidOption, "no NATS server given: name at least one, such as 'nats://host:4222'")
    }
    for server in servers where !Self.isAddress(server) {
      throw NATSError(
        .invalidOption, "'\(Self.withoutPassword(server))' is no NATS address: use one such as 'nats://host:4222'")
    }
    for file in [credentialsFile, authorityFile, certificateFile, keyFile].compactMap(\.self)
    where access(file, R_OK) != 0 {
      throw NATSError(.invalidOption, "'\(file)' cannot be read: check the path and the permissions")
    }
    if (certificateFile == nil) != (keyFile == nil) {
      let file = certificateFile ?? keyFile ?? ""
      throw NATSError(.invalidOption, "'\(file)' needs its counterpart: give both a certificate and its key")
    }
  }

  /// Calls `body` with the options of libnats, which are valid during the call.
  func withOptions<Output>(_ body: (OpaquePointer) throws(NATSError) -> Output) throws(NATSError) -> Output {
    try validate()
    var created: OpaquePointer?
    try NATSError.check(natsOptions_Create(&created), name)
    guard let options = created else { throw NATSError(NATS_NO_MEMORY, name) }
    defer { natsOptions_Destroy(options) }
    try setServers(options)
    try NATSError.check(natsOptions_SetName(options, name), name)
    if let credentialsFile {
      try NATSError.check(natsOptions_SetUserCredentialsFromFiles(options, credentialsFile, nil), credentialsFile)
    }
    if usesTLS { try NATSError.check(natsOptions_SetSecure(options, true), "TLS") }
    if let authorityFile {
      try NATSError.check(natsOptions_LoadCATrustedCertificates(options, authorityFile), authorityFile)
    }
    if let certificateFile, let keyFile {
      try NATSError.check(natsOptions_LoadCertificatesChain(options, certificateFile, keyFile), certificateFile)
    }
    try setTimes(options)
    return try body(options)
  }

  private func setServers(_ options: OpaquePointer) throws(NATSError) {
    let copies = servers.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var pointers = copies.map { UnsafePointer($0) }
    // NB: The library copies the strings.
    try NATSError.check(natsOptions_SetServers(options, &pointers, CInt(pointers.count)), shownServers)
  }

  /// Sets the threads, the times in milliseconds, and the buffer for messages without a connection. A server that does
  /// not answer is given up after two to three seconds.
  private func setTimes(_ options: OpaquePointer) throws(NATSError) {
    // Delivers on the shared pool of threads. Otherwise each subscription, and so each open topic, has its own thread.
    try NATSError.check(natsOptions_UseGlobalMessageDelivery(options, true), "delivery")
    try NATSError.check(natsOptions_SetTimeout(options, 2000), "timeout")
    try NATSError.check(natsOptions_SetPingInterval(options, 1000), "ping interval")
    try NATSError.check(natsOptions_SetMaxPingsOut(options, 2), "pings")
    try NATSError.check(natsOptions_SetWriteDeadline(options, 2000), "write deadline")
    try NATSError.check(natsOptions_SetMaxReconnect(options, -1), "reconnects")
    try NATSError.check(natsOptions_SetReconnectWait(options, 250), "reconnect wait")
    try NATSError.check(natsOptions_SetReconnectJitter(options, 250, 250), "reconnect jitter")
    // While there is no connection, `publish` throws: updates that were sent late would help nobody. NB: 0 is refused
    // when the library allocates the buffer, so one message is kept.
    try NATSError.check(natsOptions_SetReconnectBufSize(options, 1), "reconnect buffer")
  }
}
