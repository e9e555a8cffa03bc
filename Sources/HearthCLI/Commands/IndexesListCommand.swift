// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText

struct IndexesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the composite indexes and field overrides of a database.",
        discussion: """
            The JSON is a firestore.indexes.json with a "state" beside each index, READY or CREATING.

            Examples:
              hearth indexes list my.db
              hearth indexes list my.db --format json
            """)

    @OptionGroup var database: DatabaseArgument
    @Option(help: "text or json.")
    var format = TextFormat.text

    func run() throws {
        try database.open(.reading) { engine in
            let catalog = try engine.catalog()
            switch format {
            case .json: Output().text(IndexesListCommand.node(catalog).text(.indented) + "\n")
            case .text: writeTables(catalog)
            }
        }
    }

    private static func node(_ catalog: CatalogSnapshot) -> JSONNode {
        var states: [String: String] = [:]
        for composite in catalog.composites {
            states[ConfigurationWriter.node(composite.definition).text()] =
                composite.state == .ready ? "READY" : "CREATING"
        }
        var node = ConfigurationWriter.node(
            IndexConfiguration(
                indexes: catalog.composites.map(\.definition), fieldOverrides: catalog.indexes.fieldOverrides))
        guard var members = node.members, let indexes = members.first?.node.elements else { return node }
        let withStates = indexes.map { index in
            let state = JSONMember(key: "state", node: .string(states[index.text()] ?? "READY"))
            return JSONNode(.object((index.members ?? []) + [state]))
        }
        members[0].node = .array(withStates)
        node.value = .object(members)
        return node
    }

    private func writeTables(_ catalog: CatalogSnapshot) {
        let output = Output()
        let style = Style.of(System.standardOutput)
        var composites = TextTable(["collection", "scope", "fields", "state"])
        for composite in catalog.composites {
            composites.add([
                composite.definition.collectionGroup.string, composite.definition.scope.wireName,
                composite.definition.properties, composite.state == .ready ? "READY" : "CREATING",
            ])
        }
        var overrides = TextTable(["collection", "field", "indexes"])
        for override in catalog.indexes.fieldOverrides {
            overrides.add([
                override.collectionGroup.string, override.path?.wire ?? "*", IndexesListCommand.text(override),
            ])
        }
        if composites.isEmpty, overrides.isEmpty { output.line("no composite indexes and no field overrides") }
        if !composites.isEmpty { composites.lines(width: Screen.width, style).forEach { output.line($0) } }
        if !composites.isEmpty, !overrides.isEmpty { output.line() }
        if !overrides.isEmpty { overrides.lines(width: Screen.width, style).forEach { output.line($0) } }
    }

    private static func text(_ override: FieldOverride) -> String {
        let modes = override.indexes.map { index in
            let mode =
                switch index.mode {
                case .ascending: "ASC"
                case .descending: "DESC"
                case .contains: "ARRAY_CONTAINS"
                }
            return index.scope == .collection ? mode : "\(mode) (group)"
        }
        let indexes = modes.isEmpty ? "none" : modes.sorted().joined(separator: ", ")
        return override.timeToLive == true ? "\(indexes); documents expire by it" : indexes
    }
}
