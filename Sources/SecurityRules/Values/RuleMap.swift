// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A map of values. The fields of a stored document are converted when they are asked for.
package struct RuleMap: Sendable {
    package typealias Entry = (key: Text, value: RuleValue)

    private enum Storage: Sendable {
        case fields(Fields)
        /// Sorted by key in the order of UTF-16.
        case entries([Entry])
    }

    private let storage: Storage

    package init(_ fields: Fields) {
        storage = .fields(fields)
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
        }
    }

    package subscript(key: Text) -> RuleValue? {
        switch storage {
        case .fields(let fields): return fields[key].map(RuleValue.init)
        case .entries(let entries):
            for entry in entries where entry.key == key { return entry.value }
            return nil
        }
    }

    /// All entries, sorted by key in the order of UTF-16.
    package var entries: [Entry] {
        switch storage {
        case .entries(let entries): return entries
        case .fields(let fields):
            let entries = fields.storage.map { (key: $0.name, value: RuleValue($0.value)) }
            guard !entries.allSatisfy({ $0.key.isASCII }) else { return entries }
            return entries.sorted { Text.compareUTF16($0.key, $1.key) < 0 }
        }
    }
}
