// swift-tools-version: 6.2
import PackageDescription

/// `make lint` and `make test` build so. It is off otherwise, so that a newer compiler's new warnings stop nobody's build.
let isChecked = Context.environment["HEARTH_WARNINGS_AS_ERRORS"] == "1"

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableExperimentalFeature("Lifetimes"),
    ] + (isChecked ? [.treatAllWarnings(as: .error)] : [])

/// What every read and write goes through is optimised in debug builds too: SwiftPM builds a package in the configuration of the
/// program that depends on it, and reads and writes took seven times as long. SwiftPM accepts the flag from packages of tools
/// version 6.2 on. Checked builds do without, for assertions and for the bounds checks of unsafe buffers.
let optimized: [SwiftSetting] =
    isChecked ? settings : settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Rooms whose every unsafe expression is marked: the LMDB wrapper and the byte codecs.
let strictMemorySafety: [SwiftSetting] = optimized + [.strictMemorySafety()]

/// A product that only the server needs.
func serverOnly(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

/// A product that only connected databases need.
func connectedOnly(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Connected"]))
}

/// A product that everything needs that speaks Cloud Firestore's protocol, in whichever role.
func wireOnly(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server", "Connected"]))
}

let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map { serverOnly($0, of: "swift-nio") }
let protobuf = wireOnly("SwiftProtobuf", of: "swift-protobuf")
/// What a client of gRPC needs.
let grpc =
    ["NIOCore", "NIOPosix"].map { wireOnly($0, of: "swift-nio") } + [wireOnly("NIOHTTP2", of: "swift-nio-http2")]

let package = Package(
    name: "Hearth",
    products: [
        .library(name: "Hearth", targets: ["Hearth"]),
        .library(name: "HearthLogging", targets: ["HearthLogging"]),
        .library(name: "HearthConnected", targets: ["HearthConnected"]),
        // It runs an installed `hearth`, so that nobody who depends on the library fetches anything for it.
        .plugin(name: "HearthPlugin", targets: ["HearthPlugin"]),
    ],
    traits: [
        // Whoever does not enable it does not download swift-log. `make lint` and `make test` do enable it.
        .trait(name: "Logging", description: "The product HearthLogging, which logs through swift-log."),
        // Only who enables it downloads SwiftNIO and SwiftProtobuf. `make serve`, `make install` and `make test` do.
        .trait(name: "Server", description: "`hearth serve`, which speaks Cloud Firestore's protocol."),
        // Only who enables it downloads TLS and cryptography too.
        .trait(name: "Connected", description: "The product HearthConnected, the way to Cloud Firestore."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    ],
    targets: [
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: strictMemorySafety),
        .target(name: "JSONText", swiftSettings: optimized),
        .target(name: "DocumentModel", dependencies: ["JSONText"], swiftSettings: strictMemorySafety),
        .target(name: "IndexCatalog", dependencies: ["JSONText", "DocumentModel"], swiftSettings: optimized),
        .target(
            name: "QueryPlanner", dependencies: ["JSONText", "DocumentModel", "IndexCatalog"], swiftSettings: optimized),
        .target(
            name: "SecurityRules", dependencies: ["JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner"],
            swiftSettings: settings),
        // The format of exports of the emulator and of production.
        .target(name: "ManagedExport", dependencies: ["DocumentModel"], swiftSettings: settings),
        // Reads and writes the files of such exports.
        .target(
            name: "DocumentExport", dependencies: ["JSONText", "DocumentModel", "ManagedExport", "DocumentEngine"],
            swiftSettings: settings),
        .target(
            name: "QuerySource", dependencies: ["JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner"],
            swiftSettings: settings),
        // A client of Cloud Firestore with offline data, as a machine without I/O.
        .target(
            name: "SyncCore", dependencies: ["JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner"],
            swiftSettings: settings),
        .target(
            name: "DocumentEngine",
            dependencies: ["LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner"],
            swiftSettings: optimized),
        // Keeps what SyncCore stores, in a database whose documents are what the program sees.
        .target(
            name: "ReplicaStore",
            dependencies: [
                "LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "SyncCore", "DocumentEngine",
            ],
            swiftSettings: settings),
        .target(
            name: "Hearth",
            dependencies: [
                "LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "SecurityRules", "SyncCore",
                "DocumentEngine", "ReplicaStore",
            ],
            swiftSettings: optimized),
        // A database's way to Cloud Firestore and back: what it takes, how fast it may be, what is done again. No network, no clock.
        .target(
            name: "BulkMove",
            dependencies: [
                "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "SyncCore", "DocumentEngine",
                "ReplicaStore",
            ],
            swiftSettings: settings),
        .target(
            name: "HearthLogging",
            dependencies: [
                "Hearth", .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
            ],
            swiftSettings: settings),
        // Cloud Firestore's messages, and their translation. Empty without the trait, as the next.
        .target(
            name: "FirestoreProtocol",
            dependencies: ["DocumentModel", "IndexCatalog", "QueryPlanner", protobuf], exclude: ["Protos"],
            swiftSettings: settings),
        // What both ends of a gRPC call need: prefixes of messages, headers, statuses.
        .target(
            name: "GRPCFraming",
            dependencies: [
                "DocumentModel", "FirestoreProtocol", protobuf, wireOnly("NIOCore", of: "swift-nio"),
                wireOnly("NIOHTTP2", of: "swift-nio-http2"),
            ],
            swiftSettings: settings),
        .target(
            name: "FirestoreServer",
            dependencies: [
                "LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "DocumentExport",
                "DocumentEngine", "SecurityRules", "QuerySource", "FirestoreProtocol", "GRPCFraming", protobuf,
                serverOnly("NIOHTTP2", of: "swift-nio-http2"),
            ] + nio,
            // The console's files become part of the program, which is one file wherever it is installed.
            resources: [.embedInCode("Console/Page")], swiftSettings: settings),
        // The way to Cloud Firestore: connections, credentials, requests. Empty without the trait. It does not import Hearth,
        // and so not all of Foundation, because the program has it inside.
        .target(
            name: "CloudFirestore",
            dependencies: [
                "BulkMove", "SyncCore", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner",
                "FirestoreProtocol", "GRPCFraming", protobuf,
                connectedOnly("NIOHTTP1", of: "swift-nio"), connectedOnly("NIOSSL", of: "swift-nio-ssl"),
                connectedOnly("Crypto", of: "swift-crypto"), connectedOnly("CryptoExtras", of: "swift-crypto"),
            ] + grpc,
            swiftSettings: settings),
        .target(
            name: "HearthConnected", dependencies: ["Hearth", "CloudFirestore", "SyncCore", "DocumentModel"],
            swiftSettings: settings),
        // An executable is called what its target is called. A declared product could have any name, but would make
        // everyone who depends on the library fetch the argument parser.
        .executableTarget(
            name: "hearth",
            dependencies: [
                "FirestoreServer", "BulkMove", "DocumentExport", "SyncCore", "ReplicaStore", "DocumentEngine", "LMDB",
                .target(name: "CloudFirestore", condition: .when(traits: ["Connected"])),
                "SecurityRules", "QuerySource", "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/HearthCLI", swiftSettings: settings),
        .plugin(
            name: "HearthPlugin",
            capability: .command(
                intent: .custom(verb: "hearth", description: "Run the installed hearth, by default on index files.")),
            path: "Plugins/HearthPlugin"),
        // The C side of EngineBench's comparison; nothing else depends on it.
        .target(name: "CScan", dependencies: ["CLMDB"]),
        .executableTarget(
            name: "EngineBench",
            dependencies: [
                "CScan", "LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "DocumentEngine",
                "SyncCore", "ReplicaStore", "Hearth",
            ],
            exclude: ["InstructionCounts.txt"], swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: ["LMDB", "JSONText", "DocumentModel", "IndexCatalog", "QueryPlanner", "DocumentEngine"],
            path: "Tests/TestSupport", swiftSettings: settings),
        // Work on a database, whole steps that follow from a seed, done in processes that are killed, cut off and led astray.
        .target(
            name: "StorageWorkload",
            dependencies: ["DocumentEngine", "DocumentModel", "IndexCatalog", "LMDB", "TestSupport"],
            path: "Tests/StorageWorkload", swiftSettings: settings),
        // Stands between that work and the C library.
        .target(name: "FaultyStorage", path: "Tests/FaultyStorage"),
        .executableTarget(
            name: "storage-proof",
            dependencies: [
                "StorageWorkload", "FaultyStorage", "ReplicaStore", "SyncCore", "DocumentEngine", "DocumentModel",
                "LMDB",
                "QueryPlanner", "TestSupport",
            ],
            path: "Tests/StorageProof", swiftSettings: settings),
        .testTarget(
            name: "ReliabilityTests",
            dependencies: [
                "StorageWorkload", "storage-proof", "ReplicaStore", "SyncCore", "DocumentEngine", "IndexCatalog",
                "DocumentModel", "LMDB", "TestSupport",
            ],
            swiftSettings: settings),
        // The readers of outside bytes, for libFuzzer and for the tests.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "DocumentEngine", "DocumentModel", "IndexCatalog", "JSONText", "QueryPlanner", "QuerySource",
                "TestSupport",
            ],
            path: "Tests/FuzzTargets", swiftSettings: settings),
        .executableTarget(
            name: "hearth-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer", swiftSettings: settings),
        .testTarget(
            name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport", "DocumentModel", "IndexCatalog", "QueryPlanner"],
            swiftSettings: settings),
        .testTarget(name: "LMDBTests", dependencies: ["CLMDB", "LMDB", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "DocumentModelTests", dependencies: ["DocumentModel", "JSONText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ManagedExportTests", dependencies: ["ManagedExport", "DocumentModel", "JSONText", "TestSupport"],
            exclude: ["Recorded"], swiftSettings: settings),
        .testTarget(
            name: "IndexCatalogTests", dependencies: ["IndexCatalog", "DocumentModel", "JSONText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "QueryPlannerTests",
            dependencies: ["QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "QuerySourceTests",
            dependencies: ["QuerySource", "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BulkMoveTests",
            dependencies: [
                "BulkMove", "SyncCore", "ReplicaStore", "DocumentEngine", "LMDB", "QueryPlanner", "IndexCatalog",
                "DocumentModel", "JSONText", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SyncCoreTests",
            dependencies: [
                "SyncCore", "ReplicaStore", "DocumentEngine", "LMDB", "QueryPlanner", "IndexCatalog", "DocumentModel",
                "JSONText", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SecurityRulesTests",
            dependencies: [
                "SecurityRules", "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentEngineTests",
            dependencies: [
                "DocumentEngine", "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "LMDB", "TestSupport",
            ],
            exclude: ["Plans", "Formats"], swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "hearth", "Hearth", "ReplicaStore", "SyncCore", "DocumentEngine", "DocumentModel", "LMDB",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirestoreServerTests",
            dependencies: [
                "FirestoreServer", "FirestoreProtocol", "GRPCFraming", "SyncCore", "SecurityRules", "DocumentEngine",
                "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "TestSupport", protobuf,
                serverOnly("NIOHTTP2", of: "swift-nio-http2"),
            ] + nio,
            swiftSettings: settings),
        .testTarget(
            name: "HearthTests",
            dependencies: [
                "Hearth", "SyncCore", "ReplicaStore", "DocumentEngine", "QueryPlanner", "IndexCatalog",
                "DocumentModel", "LMDB", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HearthLoggingTests",
            dependencies: [
                "Hearth", "HearthLogging",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HearthConnectedTests",
            dependencies: [
                "HearthConnected", "CloudFirestore", "BulkMove", "Hearth", "SyncCore", "ReplicaStore",
                "FirestoreServer", "FirestoreProtocol", "GRPCFraming", "SecurityRules", "DocumentEngine", "LMDB",
                "QueryPlanner", "IndexCatalog", "DocumentModel", "JSONText", "TestSupport", protobuf,
                connectedOnly("NIOHTTP1", of: "swift-nio"), connectedOnly("NIOSSL", of: "swift-nio-ssl"),
                connectedOnly("Crypto", of: "swift-crypto"), connectedOnly("CryptoExtras", of: "swift-crypto"),
            ] + grpc,
            swiftSettings: settings),
        .executableTarget(name: "TaskList", dependencies: ["Hearth"], path: "Examples/TaskList"),
        // The README's program as it is pasted: a main.swift without a warning.
        .executableTarget(
            name: "FirstSteps", dependencies: ["Hearth"], path: "Examples/FirstSteps",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // Programs as they are written for FirebaseFirestore: they may know Hearth's public interface only.
        .testTarget(
            name: "GuideTests", dependencies: ["Hearth", "TaskList"],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // The same in Swift 5 language mode, as most applications are.
        .testTarget(
            name: "PortedCodeTests", dependencies: ["Hearth"],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "FirestoreServer", "DocumentEngine", "SecurityRules", "QueryPlanner", "IndexCatalog", "DocumentModel",
                "JSONText", "TestSupport",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
