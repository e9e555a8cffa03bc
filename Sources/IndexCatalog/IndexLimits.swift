// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Firestore's limits on the index entries of a document (D-18 to D-20, D-29, D-33).
package enum IndexLimits {
    package static let maximumEntries = 40_000
    package static let maximumEntrySize = 7_680
    /// The largest size that a create was observed to reach before it was refused; the documented limit of 8 MiB is
    /// lower (D-20, D-29).
    package static let maximumTotalSize = 29_650_000
    /// How many bytes of a value count (D-17).
    private static let maximumValueSize = 1_500

    package static func validate(
        _ path: DocumentPath, _ fields: Fields, _ catalog: IndexCatalog
    ) throws(DocumentFormError) {
        let bounds = catalog.compositeBounds(of: path.collection.group)
        let nameSize = DocumentSize.size(of: path)
        let size = DocumentSize.size(of: fields)
        // Each value takes at least a byte and has at most four automatic entries and one in each index with `CONTAINS`. Another index
        // has one entry; it counts as sixteen, so that the sizes of few entries need no count either. An entry holds the document's name
        // twice at most, and a path and a value, which lie apart in the document. Small documents with short names, which most are,
        // are within the limits.
        let isSmall = size * (4 + bounds.containing) + 16 * bounds.others < maximumEntries
        if isSmall, 2 * nameSize + size + 48 <= maximumEntrySize, nameSize < 1_000, bounds.fields <= 3 { return }
        var account = Account(path, catalog, nameSize: nameSize)
        for field in fields.storage { try account.add(field.value, at: [field.name]) }
        for composite in catalog.composites(of: path.collection.group) { try account.add(composite.definition, fields) }
        try account.check()
    }

    /// Counts the entries of one document as production does.
    private struct Account {
        private let path: DocumentPath
        private let catalog: IndexCatalog
        private let nameSize: Int
        private let parentSize: Int
        private var entries = 0
        private var total = 0

        init(_ path: DocumentPath, _ catalog: IndexCatalog, nameSize: Int) {
            self.path = path
            self.catalog = catalog
            self.nameSize = nameSize
            parentSize = path.collection.parent.map { DocumentSize.size(of: $0.resource) } ?? 0
        }

        mutating func add(_ value: Value, at names: [Text]) throws(DocumentFormError) {
            let field = FieldPath(names)
            let pathSize = names.reduce(0) { $0 + $1.utf8Count + 1 }
            for index in catalog.singleFieldIndexes(of: field, in: path.collection.group) {
                let overhead = index.scope == .collection ? parentSize + 32 : 48
                if index.mode != .contains {
                    try add(1, nameSize + overhead + pathSize + IndexLimits.size(of: value))
                } else if case .array(let elements) = value {
                    for element in Set(elements) {
                        try add(2, nameSize + overhead + pathSize + IndexLimits.size(of: element))
                    }
                }
            }
            guard case .map(let fields) = value else { return }
            for field in fields.storage { try add(field.value, at: names + [field.name]) }
        }

        mutating func add(_ definition: IndexDefinition, _ fields: Fields) throws(DocumentFormError) {
            var size = nameSize + (definition.scope == .collection ? parentSize : 0) + 32
            var elements: Set<Value>?
            for field in definition.fields {
                guard let value = fields[field.path] else { return }
                if field.mode == .contains {
                    guard case .array(let content) = value else { return }
                    elements = Set(content)
                } else {
                    size += IndexLimits.size(of: value)
                }
            }
            guard let elements else { return try add(1, size) }
            for element in elements { try add(1, size + IndexLimits.size(of: element)) }
        }

        private mutating func add(_ count: Int, _ size: Int) throws(DocumentFormError) {
            guard size <= maximumEntrySize else { throw DocumentFormError("Index entry is too large.") }
            entries += count
            total += count * size
        }

        /// The count is checked before the size (D-29).
        func check() throws(DocumentFormError) {
            guard entries <= maximumEntries else {
                throw DocumentFormError("too many index entries for entity /\(path)")
            }
            guard total <= maximumTotalSize else {
                throw DocumentFormError("Transaction too big. Decrease transaction size.")
            }
        }
    }

    private static func size(of value: Value) -> Int {
        min(DocumentSize.size(of: value), maximumValueSize)
    }
}
