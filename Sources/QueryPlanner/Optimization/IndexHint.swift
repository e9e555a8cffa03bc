// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// The index that a query asks to read, written as in explanations: `(state ASC, population DESC)`.
///
/// A hint changes neither admission nor the result, only which index is read.
package struct IndexHint: Sendable, Hashable {
    /// Without `__name__`.
    package let fields: [IndexField]
    /// The direction of `__name__`. If the text leaves it out, the direction of the last field.
    package let nameDirection: Direction

    package init(_ text: String) throws(IndexHintError) {
        let trimmed = text.drop { $0 == " " }
        guard trimmed.hasPrefix("("), trimmed.hasSuffix(")") else { throw .malformed(text) }
        var fields: [IndexField] = []
        for part in IndexHint.parts(String(trimmed.dropFirst().dropLast())) {
            guard let field = IndexHint.field(part) else { throw .malformed(text) }
            fields.append(field)
        }
        let names = fields.filter(\.path.isDocumentName)
        guard !fields.isEmpty, names.count <= 1 else { throw .malformed(text) }
        self.fields = fields.filter { !$0.path.isDocumentName }
        var direction = Direction.ascending
        if case .order(let last)? = fields.last?.mode { direction = last }
        if case .order(let own)? = names.first?.mode { direction = own }
        nameDirection = direction
    }

    /// The text as in explanations.
    package var text: String { definition(in: "", .collection).properties }

    func definition(in collectionGroup: Text, _ scope: QueryScope) -> IndexDefinition {
        IndexDefinition(collectionGroup: collectionGroup, scope: scope, fields: fields, nameDirection: nameDirection)
    }

    /// Splits at commas outside backticks.
    private static func parts(_ text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == "`", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            if character == ",", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    private static func field(_ text: String) -> IndexField? {
        let trimmed = text.drop { $0 == " " }
        guard let space = trimmed.lastIndex(of: " ") else { return nil }
        let name = String(trimmed[..<space])
        guard let path = try? FieldPath(wire: name) else { return nil }
        return switch String(trimmed[trimmed.index(after: space)...]) {
        case "ASC": IndexField(path, .order(.ascending))
        case "DESC": IndexField(path, .order(.descending))
        case "ARRAY_CONTAINS": IndexField(path, .contains)
        default: nil
        }
    }
}

/// Why a query cannot use the index of its hint.
package enum IndexHintError: Error, Sendable, Hashable {
    case malformed(String)
    /// A vector search reads its vector index.
    case vectorSearch
    case unknown(IndexHint, collectionGroup: Text)
    /// The index orders each collection separately, and the query reads a collection group.
    case wrongScope(IndexHint)
    case building(IndexHint)
    /// Rows may have no entry in the index because they lack the field, or several entries.
    case doesNotCover(IndexHint, FieldPath)

    package var message: String {
        switch self {
        case .malformed(let text):
            "\"\(text)\" does not name an index. Write it as explanations print it: (state ASC, tags ARRAY_CONTAINS)."
        case .vectorSearch: "A vector search reads its vector index; usingIndex has no part in it."
        case .unknown(let hint, let group):
            "The collection \(group) has no index \(hint.text). `hearth indexes list` shows those there are."
        case .wrongScope(let hint):
            "The index \(hint.text) has the scope COLLECTION: it orders each collection by itself and cannot serve a "
                + "query of a collection group."
        case .building(let hint): "The index \(hint.text) is being built and cannot be read yet."
        case .doesNotCover(let hint, let path):
            "The index \(hint.text) would change the result: documents that the query finds may have no entry in it, or "
                + "several, because the query does not bind \(path) in the way the index needs."
        }
    }
}
