// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension WriteJSON {
    private static let transforms = [
        "setToServerValue", "increment", "maximum", "minimum", "appendMissingElements", "removeAllFromArray",
    ]

    static func readTransforms(_ nodes: [JSONNode], _ names: DocumentNames) throws(DocumentFormError)
        -> [FieldTransform]
    {
        var list: [FieldTransform] = []
        for node in nodes { list.append(try readTransform(node, names)) }
        return list
    }

    private static func readTransform(
        _ node: JSONNode, _ names: DocumentNames
    ) throws(DocumentFormError) -> FieldTransform {
        let members = try MessageMembers(node, ["fieldPath"] + transforms)
        let path = try readPath(members["fieldPath"])
        let number = "A transform has exactly one of \(transforms.joined(separator: ", "))."
        guard let operation = try members.choice(transforms, { _ in number }) else {
            throw DocumentFormError(number, offset: node.offset)
        }
        return FieldTransform(path, try readOperation(operation, names))
    }

    private static func readOperation(
        _ member: JSONMember, _ names: DocumentNames
    ) throws(DocumentFormError) -> FieldTransform.Operation {
        switch member.key {
        case "setToServerValue":
            guard member.node.string == "REQUEST_TIME" || member.node.number?.wholeNumber == 1 else {
                throw DocumentFormError("setToServerValue takes \"REQUEST_TIME\".", offset: member.node.offset)
            }
            return .serverTimestamp
        case "increment": return .increment(try ValueJSON.read(member.node, names))
        case "maximum": return .maximum(try ValueJSON.read(member.node, names))
        case "minimum": return .minimum(try ValueJSON.read(member.node, names))
        default:
            let values = try ValueJSON.elements(member, names)
            return member.key == "appendMissingElements" ? .appendMissingElements(values) : .removeAllFromArray(values)
        }
    }
}
