// SPDX-License-Identifier: Apache-2.0

/// What Firestore refuses to store (D-2 to D-8, D-14 to D-16, V-21), in production's words.
package enum DocumentLimits {
    package static let maximumDocumentSize = 1_048_576
    package static let maximumValueSize = 1_048_487
    package static let maximumNameSize = 1_500
    package static let maximumFullNameSize = 6 * 1_024
    package static let maximumDepth = 20
    package static let maximumSubcollectionDepth = 100

    /// Checks a whole document before it is written.
    ///
    /// - Returns: the document's size.
    @discardableResult
    package static func validate(
        _ path: DocumentPath, _ fields: Fields, database: DatabaseID
    ) throws(DocumentFormError) -> Int {
        try validate(path, database: database)
        let storage = fields.storage.span
        for index in storage.indices {
            let name = storage[index].name
            try validateName(name)
            try validate(storage[index].value, of: name, within: name, depth: 0)
        }
        let size = DocumentSize.size(of: path, fields)
        guard size <= maximumDocumentSize else {
            let name = Reference(database: database, path: path.resource).resourceName
            throw DocumentFormError(
                "Document '\(name)' cannot be written because its size (\(grouped(size)) bytes) exceeds the maximum "
                    + "allowed size of \(grouped(maximumDocumentSize)) bytes.")
        }
        return size
    }

    package static func validate(_ path: DocumentPath, database: DatabaseID) throws(DocumentFormError) {
        try path.validateForWriting(database)
        let segments = path.collection.resource.segments
        guard segments.count / 2 < maximumSubcollectionDepth else {
            throw DocumentFormError(
                "Subcollections nest to a depth of \(maximumSubcollectionDepth), not \(segments.count / 2 + 1).")
        }
        let size =
            database.resourceNameSize + "/documents/".utf8.count + path.id.utf8Count + segments.sum { 1 + $0.utf8Count }
        guard size <= maximumFullNameSize else {
            throw DocumentFormError(
                "A document name has at most \(grouped(maximumFullNameSize)) bytes, not \(grouped(size)).")
        }
    }

    /// D-8.
    package static func validateName(_ name: Text) throws(DocumentFormError) {
        guard name.utf8Count > 0 else { throw DocumentFormError("The property.name is the empty string.") }
        guard name.utf8Count <= maximumNameSize else {
            throw DocumentFormError("The property.name is longer than 1500 bytes.")
        }
        guard !name.isReserved else { throw DocumentFormError("field name \(name) is reserved") }
    }

    /// - Parameters:
    ///   - name: the field that holds the value or the array that contains it.
    ///   - top: the enclosing field of the document.
    private static func validate(
        _ value: Value, of name: Text, within top: Text, depth: Int
    ) throws(DocumentFormError) {
        switch value {
        case .string(let text) where text.utf8Count > maximumValueSize: throw tooLong(name)
        case .bytes(let bytes) where bytes.count > maximumValueSize: throw tooLong(name)
        case .reference(let reference): try validate(reference)
        case .array(let elements):
            try descend(top, depth)
            for element in elements {
                if case .array = element { throw nestedArrays }
                try validate(element, of: name, within: top, depth: depth + 1)
            }
        case .vector(let elements) where elements.isEmpty || elements.count > 2_048:
            throw DocumentFormError("A vector has 1 to 2048 dimensions, not \(elements.count).")
        case .map(let fields):
            try descend(top, depth)
            if let fault = VectorForm.fault(fields) { throw DocumentFormError(fault) }
            let isLegacy = isFromDatastore(fields)
            for field in fields.storage {
                let isLegacyName = isLegacy && field.name.isReserved && field.name.utf8Count <= maximumNameSize
                if isLegacyName {
                    // A key of Datastore's may lie in a namespace, as no name of Firestore's does.
                    if case .reference = field.value { continue }
                } else {
                    try validateName(field.name)
                }
                try validate(field.value, of: field.name, within: top, depth: depth + 1)
            }
        default: break
        }
    }

    /// Datastore's own values appear in Firestore as maps with reserved names, `{__type__: "__legacy_…__"}`, and are
    /// allowed (production-queries, docset value-order).
    private static func isFromDatastore(_ fields: Fields) -> Bool {
        guard case .string(let type)? = fields[VectorForm.typeName] else { return false }
        return type.isReserved && type.string.hasPrefix("__legacy_")
    }

    private static func validate(_ reference: Reference) throws(DocumentFormError) {
        guard reference.path.count % 2 == 0, !reference.path.isEmpty else {
            let name = reference.resourceName
            throw DocumentFormError("Document name \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
        }
        try reference.path.validate(writing: false, database: reference.database)
    }

    private static func descend(_ top: Text, _ depth: Int) throws(DocumentFormError) {
        guard depth < maximumDepth else {
            throw DocumentFormError("Property \(top) contains an invalid nested entity.")
        }
    }

    private static func tooLong(_ name: Text) -> DocumentFormError {
        DocumentFormError("The value of property \"\(name)\" is longer than \(maximumValueSize) bytes.")
    }

    /// 1,048,576
    private static func grouped(_ number: Int) -> String {
        var digits = Array(String(number))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return String(digits)
    }
}
