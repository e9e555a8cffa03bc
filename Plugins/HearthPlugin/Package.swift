// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that nobody who depends on the Hearth library fetches or builds anything for it.
let package = Package(
    name: "HearthPlugin",
    products: [.plugin(name: "HearthPlugin", targets: ["HearthPlugin"])],
    targets: [
        .plugin(
            name: "HearthPlugin",
            capability: .command(
                intent: .custom(verb: "hearth", description: "Run the installed hearth, by default on index files.")))
    ]
)
