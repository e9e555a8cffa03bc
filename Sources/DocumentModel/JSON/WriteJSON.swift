// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Reads writes in the JSON form of Firestore's REST API, such as
/// `{"update":{"name":…,"fields":{…}},"updateMask":{"fieldPaths":[…]}}`.
package enum WriteJSON {
    /// Reads the writes of one commit.
    package static func read(_ node: JSONNode, _ names: DocumentNames) throws(DocumentFormError) -> [Write] {
        guard let elements = node.elements else {
            throw DocumentFormError("\"writes\" is an array, not \(node.kind).", offset: node.offset)
        }
        var writes: [Write] = []
        for (index, element) in elements.enumerated() {
            writes.append(try readWrite(element, index, names))
        }
        return writes
    }

    private static let operations = ["update", "delete", "verify", "transform"]

    private static func readWrite(
        _ node: JSONNode, _ index: Int, _ names: DocumentNames
    ) throws(DocumentFormError) -> Write {
        try checkKeys(node, operations + ["updateMask", "updateTransforms", "currentDocument"])
        let given = (node.members ?? []).filter { operations.contains($0.key) }
        guard let operation = given.first else { throw DocumentFormError("empty write operation", offset: node.offset) }
        if given.count > 1 {
            throw DocumentFormError(
                "Invalid value at 'writes[\(index)]' (oneof), oneof field 'operation' is already set. "
                    + "Cannot set '\(given[1].key)'", offset: given[1].keyOffset)
        }
        var write: Write
        switch operation.key {
        case "update": write = try readUpdate(operation.node, node, names)
        case "transform":
            try checkKeys(operation.node, ["document", "fieldTransforms"])
            let transforms = try readTransforms(operation.node["fieldTransforms"], names)
            let path = try readName(operation.node["document"], operation.node.offset, names)
            write = Write(path, .update(.empty, mask: [], transforms: transforms))
        default:
            let path = try readName(operation.node, operation.node.offset, names)
            if operation.key == "delete", let mask = node["updateMask"] {
                throw DocumentFormError("a delete must not specify a document mask.", offset: mask.offset)
            }
            if operation.key == "delete", let transforms = node["updateTransforms"] {
                throw DocumentFormError("a delete must not specify a update transform.", offset: transforms.offset)
            }
            write = Write(path, operation.key == "delete" ? .delete : .verify)
        }
        write.precondition = try readPrecondition(node["currentDocument"], index)
        return write
    }

    private static func readUpdate(
        _ update: JSONNode, _ node: JSONNode, _ names: DocumentNames
    ) throws(DocumentFormError) -> Write {
        try checkKeys(update, ["name", "fields", "createTime", "updateTime"])
        let path = try readName(update["name"], update.offset, names)
        var fields = Fields.empty
        if let content = update["fields"] { fields = try ValueJSON.readFields(content, names) }
        let mask = try readMask(node["updateMask"])
        let transforms = try readTransforms(node["updateTransforms"], names)
        return Write(path, .update(fields, mask: mask, transforms: transforms))
    }

    private static func readName(
        _ node: JSONNode?, _ offset: Int, _ names: DocumentNames
    ) throws(DocumentFormError) -> DocumentPath {
        guard let node, let text = node.string else {
            throw DocumentFormError("A write needs the name of its document.", offset: node?.offset ?? offset)
        }
        do throws(DocumentFormError) {
            return try names.document(text)
        } catch {
            throw DocumentFormError(error.message, offset: node.offset)
        }
    }

    private static func readMask(_ node: JSONNode?) throws(DocumentFormError) -> [FieldPath]? {
        guard let node else { return nil }
        try checkKeys(node, ["fieldPaths"])
        guard let list = node["fieldPaths"], !list.isNull else { return [] }
        // Taken for an empty mask, it would change nothing without a word.
        guard let elements = list.elements else {
            throw DocumentFormError("The \"fieldPaths\" of a mask are an array, not \(list.kind).", offset: list.offset)
        }
        var paths: [FieldPath] = []
        for element in elements { paths.append(try readPath(element)) }
        return paths
    }

    static func readPath(_ node: JSONNode?) throws(DocumentFormError) -> FieldPath {
        guard let node, let text = node.string else {
            throw DocumentFormError("A field path is text.", offset: node?.offset)
        }
        do { return try FieldPath(wire: text) } catch { throw DocumentFormError(error.message, offset: node.offset) }
    }

    private static func readPrecondition(_ node: JSONNode?, _ index: Int) throws(DocumentFormError) -> Precondition? {
        guard let node else { return nil }
        try checkKeys(node, ["exists", "updateTime"])
        if let exists = node["exists"], let time = node["updateTime"] {
            let second = exists.offset < time.offset ? "updateTime" : "exists"
            throw DocumentFormError(
                "Invalid value at 'writes[\(index)].current_document' (oneof), oneof field 'condition_type' is already "
                    + "set. Cannot set '\(second)'", offset: node.offset)
        }
        if let exists = node["exists"]?.boolean { return .exists(exists) }
        guard let text = node["updateTime"]?.string, let time = Timestamp(rfc3339: text) else {
            throw DocumentFormError("\"currentDocument\" has \"exists\" or \"updateTime\".", offset: node.offset)
        }
        return .updateTime(time)
    }

    static func checkKeys(_ node: JSONNode, _ known: [String]) throws(DocumentFormError) {
        guard let members = node.members else {
            throw DocumentFormError("Expected an object, not \(node.kind).", offset: node.offset)
        }
        guard let unknown = members.first(where: { !known.contains($0.key) }) else { return }
        throw DocumentFormError(
            "Unknown key \"\(unknown.key)\"; known are \(known.joined(separator: ", ")).", offset: unknown.keyOffset)
    }
}
