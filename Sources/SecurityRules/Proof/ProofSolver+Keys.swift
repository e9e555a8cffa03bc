// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// The keys of maps, and of what differs between two.
extension ProofSolver {
    /// The map whose keys an expression gives.
    func keysOwner(_ site: Site) -> Site? {
        let site = conditions.resolved(site)
        guard case .method(let receiver, let name, _) = conditions.kind(site) else { return nil }
        let inner = conditions.sibling(receiver, of: site)
        switch name {
        case "keys": return inner
        case "toSet", "removeAll", "difference": return keysOwner(inner)
        default: return nil
        }
    }

    mutating func makeKeys(_ wanted: Bool, _ owner: Site, _ name: String, _ names: [Text]) {
        guard case .map(var fields)? = value(owner) ?? .map(.empty) else { return }
        switch (name, wanted) {
        case ("hasAll", true): for name in names where fields[name] == nil { fields[name] = any() }
        case ("hasAny", true): if let name = names.first, fields[name] == nil { fields[name] = any() }
        case ("hasOnly", true):
            for field in fields where !names.contains(field.name) { fields[field.name] = nil }
        case ("hasOnly", false): fields["proof"] = .integer(1)
        default: for name in names { fields[name] = nil }
        }
        _ = assign(owner, .map(fields))
    }

    /// Both maps whose difference an expression looks at.
    func diff(_ site: Site) -> (new: Site, old: Site)? {
        let site = conditions.resolved(site)
        guard case .method(let receiver, let name, let arguments) = conditions.kind(site) else { return nil }
        let inner = conditions.sibling(receiver, of: site)
        if name == "diff", let argument = arguments.first { return (inner, conditions.sibling(argument, of: site)) }
        return name.hasSuffix("Keys") || name == "toSet" || name == "difference" ? diff(inner) : nil
    }

    mutating func makeDiff(_ wanted: Bool, _ maps: (new: Site, old: Site), _ name: String, _ names: [Text]) {
        guard case .map(let old)? = value(maps.old) ?? .map(.empty),
            case .map(let new)? = value(maps.new) ?? .map(.empty)
        else { return }
        var result = old
        switch (name, wanted) {
        case ("hasOnly", true): for name in names where new[name] != nil { result[name] = new[name] }
        case ("hasOnly", false):
            result = new
            result["proof"] = .string("changed")
        case (_, false):
            result = new
            for field in names { result[field] = old[field] }
        default:
            result = new
            for field in name == "hasAll" ? names[...] : names.prefix(1) { result[field] = .string("changed") }
        }
        _ = assign(maps.new, .map(result))
    }
}
