// swift-tools-version: 6.2

import PackageDescription

// `make check` sets TOTEBOARD_STRICT: a warning is an error there, but not for somebody with a newer compiler.
let strict = Context.environment["TOTEBOARD_STRICT"] != nil

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let algorithms = Target.Dependency.product(name: "Algorithms", package: "swift-algorithms")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }
func nioExtras(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio-extras") }
let tls = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let jwt = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

// `make fuzz` sets TOTEBOARD_FUZZ: libFuzzer's driver is there with its sanitizer only.
let fuzzing: [Target] =
  Context.environment["TOTEBOARD_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "toteboard-fuzz", dependencies: ["Betfair", "EveryMatrix", "OddsFeed", "Polymarket"], path: "Tests/Fuzz",
      exclude: ["Corpus"],
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  ]

// `make docs` sets TOTEBOARD_DOCS, and `TOTEBOARD_DOCS=1 swift package generate-documentation` works: no other build
// fetches the plugin and the package that it needs.
let documentation: [Package.Dependency] =
  Context.environment["TOTEBOARD_DOCS"] == nil
  ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]

// `make install`, `make deb` and `make dist` set TOTEBOARD_CXX to a directory that has the static C++ library alone, if
// the compiler has one.
let standalone: [LinkerSetting] = Context.environment["TOTEBOARD_CXX"].map { [.unsafeFlags(["-L\($0)"])] } ?? []

// `make install`, `make deb` and `make dist` set TOTEBOARD_COMMIT. NB: Context.gitInformation would be out of date:
// SwiftPM caches the evaluated manifest and does not notice a new commit.
let commit: [CSetting] = Context.environment["TOTEBOARD_COMMIT"].map { [.define("TOTEBOARD_COMMIT", to: $0)] } ?? []

let package = Package(
  name: "toteboard",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "toteboard", targets: ["toteboard"]),
    .executable(name: "toteboard-server", targets: ["toteboard-server"]),
    .library(name: "OddsModel", targets: ["OddsModel"]),
    .library(name: "OddsFeed", targets: ["OddsFeed"]),
    .library(name: "EveryMatrix", targets: ["EveryMatrix"]),
    .library(name: "Betfair", targets: ["Betfair"]),
    .library(name: "FeedRecording", targets: ["FeedRecording"]),
    .library(name: "FeedNetwork", targets: ["FeedNetwork"]),
    .library(name: "OddsClient", targets: ["OddsClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ] + documentation,
  targets: [
    // The lowest layer: targets that do not depend on a feed.
    .target(
      name: "CEmbeddedTexts", path: "Resources",
      exclude: ["packaging", "pictures", "names.txt", "en.txt", "fr.txt", "zh-Hant.txt"]),
    .target(name: "Resources", dependencies: ["CEmbeddedTexts"]),
    .target(name: "CLibrary"),
    .target(name: "FoundationCore"),
    .target(name: "Localization", dependencies: ["Resources"]),
    .target(name: "Platform", dependencies: ["CLibrary", "Localization", deque]),
    .target(name: "JSONText", dependencies: ["CLibrary"]),
    .target(name: "TerminalCore", dependencies: [algorithms]),
    .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .target(name: "CTerminalGuard"),

    // The model: values only. The feed: its tables, stores and readers, for every provider.
    .target(name: "OddsModel", dependencies: ["CLibrary", "Platform", "Localization", algorithms]),
    .target(name: "AccountModel", dependencies: ["OddsModel", "JSONText", "FoundationCore", "Localization"]),
    .target(
      name: "OddsFeed",
      dependencies: [
        "OddsModel", "JSONText", "CLibrary", "Platform", "Localization", deque, histogram, metrics, logging,
      ]),

    // Feed providers, recordings and network connections.
    .target(name: "EveryMatrix", dependencies: ["OddsFeed", "OddsModel", "JSONText", "Platform", "Localization"]),
    .target(
      name: "Betfair", dependencies: ["AccountModel", "OddsFeed", "OddsModel", "JSONText", "Platform", "Localization"]),
    .systemLibrary(name: "CBZip2", providers: [.apt(["libbz2-dev"]), .brew(["bzip2"])]),
    .target(name: "Polymarket", dependencies: ["OddsFeed", "OddsModel", "JSONText", "Platform", "Localization"]),
    .target(
      name: "FeedRecording",
      dependencies: [
        "CBZip2", "OddsFeed", "OddsModel", "JSONText", "CLibrary", "Platform", "Localization", algorithms, histogram,
      ]),

    // The price history on disk.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "OddsHistory",
      dependencies: ["CSQLite", "OddsFeed", "OddsModel", "CLibrary", "Platform", "Localization", algorithms]),

    .target(
      name: "FeedNetwork",
      dependencies: [
        "AccountModel", "Betfair", "EveryMatrix", "Polymarket", "OddsFeed", "OddsModel", "CLibrary", "FoundationCore",
        "Platform", "Localization", logging, tls, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
        nioExtras("NIOExtras"), nioExtras("NIOHTTPCompression"),
      ]),
    .target(
      name: "AccountClient",
      dependencies: ["AccountModel", "OddsModel", "JSONText", "CLibrary", "Platform", "Localization", logging, deque]),

    // The server and its simulated feed.
    .target(
      name: "FeedSimulator",
      dependencies: [
        "AccountModel", "EveryMatrix", "OddsFeed", "OddsModel", "JSONText", "FoundationCore", "Resources", "Platform",
        "Localization", algorithms,
      ]),
    .target(
      name: "FeedServer",
      dependencies: [
        "AccountModel", "EveryMatrix", "FeedRecording", "FeedSimulator", "OddsFeed", "OddsModel", "JSONText",
        "FoundationCore", "Platform", "CLibrary", algorithms,
        logging, metrics, lifecycle, tls, jwt, cryptoExtras, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
        nio("NIOWebSocket"), nioExtras("NIOHTTPTypes"), nioExtras("NIOHTTPTypesHTTP1"),
        nioExtras("NIOHTTPCompression"), httpTypes,
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
      ]),

    // The library for other programs: one client for all feeds.
    .target(
      name: "OddsClient",
      dependencies: [
        "AccountModel", "Betfair", "CLibrary", "CProgramVersion", "EveryMatrix", "FeedNetwork", "FeedRecording",
        "FeedSimulator", "FoundationCore", "OddsFeed", "OddsModel", "Platform", "Polymarket",
      ]),

    // The feed of one book for many servers, over NATS. The board does not link it.
    .systemLibrary(name: "CNATS", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
    .target(name: "FeedFanOut", dependencies: ["CNATS", "CLibrary", "OddsModel", "Platform", crypto, nio("NIOCore")]),

    // The screen.
    .target(
      name: "Dashboard",
      dependencies: [
        "AccountModel", "OddsFeed", "OddsHistory", "OddsModel", "TerminalCore", "Platform", "Localization",
        "FoundationCore", algorithms, heap,
      ]),
    .target(
      name: "TerminalCurses",
      dependencies: [
        "TerminalCore", "CNCurses", "CTerminalGuard", "CLibrary", "FoundationCore", "Platform", "Localization",
      ]),

    // Programs, and what they share.
    .target(name: "CProgramVersion", cSettings: commit),
    .target(name: "CLateClose"),
    .target(name: "ManualPage", dependencies: [argumentParser, algorithms]),
    .target(name: "ProgramArguments", dependencies: ["CLibrary", "CTerminalGuard", "Platform", argumentParser]),
    .executableTarget(
      name: "toteboard",
      dependencies: [
        "AccountClient", "AccountModel", "Betfair", "EveryMatrix", "FeedRecording", "OddsFeed", "OddsModel", "JSONText",
        "FeedNetwork", "FeedSimulator", "OddsClient", "OddsHistory", "Polymarket", "Dashboard", "TerminalCore",
        "TerminalCurses", "CTerminalGuard", "CLibrary", "FoundationCore", "Platform", "ManualPage", "ProgramArguments",
        "CProgramVersion", "CLateClose", "Localization", algorithms, argumentParser, logging,
        .product(name: "TOMLKit", package: "TOMLKit"),
      ], linkerSettings: standalone),
    .executableTarget(
      name: "toteboard-server",
      dependencies: [
        "AccountModel", "EveryMatrix", "FeedFanOut", "FeedNetwork", "FeedServer", "FeedRecording", "FeedSimulator",
        "OddsModel", "CLibrary", "FoundationCore", "Platform", "ManualPage", "ProgramArguments", "CProgramVersion",
        algorithms, argumentParser, logging, metrics, nio("NIOCore"),
      ], linkerSettings: standalone),

    .executableTarget(
      name: "toteboard-load",
      dependencies: [
        "EveryMatrix", "OddsModel", "Platform", argumentParser, histogram, nio("NIOCore"), nio("NIOPosix"),
      ]),

    .systemLibrary(name: "CMallocInfo"),
    .executableTarget(
      name: "toteboard-bench",
      dependencies: [
        "Betfair", "Dashboard", "EveryMatrix", "FeedSimulator", "OddsFeed", "OddsHistory", "OddsModel", "JSONText",
        "Platform", "Polymarket", "TerminalCore", "CMallocInfo",
        argumentParser,
      ]),

    .target(
      name: "TestSupport",
      dependencies: [
        "Platform", "OddsModel", "OddsFeed", "EveryMatrix", "FeedRecording", "Localization", "TerminalCore",
        nio("NIOCore"), nio("NIOPosix"),
      ],
      path: "Tests/TestSupport"),
    .testTarget(name: "LocalizationTests", dependencies: ["Localization", "Resources"]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
    .testTarget(name: "OddsModelTests", dependencies: ["OddsModel", "TestSupport"]),
    .testTarget(name: "AccountModelTests", dependencies: ["AccountModel"]),
    .testTarget(
      name: "OddsFeedTests",
      dependencies: [
        "JSONText", "Platform", "Localization", "OddsModel", "OddsFeed", "EveryMatrix", "FeedRecording", "TestSupport",
        logging, metrics,
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    .testTarget(
      name: "EveryMatrixTests", dependencies: ["Platform", "OddsModel", "OddsFeed", "EveryMatrix", "TestSupport"]),
    .testTarget(
      name: "BetfairTests",
      dependencies: [
        "CBZip2", "AccountModel", "Platform", "JSONText", "OddsModel", "OddsFeed", "Betfair", "FeedRecording",
        "TestSupport",
      ],
      exclude: ["Reference"]),
    .testTarget(
      name: "PolymarketTests",
      dependencies: [
        "Platform", "Localization", "JSONText", "OddsModel", "OddsFeed", "FeedRecording", "Polymarket", "TestSupport",
      ]),
    .testTarget(
      name: "FeedRecordingTests",
      dependencies: [
        "Platform", "Localization", "JSONText", "OddsModel", "OddsFeed", "EveryMatrix", "FeedRecording", "TestSupport",
      ]),
    .testTarget(
      name: "OddsHistoryTests",
      dependencies: [
        "CLibrary", "Platform", "Localization", "OddsModel", "OddsFeed", "EveryMatrix", "OddsHistory", "TestSupport",
      ]),
    .testTarget(
      name: "AccountClientTests",
      dependencies: [
        "Platform", "Localization", "OddsModel", "AccountModel", "OddsFeed", "AccountClient", "TestSupport", logging,
      ]),
    .testTarget(
      name: "FeedNetworkTests",
      dependencies: [
        "Platform", "Localization", "EveryMatrix", "OddsModel", "AccountModel", "OddsFeed", "FeedNetwork",
        "TestSupport",
        tls,
        nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"), nio("NIOEmbedded"),
        nioExtras("NIOExtras"), nioExtras("NIOHTTPCompression"),
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "FeedSimulatorTests",
      dependencies: [
        "Platform", "OddsModel", "AccountModel", "OddsFeed", "EveryMatrix", "FeedSimulator", "TestSupport",
      ]),
    .testTarget(
      name: "FeedServerTests",
      dependencies: [
        "Platform", "CLibrary", "OddsModel", "AccountModel", "OddsFeed", "EveryMatrix", "FeedRecording",
        "FeedSimulator", "FeedServer", "TestSupport", logging, metrics, tls, jwt, cryptoExtras, nio("NIOCore"),
        nio("NIOEmbedded"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
      ]),
    .testTarget(
      name: "FeedFanOutTests",
      dependencies: [
        "AccountModel", "CLibrary", "EveryMatrix", "FeedFanOut", "FeedNetwork", "FeedServer", "FeedSimulator",
        "FoundationCore", "OddsModel", "Platform", "TestSupport", "toteboard-server", argumentParser, logging,
        nio("NIOCore"),
      ]),
    .testTarget(
      name: "LoadTests",
      dependencies: ["EveryMatrix", "OddsModel", "toteboard-load", nio("NIOCore"), nio("NIOEmbedded")]),
    .testTarget(
      name: "LoopbackTests",
      dependencies: [
        "Platform", "Localization", "OddsModel", "AccountModel", "OddsFeed", "EveryMatrix", "FeedNetwork",
        "AccountClient", "FeedSimulator", "FeedServer", "OddsClient", "Betfair", "Polymarket", "Dashboard",
        "TerminalCore", "toteboard", "TestSupport", argumentParser, logging, tls, nio("NIOCore"), nio("NIOPosix"),
        nio("NIOHTTP1"), nio("NIOWebSocket"),
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "OddsClientTests",
      dependencies: [
        "FeedServer", "FeedSimulator", "OddsClient", "Platform", "TestSupport", logging,
      ]),
    .testTarget(name: "TerminalCoreTests", dependencies: ["TerminalCore", "TestSupport"]),
    .testTarget(
      name: "DashboardTests",
      dependencies: [
        "Platform", "Localization", "Betfair", "EveryMatrix", "OddsModel", "AccountModel", "OddsFeed", "OddsHistory",
        "Dashboard", "TerminalCore",
        "TestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "TerminalCursesTests",
      dependencies: ["CTerminalGuard", "Platform", "Localization", "TerminalCore", "TerminalCurses", "TestSupport"]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "OddsModel", "OddsFeed", "OddsHistory", "EveryMatrix", "FeedRecording", "FeedSimulator", "Dashboard",
        "Localization", "Platform", "toteboard", "TestSupport", argumentParser,
      ]),
    .testTarget(
      name: "ConfigTests",
      dependencies: [
        "CLateClose", "Platform", "Localization", "OddsModel", "Dashboard", "TerminalCore", "toteboard",
        "ProgramArguments", "TestSupport",
        argumentParser, .product(name: "TOMLKit", package: "TOMLKit"),
      ]),
    .testTarget(
      name: "AlertDeliveryTests",
      dependencies: [
        "CLibrary", "Platform", "Localization", "OddsModel", "FeedNetwork", "Dashboard", "toteboard", "TestSupport",
        logging,
      ]),
    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm", providers: [.apt(["libvterm-dev"]), .brew(["libvterm"])]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Localization", "EveryMatrix", "OddsModel", "Dashboard", "TerminalCore", "TerminalCurses", "CNCurses", "CVTerm",
        "toteboard",
        "toteboard-server", "TestSupport",
      ],
      exclude: ["Golden"]),
  ] + fuzzing
)

// C targets have no Swift files, so that the settings have no effect there.
for target in package.targets where target.type != .system {
  target.swiftSettings = settings + (target.swiftSettings ?? [])
}
