// SPDX-License-Identifier: Apache-2.0

/// Members of objects to which files assign, so that they are no constants.
struct AssignedMembers: Sendable {
    /// With their owners, as in `Config.path = path`.
    private var members: Set<String> = []
    /// Objects of which any member may have another value, as by `NAMES[key] = path`.
    private var owners: Set<String> = []

    /// No name that people write is longer.
    private static let maximumLength = 200

    mutating func insert(_ chain: [String]) {
        if let name = AssignedMembers.name(chain) { members.insert(name) }
    }

    mutating func insert(owner chain: [String]) {
        if let name = AssignedMembers.name(chain) { owners.insert(name) }
    }

    private static func name(_ chain: [String]) -> String? {
        let name = chain.joined(separator: ".")
        return name.utf8.count <= maximumLength ? name : nil
    }

    mutating func formUnion(_ other: AssignedMembers) {
        members.formUnion(other.members)
        owners.formUnion(other.owners)
    }

    /// Those that stand for themselves, without what belongs to a name that is left out.
    func without(_ hidden: Set<String>) -> AssignedMembers {
        func isOpen(_ name: String) -> Bool { !hidden.contains(String(name.prefix { $0 != "." })) }
        var result = self
        result.members = members.filter(isOpen)
        result.owners = owners.filter(isOpen)
        return result
    }

    /// The same by other names.
    func renamed(_ names: ([String]) -> [[String]]) -> AssignedMembers {
        var result = AssignedMembers()
        for name in members {
            for other in names(name.split(separator: ".").map { String($0) }) { result.insert(other) }
        }
        for name in owners {
            for other in names(name.split(separator: ".").map { String($0) }) { result.insert(owner: other) }
        }
        return result
    }

    /// Whether a name such as `Config.path`, or one around it, is among them.
    func contains(_ name: String) -> Bool {
        if members.contains(name) { return true }
        guard !owners.isEmpty, name.utf8.count <= AssignedMembers.maximumLength else { return false }
        return name.indices.contains { name[$0] == "." && owners.contains(String(name[..<$0])) }
    }
}
