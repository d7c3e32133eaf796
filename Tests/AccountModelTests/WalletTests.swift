import AccountModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct WalletTests {
  @Test func theTotalIsExact() {
    let wallet = Wallet(currency: "EUR", real: 0.1, bonus: 0.2)
    #expect(wallet.total.description == "0.3")
  }
}
