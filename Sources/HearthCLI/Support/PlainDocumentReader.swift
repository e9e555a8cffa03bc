// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// Makes documents of one collection from ordinary JSON objects.
struct PlainDocumentReader {
    private let collection: CollectionPath
    private let idField: String?

    init(_ collection: CollectionPath, idField: String?) {
        self.collection = collection
        self.idField = idField
    }

    func read(_ node: JSONNode) throws(DocumentFormError) -> (path: DocumentPath, fields: Fields) {
        let fields = try PlainJSON.readFields(node)
        guard let idField else { return (collection.document(PlainDocumentReader.makeID()), fields) }
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

    /// Twenty letters and digits, as the client libraries make IDs.
    private static func makeID() -> Text {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var generator = SystemRandomNumberGenerator()
        let id = (0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        return Text(String(decoding: id, as: UTF8.self))
    }
}
