// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import ReplicaStore

struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count documents, index entries and bytes.",
        discussion: """
            Examples:
              hearth stats my.db
              hearth stats my.db --format json
            """)

    @OptionGroup var database: DatabaseArgument
    @Option(help: "text or json.")
    var format = TextFormat.text

    func run() throws {
        try database.open(.reading) { engine in
            let statistics = try engine.statistics()
            let queue = engine.isReplica ? try engine.queueCounts() : nil
            switch format {
            case .text: StatisticsText(statistics, queue).write(to: Output())
            case .json: Output().text(StatisticsJSON.node(statistics, queue).text(.indented) + "\n")
            }
        }
    }
}

/// The writes in the offline data of a client of Cloud Firestore.
private typealias QueueCounts = (pending: Int, rejected: Int)

private struct StatisticsText {
    private let statistics: DatabaseStatistics
    private let queue: QueueCounts?
    private let style = Style.of(System.standardOutput)

    init(_ statistics: DatabaseStatistics, _ queue: QueueCounts?) {
        self.statistics = statistics
        self.queue = queue
    }

    func write(to output: Output) {
        output.line("database   \(statistics.database.resourceName)")
        output.line("format     \(statistics.format)")
        output.line(
            "file       \(Numbers.bytes(statistics.fileBytes)), \(Numbers.bytes(statistics.freeBytes)) of it free")
        output.line("commits    \(Numbers.grouped(statistics.lastTransaction))")
        if let queue {
            output.line(
                "queue      \(Numbers.counted(queue.pending, "pending write")), "
                    + Numbers.counted(queue.rejected, "rejected write"))
        }
        output.line()
        var collections = TextTable(["collection", "documents", "size"], numeric: [1, 2])
        for collection in statistics.collections {
            collections.add([
                collection.path.description, Numbers.grouped(collection.documents),
                Numbers.bytes(collection.bytes),
            ])
        }
        write(collections, "no documents", to: output)
        output.line()
        var indexes = TextTable(["index", "entries", "size"], numeric: [1, 2])
        for index in statistics.indexes {
            indexes.add([index.kind.text, Numbers.grouped(index.entries), Numbers.bytes(index.bytes)])
        }
        write(indexes, "no index entries", to: output)
    }

    private func write(_ table: TextTable, _ nothing: String, to output: Output) {
        guard !table.isEmpty else { return output.line(nothing) }
        for line in table.lines(width: Screen.width, style) { output.line(line) }
    }
}

private enum StatisticsJSON {
    static func node(_ statistics: DatabaseStatistics, _ queue: QueueCounts?) -> JSONNode {
        var members = node(statistics).members ?? []
        if let queue {
            members.append(JSONMember(key: "pendingWrites", node: .integer(Int64(queue.pending))))
            members.append(JSONMember(key: "rejectedWrites", node: .integer(Int64(queue.rejected))))
        }
        return JSONNode(.object(members))
    }

    private static func node(_ statistics: DatabaseStatistics) -> JSONNode {
        .object([
            "project": .string(statistics.database.project.string),
            "database": .string(statistics.database.database.string),
            "format": .integer(Int64(statistics.format)),
            "fileBytes": .integer(Int64(statistics.fileBytes)),
            "freeBytes": .integer(Int64(statistics.freeBytes)),
            "lastTransaction": .integer(Int64(statistics.lastTransaction)),
            "collections": .array(
                statistics.collections.map { collection in
                    .object([
                        "path": .string(collection.path.description),
                        "documents": .integer(Int64(collection.documents)),
                        "bytes": .integer(Int64(collection.bytes)),
                    ])
                }),
            "indexes": .array(statistics.indexes.map(node)),
        ])
    }

    private static func node(_ index: DatabaseStatistics.Index) -> JSONNode {
        var members = index.kind.members
        members.append(JSONMember(key: "entries", node: .integer(Int64(index.entries))))
        members.append(JSONMember(key: "bytes", node: .integer(Int64(index.bytes))))
        return JSONNode(.object(members))
    }
}

extension DatabaseStatistics.Index.Kind {
    fileprivate var text: String {
        switch self {
        case .composite(let definition): return properties(definition)
        case .automatic(let group, let path, let scope, let isContains):
            return "\(group) \(scope.wireName) \(path.wire)\(isContains ? " ARRAY_CONTAINS" : "")"
        }
    }

    /// A composite index as in an index file; an automatic index by its group, scope, field and kind.
    fileprivate var members: [JSONMember] {
        let node: JSONNode
        switch self {
        case .composite(let definition): node = ConfigurationWriter.node(definition)
        case .automatic(let group, let path, let scope, let isContains):
            node = .object([
                "collectionGroup": .string(group.string),
                "queryScope": .string(scope.wireName),
                "fieldPath": .string(path.wire),
                "kind": .string(isContains ? "ARRAY_CONTAINS" : "ORDER"),
            ])
        }
        return node.members ?? []
    }
}
