// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// Reads the writes of a test case.
enum RuleCaseWrite {
    /// The writes of a request: those of a commit, or one that the method names.
    static func all(_ request: JSONNode, _ method: String) throws(DocumentFormError) -> [Write] {
        guard ["commit", "transaction", "batchwrite"].contains(method) else {
            var path = request["path"]?.string ?? ""
            if method == "createDocument" { path += "/" + (request["documentId"]?.string ?? "") }
            return [try write(method, path, request, 0)]
        }
        var writes: [Write] = []
        for (index, node) in (request["writes"]?.elements ?? []).enumerated() {
            let kinds = ["set", "merge", "update", "create", "delete", "verify"]
            guard let member = node.members?.first(where: { kinds.contains($0.key) }) else {
                throw DocumentFormError("a write of the request is none of \(kinds.joined(separator: ", "))")
            }
            writes.append(try write(member.key, member.node.string ?? "", node, index))
        }
        return writes
    }

    private static func write(
        _ method: String, _ path: String, _ node: JSONNode, _ index: Int
    ) throws(DocumentFormError) -> Write {
        Write(
            try document(path), try operation(method, node), precondition: try precondition(method, node, index))
    }

    private static func document(_ text: String) throws(DocumentFormError) -> DocumentPath {
        let prefix = "\(RuleCase.database.resourceName)/documents/"
        let path = try RuleCasePath.read(text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text)
        guard path.count > 0, path.count % 2 == 0 else {
            throw DocumentFormError("a write of the request has the path \"\(text)\", which is no document's")
        }
        return DocumentPath(path)
    }

    private static func precondition(
        _ method: String, _ node: JSONNode, _ index: Int
    ) throws(DocumentFormError) -> Precondition? {
        if method == "create" || method == "createDocument" { return .exists(false) }
        let stated = try WriteJSON.readPrecondition(node["precondition"] ?? node["currentDocument"], index)
        guard method == "update" else { return stated }
        if case .updateTime? = stated { return stated }
        return .exists(true)
    }

    private static func operation(_ method: String, _ node: JSONNode) throws(DocumentFormError) -> Write.Operation {
        switch method {
        case "delete", "deleteDocument": return .delete
        case "verify": return .verify
        default:
            let fields = try node["data"].map { node throws(DocumentFormError) in
                try ValueJSON.readFields(node, database: RuleCase.database)
            }
            return .update(
                fields ?? .empty, mask: try mask(method, node, fields ?? .empty),
                transforms: try transforms(node["transforms"]))
        }
    }

    /// An update changes the fields that it names, a merge their leaves; nil replaces the document.
    private static func mask(
        _ method: String, _ node: JSONNode, _ fields: Fields
    ) throws(DocumentFormError) -> [FieldPath]? {
        if let paths = node["mask"]?.elements {
            var mask: [FieldPath] = []
            for path in paths { mask.append(try self.path(path)) }
            return mask
        }
        switch method {
        case "update": return fields.map { FieldPath(name: $0.name) }
        case "merge": return leaves(fields, [])
        default: return nil
        }
    }

    private static func leaves(_ fields: Fields, _ prefix: [Text]) -> [FieldPath] {
        fields.flatMap { field in
            if case .map(let inner) = field.value, !inner.isEmpty { return leaves(inner, prefix + [field.name]) }
            return [FieldPath(prefix + [field.name])]
        }
    }

    private static func path(_ node: JSONNode?) throws(DocumentFormError) -> FieldPath {
        do throws(FieldPathError) { return try FieldPath(wire: node?.string ?? "") } catch {
            throw DocumentFormError(error.message, offset: node?.offset)
        }
    }

    private static func transforms(_ node: JSONNode?) throws(DocumentFormError) -> [FieldTransform] {
        var transforms: [FieldTransform] = []
        for element in node?.elements ?? [] {
            let path = try path(element["fieldPath"])
            for member in element.members ?? [] where member.key != "fieldPath" {
                transforms.append(FieldTransform(path, try operation(member)))
            }
        }
        return transforms
    }

    private static func operation(_ member: JSONMember) throws(DocumentFormError) -> FieldTransform.Operation {
        switch member.key {
        case "setToServerValue": return .serverTimestamp
        case "increment": return .increment(try ValueJSON.read(member.node, database: RuleCase.database))
        case "maximum": return .maximum(try ValueJSON.read(member.node, database: RuleCase.database))
        case "minimum": return .minimum(try ValueJSON.read(member.node, database: RuleCase.database))
        default:
            var values: [Value] = []
            for element in member.node["values"]?.elements ?? [] {
                values.append(try ValueJSON.read(element, database: RuleCase.database))
            }
            return member.key == "appendMissingElements" ? .appendMissingElements(values) : .removeAllFromArray(values)
        }
    }
}
