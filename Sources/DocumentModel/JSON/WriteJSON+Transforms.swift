// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension WriteJSON {
    private static let transforms = [
        "setToServerValue", "increment", "maximum", "minimum", "appendMissingElements", "removeAllFromArray",
    ]

    static func readTransforms(_ node: JSONNode?, _ names: DocumentNames) throws(DocumentFormError) -> [FieldTransform]
    {
        guard let node else { return [] }
        guard let elements = node.elements else {
            throw DocumentFormError("Transforms are an array, not \(node.kind).", offset: node.offset)
        }
        var list: [FieldTransform] = []
        for element in elements { list.append(try readTransform(element, names)) }
        return list
    }

    private static func readTransform(
        _ node: JSONNode, _ names: DocumentNames
    ) throws(DocumentFormError) -> FieldTransform {
        try checkKeys(node, ["fieldPath"] + transforms)
        let path = try readPath(node["fieldPath"])
        let given = (node.members ?? []).filter { transforms.contains($0.key) }
        guard given.count == 1 else {
            throw DocumentFormError(
                "A transform has exactly one of \(transforms.joined(separator: ", ")).", offset: node.offset)
        }
        return FieldTransform(path, try readOperation(given[0], names))
    }

    private static func readOperation(
        _ member: JSONMember, _ names: DocumentNames
    ) throws(DocumentFormError) -> FieldTransform.Operation {
        switch member.key {
        case "setToServerValue":
            guard member.node.string == "REQUEST_TIME" else {
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
