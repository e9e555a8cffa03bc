// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The members of an object that is a message of the protocol: names are in camel or in snake case, and null is the same as
/// no member.
struct MessageMembers {
    /// With names in camel case.
    private let members: [JSONMember]

    /// - Parameter known: the names of all members, in camel case. Others are refused.
    init(_ node: JSONNode, _ known: [String]) throws(DocumentFormError) {
        guard var members = node.members else {
            throw DocumentFormError("Expected an object, not \(node.kind).", offset: node.offset)
        }
        for index in members.indices where !known.contains(members[index].key) {
            let member = members[index]
            guard let name = known.first(where: { member.key.spells($0) }) else {
                throw DocumentFormError(
                    "Unknown key \"\(member.key)\"; known are \(known.joined(separator: ", ")).",
                    offset: member.keyOffset)
            }
            members[index].key = name
            // Both spellings are one member.
            try ValueJSON.checkUnique(members)
        }
        self.members = members
    }

    /// Nil if the member is missing or null.
    subscript(name: String) -> JSONNode? {
        guard let node = members.last(where: { $0.key == name })?.node, !node.isNull else { return nil }
        return node
    }

    /// The elements of a list; none if it is not set.
    func list(_ name: String) throws(DocumentFormError) -> [JSONNode] {
        guard let node = self[name] else { return [] }
        guard let elements = node.elements else {
            throw DocumentFormError("The \"\(name)\" are an array, not \(node.kind).", offset: node.offset)
        }
        return elements
    }

    /// The one of alternatives that is set; nil if none is.
    ///
    /// As in the emulator, null may precede the one that is set and not follow it.
    ///
    /// - Parameter conflict: the error's text for a second one.
    func choice(_ names: [String], _ conflict: (_ second: String) -> String) throws(DocumentFormError) -> JSONMember? {
        let given = members.filter { names.contains($0.key) }
        guard let first = given.firstIndex(where: { !$0.node.isNull }) else { return nil }
        if first + 1 < given.count {
            throw DocumentFormError(conflict(given[first + 1].key), offset: given[first + 1].keyOffset)
        }
        return given[first]
    }
}
