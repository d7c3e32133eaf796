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
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

// `make fuzz` sets TOTEBOARD_FUZZ: libFuzzer's driver is there with its sanitizer only.
let fuzzing: [Target] =
  Context.environment["TOTEBOARD_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "toteboard-fuzz", dependencies: ["OddsFeed"], path: "Tests/Fuzz", exclude: ["Corpus"],
      swiftSettings: settings + [.unsafeFlags(["-sanitize=fuzzer,address"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  ]

let package = Package(
  name: "toteboard",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "toteboard", targets: ["toteboard"]),
    .library(name: "OddsFeed", targets: ["OddsFeed"]),
    .library(name: "FeedClient", targets: ["FeedClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    // Bottom: no target of ours below these.
    .target(name: "Locking", swiftSettings: settings),
    .target(name: "OddsFeed", dependencies: ["Locking", deque, histogram], swiftSettings: settings),
    .target(name: "TerminalCore", swiftSettings: settings),
    .target(
      name: "Resources", path: "Resources", resources: [.embedInCode("names.txt")], swiftSettings: settings),
    .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .target(name: "CTerminalGuard"),

    // Middle.
    .target(name: "FeedClient", dependencies: ["OddsFeed", "Locking", histogram, metrics], swiftSettings: settings),
    .target(name: "FeedSimulator", dependencies: ["OddsFeed", "Resources", "Locking"], swiftSettings: settings),
    .target(name: "Dashboard", dependencies: ["OddsFeed", "TerminalCore", heap], swiftSettings: settings),
    .target(
      name: "TerminalCurses", dependencies: ["TerminalCore", "CNCurses", "CTerminalGuard", "Locking"],
      swiftSettings: settings),

    // Programs.
    .executableTarget(
      name: "toteboard",
      dependencies: [
        "OddsFeed", "FeedClient", "FeedSimulator", "Dashboard", "TerminalCore", "TerminalCurses", "Locking",
        argumentParser,
      ],
      swiftSettings: settings),

    .systemLibrary(name: "CMallocInfo"),
    .executableTarget(
      name: "toteboard-bench", dependencies: ["FeedSimulator", "OddsFeed", "CMallocInfo", argumentParser],
      swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["OddsFeed", "TerminalCore"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(name: "OddsFeedTests", dependencies: ["OddsFeed", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "FeedClientTests",
      dependencies: [
        "FeedClient", "OddsFeed", "Locking", "TestSupport", metrics,
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FeedSimulatorTests", dependencies: ["FeedSimulator", "OddsFeed", "Resources", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "TerminalCoreTests", dependencies: ["TerminalCore", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "DashboardTests", dependencies: ["Dashboard", "OddsFeed", "TerminalCore", "TestSupport"],
      exclude: ["Golden"], swiftSettings: settings),
    .systemLibrary(
      name: "CVTerm", path: "Tests/CVTerm", providers: [.apt(["libvterm-dev"]), .brew(["libvterm"])]),
    .testTarget(
      name: "EndToEndTests", dependencies: ["toteboard", "CVTerm", "TerminalCore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalCursesTests", dependencies: ["TerminalCurses", "TerminalCore", "Locking", "TestSupport"],
      swiftSettings: settings),
  ] + fuzzing
)
