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
        let members = try MessageMembers(node, operations + ["updateMask", "updateTransforms", "currentDocument"])
        let operation = try members.choice(operations) {
            "Invalid value at 'writes[\(index)]' (oneof), oneof field 'operation' is already set. Cannot set '\($0)'"
        }
        guard let operation else { throw DocumentFormError("empty write operation", offset: node.offset) }
        var write: Write
        switch operation.key {
        case "update": write = try readUpdate(operation.node, members, names)
        case "transform":
            let transform = try MessageMembers(operation.node, ["document", "fieldTransforms"])
            let transforms = try readTransforms(transform.list("fieldTransforms"), names)
            let path = try readName(transform["document"], operation.node.offset, names)
            write = Write(path, .update(.empty, mask: [], transforms: transforms))
        default:
            let path = try readName(operation.node, operation.node.offset, names)
            if operation.key == "delete", let mask = members["updateMask"] {
                throw DocumentFormError("a delete must not specify a document mask.", offset: mask.offset)
            }
            if operation.key == "delete", let transform = try members.list("updateTransforms").first {
                throw DocumentFormError("a delete must not specify a update transform.", offset: transform.offset)
            }
            write = Write(path, operation.key == "delete" ? .delete : .verify)
        }
        write.precondition = try readPrecondition(members["currentDocument"], index)
        return write
    }

    private static func readUpdate(
        _ node: JSONNode, _ write: MessageMembers, _ names: DocumentNames
    ) throws(DocumentFormError) -> Write {
        let update = try MessageMembers(node, ["name", "fields", "createTime", "updateTime"])
        let path = try readName(update["name"], node.offset, names)
        var fields = Fields.empty
        if let content = update["fields"] { fields = try ValueJSON.readFields(content, names) }
        let mask = try readMask(write["updateMask"])
        let transforms = try readTransforms(write.list("updateTransforms"), names)
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
        var paths: [FieldPath] = []
        for element in try MessageMembers(node, ["fieldPaths"]).list("fieldPaths") {
            paths.append(try readPath(element))
        }
        return paths
    }

    static func readPath(_ node: JSONNode?) throws(DocumentFormError) -> FieldPath {
        guard let node, let text = node.string else {
            throw DocumentFormError("A field path is text.", offset: node?.offset)
        }
        do { return try FieldPath(wire: text) } catch { throw DocumentFormError(error.message, offset: node.offset) }
    }

    /// Nil for an object without a condition, too.
    /// - Parameter index: the write's place among those of the request.
    package static func readPrecondition(_ node: JSONNode?, _ index: Int) throws(DocumentFormError) -> Precondition? {
        guard let node else { return nil }
        let names = ["exists", "updateTime"]
        let condition = try MessageMembers(node, names).choice(names) {
            "Invalid value at 'writes[\(index)].current_document' (oneof), oneof field 'condition_type' is already set. "
                + "Cannot set '\($0)'"
        }
        guard let condition else { return nil }
        if condition.key == "exists", let exists = condition.node.boolean { return .exists(exists) }
        if condition.key == "updateTime", let time = condition.node.string.flatMap({ Timestamp(rfc3339: $0) }) {
            return .updateTime(time)
        }
        throw DocumentFormError(
            "\"currentDocument\" has \"exists\", which is true or false, or \"updateTime\", a time such as "
                + "\"2024-01-01T00:00:00Z\".", offset: condition.node.offset)
    }
}
