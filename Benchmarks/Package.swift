// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on Hearth needs SQLite.
let package = Package(
    name: "HearthBenchmarks",
    dependencies: [
        .package(name: "Hearth", path: "..")
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "hearth-benchmarks",
            dependencies: ["CSQLite", .product(name: "Hearth", package: "Hearth")],
            path: "Sources/HearthBenchmarks",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
