// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension ConsoleLink {
    /// Reads the URL of an error message, for any console (E-7), or its payload alone.
    package init(decoding link: String) throws(ConsoleLinkError) {
        var payload = link
        for parameter in ["create_composite=", "create_exemption=", "create_index="] {
            guard let start = link.utf8Range(of: parameter)?.upperBound else { continue }
            payload = String(link[start...].prefix { !"&# \n\t\"'".contains($0) })
        }
        guard !payload.contains("://") else { throw .noPayload }
        guard let bytes = Base64.decode(payload), !bytes.isEmpty else { throw .notBase64 }
        try self.init(message: bytes)
    }

    private init(message: [UInt8]) throws(ConsoleLinkError) {
        var reader = ProtobufReader(message)
        var name: ResourceName?
        var scope: QueryScope?
        var fields: [IndexField] = []
        while let (number, content) = try reader.next() {
            switch (number, content) {
            case (1, .bytes(let bytes)): name = try ResourceName(try text(bytes))
            case (2, .varint(let value)): scope = try ConsoleLink.scope(value)
            case (3, .bytes(let bytes)): fields.append(try ConsoleLink.field(bytes))
            default: continue
            }
        }
        guard let name else { throw .damaged("it does not name a collection") }
        guard let scope else { throw .damaged("it has no query scope") }
        try self.init(name: name, scope: scope, fields: fields)
    }

    private init(name: ResourceName, scope: QueryScope, fields: [IndexField]) throws(ConsoleLinkError) {
        let names = fields.filter(\.path.isDocumentName)
        let others = fields.filter { !$0.path.isDocumentName }
        guard !fields.isEmpty else { throw .damaged("it has no fields") }
        guard names.count <= 1 else { throw .damaged("__name__ occurs \(names.count) times") }
        var direction = Direction.ascending
        if case .order(let last)? = others.last?.mode { direction = last }
        if case .order(let given)? = names.first?.mode { direction = given }
        let definition = IndexDefinition(
            collectionGroup: name.collectionGroup, scope: scope, fields: others, nameDirection: direction)
        let singleField = name.isField ? IndexSuggestion.singleFieldIndex(definition) : nil
        guard !name.isField || singleField != nil else { throw .damaged("an exemption has exactly one field") }
        self.init(
            database: name.database, definition: definition, singleField: singleField, indexID: name.indexID)
    }

    private static func scope(_ value: UInt64) throws(ConsoleLinkError) -> QueryScope {
        switch value {
        case 1: return .collection
        case 2: return .collectionGroup
        default: throw .damaged("its query scope \(value) is neither COLLECTION nor COLLECTION_GROUP")
        }
    }

    private static func field(_ bytes: [UInt8]) throws(ConsoleLinkError) -> IndexField {
        var reader = ProtobufReader(bytes)
        var path: FieldPath?
        var mode: IndexFieldMode?
        while let (number, content) = try reader.next() {
            switch (number, content) {
            case (1, .bytes(let bytes)): path = try fieldPath(try text(bytes))
            case (2, .varint(1)): mode = .order(.ascending)
            case (2, .varint(2)): mode = .order(.descending)
            case (3, .varint(1)): mode = .contains
            case (4, .bytes(let bytes)): mode = .vector(dimension: try dimension(bytes))
            case (2, _), (3, _): throw .damaged("a field is neither ASCENDING nor DESCENDING nor CONTAINS")
            default: continue
            }
        }
        guard let path else { throw .damaged("a field has no path") }
        guard let mode else { throw .damaged("the field \(path) has neither an order nor CONTAINS nor a vector") }
        return IndexField(path, mode)
    }

    private static func dimension(_ bytes: [UInt8]) throws(ConsoleLinkError) -> Int {
        var reader = ProtobufReader(bytes)
        while let (number, content) = try reader.next() {
            if number == 1, case .varint(let value) = content, (1...2_048).contains(value) { return Int(value) }
        }
        throw .damaged("a vector field has no dimension between 1 and 2048")
    }

    private static func fieldPath(_ text: String) throws(ConsoleLinkError) -> FieldPath {
        do throws(FieldPathError) {
            return try FieldPath(wire: text)
        } catch {
            throw .damaged(error.message)
        }
    }
}

/// `projects/P/databases/D/collectionGroups/C/indexes/_` or `…/fields/F` (E-10).
private struct ResourceName {
    let database: DatabaseID
    let collectionGroup: Text
    let isField: Bool
    let indexID: String

    init(_ text: String) throws(ConsoleLinkError) {
        let parts = text.split(separator: "/", maxSplits: 7, omittingEmptySubsequences: false).map(String.init)
        let isField = parts.count == 8 && parts[6] == "fields"
        guard parts.count == 8, parts[0] == "projects", parts[2] == "databases", parts[4] == "collectionGroups",
            isField || parts[6] == "indexes", ![parts[1], parts[3], parts[5], parts[7]].contains("")
        else {
            throw .damaged("\"\(text)\" is not the name of an index")
        }
        database = DatabaseID(project: Text(parts[1]), database: Text(parts[3]))
        collectionGroup = Text(parts[5])
        self.isField = isField
        indexID = isField ? "_" : parts[7]
    }
}

private func text(_ bytes: [UInt8]) throws(ConsoleLinkError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged("a name is not UTF-8") }
    return text
}

extension String {
    /// The first occurrence of an ASCII text.
    fileprivate func utf8Range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
