// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Reads plain JSON objects as documents of one collection.
package struct PlainDocumentReader: Sendable {
    private let collection: CollectionPath
    private let idField: String?

    /// - Parameter idField: the field that holds the document's ID, a string or a whole number. Without it, IDs are
    ///   generated.
    package init(_ collection: CollectionPath, idField: String?) {
        self.collection = collection
        self.idField = idField
    }

    package func read(_ node: JSONNode) throws(DocumentFormError) -> (path: DocumentPath, fields: Fields) {
        let fields = try PlainJSON.readFields(node)
        guard let idField else { return (collection.document(Text(AutoID.make())), fields) }
        return (collection.document(try id(node, idField)), fields)
    }

    private func id(_ node: JSONNode, _ name: String) throws(DocumentFormError) -> Text {
        guard let member = node[name] else {
            throw DocumentFormError("The field \"\(name)\", which gives the ID, is missing.", offset: node.offset)
        }
        let id: String
        switch member.value {
        case .string(let text): id = text
        case .number(let number) where number.int64 != nil: id = number.text
        default:
            throw DocumentFormError(
                "An ID is text or a whole number; the field \"\(name)\" is \(member.kind).", offset: member.offset)
        }
        guard !id.isEmpty, !id.utf8.contains(UInt8(ascii: "/")) else {
            throw DocumentFormError("\"\(id)\" is no ID: an ID is not empty and has no slash.", offset: member.offset)
        }
        return Text(id)
    }
}
