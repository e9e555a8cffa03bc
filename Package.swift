// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

/// Rooms whose every unsafe expression is marked: the LMDB wrapper and the byte codecs.
let strictMemorySafety: [SwiftSetting] = settings + [.strictMemorySafety()]

let package = Package(
    name: "Hearth",
    products: [
        .library(name: "Hearth", targets: ["Hearth"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: strictMemorySafety),
        .target(name: "JSONText", swiftSettings: settings),
        .target(name: "DocumentModel", dependencies: ["JSONText"], swiftSettings: strictMemorySafety),
        .target(name: "IndexCatalog", dependencies: ["JSONText", "DocumentModel"], swiftSettings: settings),
        .target(
            name: "QueryPlanner", dependencies: ["JSONText", "DocumentModel", "IndexCatalog"], swiftSettings: settings),
        .target(
            name: "DocumentEngine",
            dependencies: ["LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner"],
            swiftSettings: settings),
        .target(
            name: "Hearth",
            dependencies: ["JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "DocumentEngine"],
            swiftSettings: settings),
        .executableTarget(
            name: "HearthCLI",
            dependencies: [
                "Hearth", "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // The C side of EngineBench's comparison; nothing else depends on it.
        .target(name: "CScan", dependencies: ["CLMDB"]),
        .executableTarget(
            name: "EngineBench",
            dependencies: [
                "CScan", "LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "DocumentEngine",
            ],
            swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: ["LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "DocumentEngine"],
            path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(name: "LMDBTests", dependencies: ["LMDB", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "DocumentModelTests", dependencies: ["DocumentModel", "JSONText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "IndexCatalogTests", dependencies: ["IndexCatalog", "DocumentModel", "JSONText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "QueryPlannerTests",
            dependencies: ["QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentEngineTests",
            dependencies: [
                "DocumentEngine", "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "LMDB", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(name: "CommandLineTests", dependencies: ["HearthCLI", "TestSupport"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
