// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
package import DocumentModel
package import IndexCatalog
internal import TestSupport

/// Numbered, atomic steps of work on a database. They follow from a seed: the seed and the last step determine every
/// document in the database.
///
/// Several writers may work side by side, each in its own collections and with its own numbers. One document is shared.
package struct Workload: Sendable {
    package enum Step: Sendable {
        /// One commit: documents set and deleted, and the writer's progress.
        case batch([Write])
        /// One commit that depends on a read: it increments the shared counter, and records the writer's progress.
        case transaction
        /// Replaces index definitions, and builds the new ones.
        case indexes(IndexConfiguration)
    }

    package let seed: UInt64
    /// Whether some steps replace the index definitions, which requires a single writer.
    package let appliesIndexes: Bool

    package init(seed: UInt64, appliesIndexes: Bool) {
        self.seed = seed
        self.appliesIndexes = appliesIndexes
    }

    /// - Parameter number: counted from 1.
    package func step(_ number: Int, writer: Int) -> Step {
        if appliesIndexes, number % 7 == 5 { return .indexes(configuration(number)) }
        if number % 5 == 3 { return .transaction }
        return .batch(writes(number, writer: writer))
    }

    package static let counter: DocumentPath = "shared/counter"
    /// Never exists.
    static let nothing: DocumentPath = "shared/nothing"

    package static func progress(_ writer: Int) -> DocumentPath { path(["progress", Text("w\(writer)")]) }

    static func path(_ segments: [Text]) -> DocumentPath { DocumentPath(ResourcePath(segments: segments)) }

    private func random(_ number: Int, _ writer: Int) -> SeededGenerator {
        let stream = UInt64(truncatingIfNeeded: writer + 1) << 48
        return SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ stream)
    }

    private func writes(_ number: Int, writer: Int) -> [Write] {
        var random = random(number, writer)
        let generator = DocumentGenerator()
        return (0..<random.int(1..<9)).map { _ in
            let path = documentPath(writer, &random)
            if random.chance(0.25) { return Write(path, .delete) }
            var fields = generator.fields(&random)
            // Large values have overflow pages and make the map grow.
            if random.chance(0.1) { fields["large"] = .bytes([UInt8](repeating: 7, count: random.int(3_000..<60_000))) }
            return .set(path, fields)
        }
    }

    private func documentPath(_ writer: Int, _ random: inout SeededGenerator) -> DocumentPath {
        let root: Text = Text("w\(writer)")
        let id = Text("d\(random.int(0..<20))")
        // Long names have common prefixes, so that keys continue in overflow chains.
        if random.chance(0.2) {
            return Workload.path([root, Text(String(repeating: "x", count: 600) + "\(random.int(0..<5))")])
        }
        return random.chance(0.7)
            ? Workload.path([root, id]) : Workload.path([root, id, "c", Text("e\(random.int(0..<5))")])
    }

    /// The documents of one bulk load: those of a new collection.
    package func load(_ number: Int) -> [(path: DocumentPath, fields: Fields)] {
        var random = random(number, -2)
        let generator = DocumentGenerator()
        return (0..<random.int(20..<80)).map { id in
            (Workload.path([Text("load\(number)"), Text("d\(id)")]), generator.fields(&random))
        }
    }

    /// Some of a few indexes, and sometimes an override.
    package func configuration(_ number: Int) -> IndexConfiguration {
        var random = random(number, -1)
        let groups: [Text] = ["c", "w0", "w1"]
        let all = groups.flatMap { group in
            [
                IndexDefinition(
                    collectionGroup: group, scope: .collectionGroup,
                    fields: [IndexField("a", .order(.ascending)), IndexField("s", .order(.descending))],
                    nameDirection: .descending),
                IndexDefinition(
                    collectionGroup: group, scope: .collection,
                    fields: [IndexField("tags", .contains), IndexField("b", .order(.ascending))],
                    nameDirection: .ascending),
            ]
        }
        let override = FieldOverride(collectionGroup: "w0", path: "a", indexes: [])
        return IndexConfiguration(
            indexes: all.filter { _ in random.chance(0.5) }, fieldOverrides: random.chance(0.5) ? [override] : [])
    }
}

/// The contents of a database after some steps.
package struct WorkloadState: Sendable {
    package private(set) var documents: [DocumentPath: Fields] = [:]
    package private(set) var configuration = IndexConfiguration()
    /// How often the shared counter was incremented.
    package private(set) var transactions = 0
    /// The last step that recorded its progress.
    package private(set) var progress = 0

    package init() {}

    package mutating func apply(_ number: Int, _ step: Workload.Step) {
        switch step {
        case .indexes(let configuration):
            self.configuration = configuration
            return
        case .transaction: transactions += 1
        case .batch(let writes):
            for write in writes {
                if case .update(let fields, _, _) = write.operation {
                    documents[write.path] = fields
                } else {
                    documents[write.path] = nil
                }
            }
        }
        progress = number
    }
}
