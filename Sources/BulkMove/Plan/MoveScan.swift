// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// Finds out what a move takes. Documents are noted in the order of their names.
///
/// Memory is bounded by the number of collection groups and of their fields, not by the number of documents.
package struct MoveScan {
    private let database: DatabaseID
    private let indexes: IndexCatalog
    private var groups: [Text: GroupScan] = [:]
    private var refused: [(path: DocumentPath, reason: String)] = []
    private var refusedCount = 0
    private var documentsWithForeignReferences = 0

    private static let listedRefusals = 20

    /// - Parameters:
    ///   - database: the one that is moved.
    ///   - indexes: a field without an index makes no range hot.
    package init(_ database: DatabaseID, _ indexes: IndexCatalog) {
        self.database = database
        self.indexes = indexes
    }

    /// - Parameter target: where the document is to go, whose name counts to the limits.
    package mutating func note(_ document: Document, target: DatabaseID) {
        do throws(DocumentFormError) {
            _ = try DocumentLimits.validate(document.path, document.fields, database: target)
        } catch {
            refusedCount += 1
            if refused.count < MoveScan.listedRefusals { refused.append((document.path, error.message)) }
        }
        let isForeign = document.fields.contains { field in
            field.value.containsReference { $0.database != database && $0.database != target }
        }
        if isForeign { documentsWithForeignReferences += 1 }
        groups[document.path.collection.group, default: GroupScan()].note(document)
    }

    package func plan() -> MovePlan {
        let sorted = groups.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }
        return MovePlan(
            groups: sorted.map { id, scan in
                MovePlan.Group(id: id, documents: scan.documents, bytes: scan.bytes, largest: scan.largest)
            },
            hotRanges: sorted.flatMap { $1.hotRanges(of: $0, indexes) }, refused: refused, refusedCount: refusedCount,
            documentsWithForeignReferences: documentsWithForeignReferences)
    }
}

/// The documents of a collection group.
private struct GroupScan {
    private(set) var documents = 0
    private(set) var bytes = 0
    private(set) var largest = 0
    private var names = NameSequence()
    private var fields: [Text: ValueSequence] = [:]

    mutating func note(_ document: Document) {
        documents += 1
        let size = DocumentSize.size(of: document.path, document.fields)
        bytes += size
        largest = max(largest, size)
        let created = document.createTime.microseconds
        names.note(document.path, created: created)
        for field in document.fields {
            switch field.value {
            case .timestamp(let time):
                fields[field.name, default: ValueSequence()].note(time.microseconds, true, created)
            case .integer(let number): fields[field.name, default: ValueSequence()].note(number, false, created)
            default: break
            }
        }
    }

    func hotRanges(of group: Text, _ indexes: IndexCatalog) -> [HotRange] {
        var ranges: [HotRange] = []
        if let evidence = names.evidence {
            ranges.append(HotRange(group: group, kind: .names, evidence: evidence, documents: documents))
        }
        for (name, sequence) in fields.sorted(by: { $0.key < $1.key }) {
            guard let evidence = sequence.evidence else { continue }
            let path = FieldPath(name: name)
            let isIndexed =
                !indexes.singleFieldIndexes(of: path, in: group).isEmpty
                || indexes.composites(of: group).contains { $0.definition.fields.contains { $0.path == path } }
            guard isIndexed else { continue }
            ranges.append(HotRange(group: group, kind: .field(name), evidence: evidence, documents: sequence.count))
        }
        return ranges
    }
}
