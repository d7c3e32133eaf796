import Localization
public import OddsModel
import Platform

/// The addresses of one feed, of which one is used at a time: `wss://A,wss://B`.
public struct FeedAddressList: Hashable, Sendable {
  /// The addresses in the given order, all different.
  public let addresses: [FeedAddress]

  /// The maximum number of addresses.
  public static let limit = 16

  /// Parses one URL, or several with commas between them.
  ///
  /// - Throws: A `FeedError` that names the value and the remedy.
  public init(_ text: String) throws(FeedError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1 {
      addresses = [try FeedAddress(text)]
      return
    }
    let shown = parts.map(FeedAddress.withoutUser).joined(separator: ",").printable()
    if parts.contains("") { throw FeedError(.addressListEmptyEntry, shown, remedy: .remedyNoEmptyEntry) }
    if parts.count > Self.limit {
      throw FeedError(.addressListTooLong, shown, parts.count, Self.limit, remedy: .remedyFewerAddresses)
    }
    var addresses: [FeedAddress] = []
    for part in parts {
      guard part.contains("://") else {
        throw FeedError(
          .addressListMixed, shown, FeedAddress.withoutUser(part).printable(), remedy: .remedyAddressesOnly)
      }
      if part.hasPrefix(" ") { throw FeedError(.addressBlanks, shown, remedy: .remedyNoBlanks) }
      let address = try FeedAddress(part)
      if addresses.contains(address) {
        throw FeedError(.addressListDuplicate, shown, "\(address)", remedy: .remedyNameOnce)
      }
      addresses.append(address)
    }
    self.addresses = addresses
  }

  /// The names of the addresses for the screen: the hosts, with ports if two hosts are equal, or whole if that does not
  /// suffice.
  public var names: [String] {
    for names in [addresses.map(\.host), addresses.map { "\($0.bracketedHost):\($0.port)" }]
    where Set(names).count == names.count {
      return names
    }
    return addresses.map(\.description)
  }
}
