// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The lossless JSON form of documents, one line of NDJSON each.
package enum DocumentJSON {
    /// Reads the lossless form, `{"name":"cities/SF","fields":{…}}`. `createTime` and `updateTime` are allowed and
    /// ignored.
    ///
    /// A full name must belong to `database`.
    package static func read(
        _ node: JSONNode, database: DatabaseID
    ) throws(DocumentFormError) -> (path: DocumentPath, fields: Fields) {
        guard case .object(let members) = node.value else {
            throw DocumentFormError(
                "A document is an object with \"name\" and \"fields\", not \(node.kind).", offset: node.offset)
        }
        var path: DocumentPath?
        var fields = Fields.empty
        for member in members {
            switch member.key {
            case "name": path = try readName(member.node, database: database)
            case "fields" where member.node.isNull: break
            case "fields": fields = try ValueJSON.readFields(member.node, database: database)
            case "createTime", "updateTime", "create_time", "update_time": break
            default:
                throw DocumentFormError(
                    "Unknown key \"\(member.key)\" in a document; \"name\" and \"fields\" are known. For plain objects give "
                        + "the collection.", offset: member.keyOffset)
            }
        }
        try ValueJSON.checkUnique(members)
        guard let path else { throw DocumentFormError("A document has a \"name\".", offset: node.offset) }
        return (path, fields)
    }

    private static func readName(_ node: JSONNode, database: DatabaseID) throws(DocumentFormError) -> DocumentPath {
        guard let text = node.string else {
            throw DocumentFormError("The \"name\" of a document is text, not \(node.kind).", offset: node.offset)
        }
        do throws(DocumentFormError) {
            return try DocumentPath(parsing: text, in: database)
        } catch {
            throw DocumentFormError(error.message, offset: node.offset)
        }
    }
}

/// Reads plain JSON objects as documents. A number without fraction and exponent that fits becomes an integer, any
/// other a double.
package enum PlainJSON {
    package static func readFields(_ node: JSONNode) throws(DocumentFormError) -> Fields {
        guard case .object(let members) = node.value else {
            throw DocumentFormError("A document is an object, not \(node.kind).", offset: node.offset)
        }
        var fields: [Field] = []
        fields.reserveCapacity(members.count)
        for member in members { fields.append(Field(Text(member.key), try read(member.node))) }
        return try ValueJSON.unique(fields, members)
    }

    package static func read(_ node: JSONNode) throws(DocumentFormError) -> Value {
        switch node.value {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .string(let text): return .string(Text(text))
        case .number(let number):
            if let integer = number.int64 { return .integer(integer) }
            guard number.double.isFinite else {
                throw DocumentFormError("The number \(number.text) is out of range.", offset: node.offset)
            }
            return .double(number.double)
        case .array(let nodes):
            var elements: [Value] = []
            elements.reserveCapacity(nodes.count)
            for element in nodes { elements.append(try read(element)) }
            return .array(elements)
        case .object: return .map(try readFields(node))
        }
    }
}
