// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension IndexDefinition {
    /// A query that the index serves, as text: == on its first fields, and the order of the others.
    package func query(binding count: Int) -> String {
        let kind = scope == .collection ? "collection" : "collectionGroup"
        var calls = ["\(kind)(\(quoted(collectionGroup.string)))"]
        calls += fields.prefix(count).map { field in
            let test = field.mode == .contains ? "\"array-contains\"" : "\"==\""
            return "where(\(quoted(field.path.wire)), \(test), …)"
        }
        var orders = fields[count...]
        if case .vector? = orders.last?.mode {
            let path = orders.removeLast().path
            return (calls + ["findNearest(\(quoted(path.wire)), …)"]).joined(separator: ".")
        }
        let last = orders.last?.mode ?? .order(.ascending)
        if last != .order(nameDirection) { orders.append(IndexField(.documentName, .order(nameDirection))) }
        calls += orders.map { field in
            let direction = field.mode == .order(.descending) ? ", \"desc\"" : ""
            return "orderBy(\(quoted(field.path.wire))\(direction))"
        }
        return calls.joined(separator: ".")
    }
}
