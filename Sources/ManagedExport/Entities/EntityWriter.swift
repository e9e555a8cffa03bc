// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Writes documents as entities, as the official emulator does.
package struct EntityWriter {
    private let database: DatabaseID

    /// - Parameter database: the database of the documents.
    package init(_ database: DatabaseID) {
        self.database = database
    }

    /// The record of a document.
    package func record(_ path: DocumentPath, _ fields: Fields) -> [UInt8] {
        var writer = WireWriter()
        let elements = EntityWriter.elements(path.resource)
        writer.message(EntityLayout.key) { key in
            key.bytes(EntityLayout.Key.app, EntityWriter.app(database))
            key.message(EntityLayout.Key.path) { $0.write(elements) }
            if database.database != EntityWriter.defaultID {
                key.bytes(EntityLayout.Key.database, database.database.string.utf8)
            }
        }
        writer.write(fields)
        writer.message(EntityLayout.group) { $0.write(elements.prefix(1)) }
        return writer.bytes
    }

    static let defaultID: Text = "(default)"

    fileprivate static func app(_ database: DatabaseID) -> [UInt8] {
        Array((EntityLayout.emulatorPrefix + database.project.string).utf8)
    }

    fileprivate static func elements(_ path: ResourcePath) -> ArraySlice<(kind: Text, id: Text)> {
        stride(from: 0, to: path.count - 1, by: 2).map { (path.segments[$0], path.segments[$0 + 1]) }[...]
    }
}

extension WireWriter {
    fileprivate mutating func write(_ elements: ArraySlice<(kind: Text, id: Text)>) {
        for (kind, id) in elements {
            group(EntityLayout.Key.element) { element in
                element.bytes(EntityLayout.Key.kind, kind.string.utf8)
                if let number = ResourcePath.numericID(id) {
                    element.varint(EntityLayout.Key.number, UInt64(bitPattern: number))
                } else {
                    element.bytes(EntityLayout.Key.name, id.string.utf8)
                }
            }
        }
    }

    fileprivate mutating func write(_ fields: Fields) {
        for field in fields where field.value.isEmptyArray {
            property(EntityLayout.property, field.name, EntityLayout.Meaning.emptyList) { _ in }
        }
        for field in fields {
            switch field.value {
            case .array(let elements):
                for element in elements { write(field.name, element, isMultiple: true) }
            case .vector(let elements) where !elements.isEmpty:
                for element in elements {
                    property(EntityLayout.rawProperty, field.name, EntityLayout.Meaning.vector, isMultiple: true) {
                        $0.fixed64(EntityLayout.Value.double, element.bitPattern)
                    }
                }
            default: write(field.name, field.value, isMultiple: false)
            }
        }
    }

    private mutating func write(_ name: Text, _ value: Value, isMultiple: Bool) {
        property(EntityLayout.rawProperty, name, value.meaning, isMultiple: isMultiple) { $0.write(value) }
    }

    private mutating func property(
        _ number: Int, _ name: Text, _ meaning: UInt64?, isMultiple: Bool = false, _ value: (inout WireWriter) -> Void
    ) {
        message(number) { property in
            if let meaning { property.varint(EntityLayout.Property.meaning, meaning) }
            property.bytes(EntityLayout.Property.name, name.string.utf8)
            property.varint(EntityLayout.Property.isMultiple, isMultiple ? 1 : 0)
            property.message(EntityLayout.Property.value, value)
        }
    }

    private mutating func write(_ value: Value) {
        switch value {
        case .null: break
        case .boolean(let flag): varint(EntityLayout.Value.boolean, flag ? 1 : 0)
        case .integer(let number): varint(EntityLayout.Value.integer, UInt64(bitPattern: number))
        case .double(let number): fixed64(EntityLayout.Value.double, number.bitPattern)
        case .timestamp(let time): varint(EntityLayout.Value.integer, UInt64(bitPattern: time.microseconds))
        case .string(let text): bytes(EntityLayout.Value.string, text.string.utf8)
        case .bytes(let value): bytes(EntityLayout.Value.string, value)
        case .reference(let reference): group(EntityLayout.Value.reference) { $0.write(reference) }
        case .geoPoint(let point):
            group(EntityLayout.Value.point) { group in
                group.fixed64(EntityLayout.Value.x, point.latitude.bitPattern)
                group.fixed64(EntityLayout.Value.y, point.longitude.bitPattern)
            }
        case .map(let fields): writeNested(fields)
        // A vector in an array, or without elements.
        case .vector(let elements): writeNested(VectorForm.fields(elements))
        // No document holds an array in an array.
        case .array: break
        }
    }

    /// An entity in a string. It has a key without an app and an empty path.
    private mutating func writeNested(_ fields: Fields) {
        message(EntityLayout.Value.string) { entity in
            entity.message(EntityLayout.key) { key in
                key.bytes(EntityLayout.Key.app, [])
                key.bytes(EntityLayout.Key.path, [])
            }
            entity.write(fields)
            entity.bytes(EntityLayout.group, [])
        }
    }

    private mutating func write(_ reference: DocumentModel.Reference) {
        bytes(EntityLayout.Reference.app, EntityWriter.app(reference.database))
        for (kind, id) in EntityWriter.elements(reference.path) {
            group(EntityLayout.Reference.element) { element in
                element.bytes(EntityLayout.Reference.kind, kind.string.utf8)
                if let number = ResourcePath.numericID(id) {
                    element.varint(EntityLayout.Reference.number, UInt64(bitPattern: number))
                } else {
                    element.bytes(EntityLayout.Reference.name, id.string.utf8)
                }
            }
        }
        if reference.database.database != EntityWriter.defaultID {
            bytes(EntityLayout.Reference.database, reference.database.database.string.utf8)
        }
    }
}

extension Value {
    fileprivate var isEmptyArray: Bool {
        if case .array(let elements) = self { elements.isEmpty } else { false }
    }

    fileprivate var meaning: UInt64? {
        switch self {
        case .timestamp: EntityLayout.Meaning.timestamp
        case .geoPoint: EntityLayout.Meaning.point
        case .bytes: EntityLayout.Meaning.bytes
        case .map, .vector: EntityLayout.Meaning.entity
        default: nil
        }
    }
}
