// SPDX-License-Identifier: Apache-2.0

/// Sizes in bytes by Firestore's formulas (D-30 to D-32). Limits use them; the size in the file differs.
package enum DocumentSize {
    package static func size(of path: ResourcePath) -> Int {
        path.segments.reduce(16) { $0 + size(of: $1) }
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
        case .array(let elements): elements.reduce(0) { $0 + size(of: $1) }
        case .vector(let elements): 8 * elements.count
        case .map(let fields): size(of: fields) + 32
        }
    }

    package static func size(of fields: Fields) -> Int {
        fields.storage.reduce(0) { $0 + $1.name.utf8Count + 1 + size(of: $1.value) }
    }

    package static func size(of path: DocumentPath, _ fields: Fields) -> Int {
        size(of: path) + size(of: fields) + 32
    }
}
