// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on Hearth needs SQLite or GRDB.
let package = Package(
    name: "HearthBenchmarks",
    dependencies: [
        .package(name: "Hearth", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "SystemLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        // The raw program: C over LMDB, reading Hearth's own keys and records.
        .target(name: "CRaw", dependencies: ["SystemLMDB"]),
        .executableTarget(
            name: "hearth-benchmarks",
            dependencies: [
                "CSQLite", "CRaw",
                .product(name: "Hearth", package: "Hearth"), .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/HearthBenchmarks",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
