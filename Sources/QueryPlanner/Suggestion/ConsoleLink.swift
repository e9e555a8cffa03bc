// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// Why a text is not a console link that creates an index.
package enum ConsoleLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL has no `create_composite=` or `create_exemption=`.
    case noPayload
    /// The payload is not URL-safe base64.
    case notBase64
    /// The payload is not the protobuf message of an index. The text tells what is wrong.
    case damaged(String)

    package var description: String {
        switch self {
        case .noPayload:
            "The link has no create_composite= or create_exemption= part. Paste the whole address from the error message."
        case .notBase64: "The link's payload is not URL-safe base64. Paste the whole address from the error message."
        case .damaged(let reason): "The link's payload describes no index: \(reason)."
        }
    }
}

/// A link to the Firebase console that creates an index (E-2, E-3, E-9 to E-13).
package struct ConsoleLink: Hashable, Sendable {
    package let database: DatabaseID
    /// If `singleField` is not nil, the definition has its one field and its direction.
    package let definition: IndexDefinition
    /// The automatic index that the link enables; nil for a composite.
    package let singleField: SingleFieldIndex?
    /// The last part of a composite's name: `_` for an index that does not exist yet (E-5).
    package let indexID: String

    package init(
        database: DatabaseID, definition: IndexDefinition, singleField: SingleFieldIndex? = nil, indexID: String = "_"
    ) {
        self.database = database
        self.definition = definition
        self.singleField = singleField
        self.indexID = indexID
    }

    package var url: String {
        let parameter = singleField == nil ? "create_composite" : "create_exemption"
        return "https://console.firebase.google.com/v1/r/project/\(database.project)/firestore/indexes?"
            + "\(parameter)=\(payload)"
    }

    /// The definition as URL-safe base64 without padding (E-9).
    package var payload: String {
        var text: [UInt8] = []
        for byte in Base64.encode(message).utf8 {
            switch byte {
            case UInt8(ascii: "+"): text.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): text.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): continue
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private var message: [UInt8] {
        var writer = ProtobufWriter()
        writer.bytes(field: 1, Array(name.utf8))
        writer.varint(field: 2, definition.scope == .collection ? 1 : 2)
        for field in printedFields { writer.bytes(field: 3, ConsoleLink.message(of: field)) }
        return writer.bytes
    }

    /// E-10.
    private var name: String {
        let group = "\(database.resourceName)/collectionGroups/\(definition.collectionGroup)"
        guard singleField != nil, let path = definition.fields.first?.path else { return "\(group)/indexes/\(indexID)" }
        return "\(group)/fields/\(path)"
    }

    private var printedFields: [IndexField] {
        singleField == nil ? definition.fieldsWithName : definition.fields
    }

    private static func message(of field: IndexField) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytes(field: 1, Array("\(field.path)".utf8))
        switch field.mode {
        case .order(let direction): writer.varint(field: 2, direction == .ascending ? 1 : 2)
        case .contains: writer.varint(field: 3, 1)
        case .vector(let dimension):
            var vector = ProtobufWriter()
            vector.varint(field: 1, dimension)
            vector.bytes(field: 2, [])
            writer.bytes(field: 4, vector.bytes)
        }
        return writer.bytes
    }
}
