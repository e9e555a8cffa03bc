// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// A write of a test case.
struct RuleCaseWrite {
    let path: ResourcePath
    let operation: Write.Operation
    /// The precondition on existence.
    let exists: Bool?

    /// The writes of a request: those of a commit, or one that the method names.
    static func all(_ request: JSONNode, _ method: String) throws(DocumentFormError) -> [RuleCaseWrite] {
        guard ["commit", "transaction", "batchwrite"].contains(method) else {
            var path = request["path"]?.string ?? ""
            if method == "createDocument" { path += "/" + (request["documentId"]?.string ?? "") }
            return [try RuleCaseWrite(method, path, request)]
        }
        var writes: [RuleCaseWrite] = []
        for write in request["writes"]?.elements ?? [] {
            let kinds = ["set", "merge", "update", "create", "delete", "verify"]
            guard let member = write.members?.first(where: { kinds.contains($0.key) }) else {
                throw DocumentFormError("a write of the request is none of \(kinds.joined(separator: ", "))")
            }
            writes.append(try RuleCaseWrite(member.key, member.node.string ?? "", write))
        }
        return writes
    }

    private init(_ method: String, _ path: String, _ node: JSONNode) throws(DocumentFormError) {
        let prefix = "\(RuleCase.database.resourceName)/documents/"
        self.path = try RuleCasePath.read(path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path)
        var exists = (node["precondition"] ?? node["currentDocument"])?["exists"]?.boolean
        if node["precondition"]?["updateTime"] != nil { exists = true }
        switch method {
        case "delete", "deleteDocument": operation = .delete
        case "verify": operation = .verify
        default:
            let fields = try node["data"].map { node throws(DocumentFormError) in
                try ValueJSON.readFields(node, database: RuleCase.database)
            }
            operation = .update(
                fields ?? .empty, mask: try RuleCaseWrite.mask(method, node, fields ?? .empty),
                transforms: try RuleCaseWrite.transforms(node["transforms"]))
            if method == "update" { exists = true }
            if method == "create" || method == "createDocument" { exists = false }
        }
        self.exists = exists
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
