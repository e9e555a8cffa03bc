// SPDX-License-Identifier: Apache-2.0

/// Sizes in bytes by Firestore's formulas (D-30 to D-32). Limits use them; the size in the file differs.
package enum DocumentSize {
    package static func size(of path: ResourcePath) -> Int {
        16 + path.segments.sum { size(of: $0) }
    }

    package static func size(of path: DocumentPath) -> Int { size(of: path.collection.resource) + size(of: path.id) }

    private static func size(of segment: Text) -> Int {
        ResourcePath.numericID(segment) == nil ? segment.utf8Count + 1 : 8
    }

    package static func size(of value: Value) -> Int {
        switch value {
        case .null, .boolean: 1
        case .integer, .double, .timestamp: 8
        case .string(let text): text.utf8Count + 1
        case .bytes(let bytes): bytes.count
        case .reference(let reference): size(of: reference.path)
        case .geoPoint: 16
        case .array(let elements): elements.sum { size(of: $0) }
        case .vector(let elements): 8 * elements.count
        case .map(let fields): size(of: fields) + 32
        }
    }

    package static func size(of fields: Fields) -> Int {
        fields.storage.sum { $0.name.utf8Count + 1 + size(of: $0.value) }
    }

    package static func size(of path: DocumentPath, _ fields: Fields) -> Int {
        size(of: path) + size(of: fields) + 32
    }
}

extension Array {
    /// The sum of a size of each element. The elements are not copied, as `reduce` does.
    @inline(__always)
    func sum(_ size: (borrowing Element) -> Int) -> Int {
        let elements = span
        var sum = 0
        for index in elements.indices { sum += size(elements[index]) }
        return sum
    }
}
