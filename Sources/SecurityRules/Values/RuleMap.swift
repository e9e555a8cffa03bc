// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A map of values. The fields of a stored document are converted when they are asked for.
package struct RuleMap: Sendable {
    package typealias Entry = (key: Text, value: RuleValue)

    private enum Storage: Sendable {
        case fields(Fields)
        /// Sorted by key in the order of UTF-16.
        case entries([Entry])
        case document(StoredDocument)
    }

    /// What a document is made of.
    private final class StoredDocument: Sendable {
        let path: ResourcePath
        let fields: Fields
        let database: Text

        init(_ path: ResourcePath, _ fields: Fields, _ database: Text) {
            self.path = path
            self.fields = fields
            self.database = database
        }

        func member(_ key: Text) -> RuleValue? {
            switch key {
            case "data": .map(RuleMap(fields))
            case "id": .string(path.segments[path.count - 1])
            case "__name__": .path(RulePath(document: path, database: database))
            default: nil
            }
        }

        static let keys: [Text] = ["__name__", "data", "id"]
    }

    private let storage: Storage

    package init(_ fields: Fields) {
        storage = .fields(fields)
    }

    /// A document as rules see it: `data`, `id` and `__name__`.
    init(document path: ResourcePath, _ fields: Fields, _ database: Text) {
        storage = .document(StoredDocument(path, fields, database))
    }

    /// Of entries with the same key the last counts.
    package init(_ entries: [Entry]) {
        var sorted: [Entry] = []
        let order = entries.indices.sorted {
            let order = Text.compareUTF16(entries[$0].key, entries[$1].key)
            return order == 0 ? $0 < $1 : order < 0
        }
        for index in order {
            if let last = sorted.last, last.key == entries[index].key { sorted.removeLast() }
            sorted.append(entries[index])
        }
        storage = .entries(sorted)
    }

    package static let empty = RuleMap(Fields.empty)

    package var count: Int {
        switch storage {
        case .fields(let fields): fields.count
        case .entries(let entries): entries.count
        case .document: StoredDocument.keys.count
        }
    }

    package subscript(key: Text) -> RuleValue? {
        switch storage {
        case .fields(let fields): return fields[key].map(RuleValue.init)
        case .entries(let entries):
            for place in entries.indices where entries[place].key == key { return entries[place].value }
            return nil
        case .document(let document): return document.member(key)
        }
    }

    /// The keys of all entries, in their order.
    var keys: [Text] {
        guard case .fields(let fields) = storage else { return entries.map(\.key) }
        let keys = fields.storage.map(\.name)
        guard !keys.allSatisfy(\.isASCII) else { return keys }
        return keys.sorted { Text.compareUTF16($0, $1) < 0 }
    }

    /// Takes a pass over all that is in the map from a reach.
    func use(_ reach: inout Int, times: Int) {
        if case .fields(let fields) = storage { return fields.use(&reach, times: times) }
        for entry in entries {
            guard reach >= 0 else { return }
            reach -= (RuleValue.walkedElement + entry.key.utf8Count) * times
            entry.value.use(&reach, times: times)
        }
    }

    /// All entries, sorted by key in the order of UTF-16.
    package var entries: [Entry] {
        switch storage {
        case .entries(let entries): return entries
        case .document(let document):
            return StoredDocument.keys.map { ($0, document.member($0) ?? .null) }
        case .fields(let fields):
            let entries = fields.storage.map { (key: $0.name, value: RuleValue($0.value)) }
            guard !entries.allSatisfy({ $0.key.isASCII }) else { return entries }
            return entries.sorted { Text.compareUTF16($0.key, $1.key) < 0 }
        }
    }
}
