// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// What lists and keys have, and what is left of them without some: `tags.removeAll(['a'])`, or `difference()` of sets.
extension ProofSolver {
    /// What is left without some. No more than what is removed is there if nothing is left.
    struct Remainder {
        let whole: Site
        let removed: [Value]
    }

    func remainder(_ site: Site) -> Remainder? {
        let site = listed(site)
        guard case .method(let receiver, let name, let arguments) = conditions.kind(site),
            name == "removeAll" || name == "difference", let argument = arguments.first,
            case .array(let removed)? = value(conditions.sibling(argument, of: site))
        else { return nil }
        return Remainder(whole: listed(conditions.sibling(receiver, of: site)), removed: removed)
    }

    /// Elements that are counted: what is left of some, all keys of a map, or those that differ.
    func counted(_ site: Site) -> Remainder? {
        if let remainder = remainder(site) { return remainder }
        return keysOwner(site) == nil && diff(site) == nil ? nil : Remainder(whole: site, removed: [])
    }

    /// The list that a set is made of.
    func listed(_ site: Site) -> Site {
        var site = conditions.resolved(site)
        while case .method(let receiver, "toSet", _) = conditions.kind(site) {
            site = conditions.resolved(conditions.sibling(receiver, of: site))
        }
        return site
    }

    /// Makes so many be left.
    mutating func resize(_ remainder: Remainder, to count: Int) -> Bool {
        let removed = ValueIndex(isStrict: true, remainder.removed.map(RuleValue.init))
        let left = elements(of: remainder.whole).filter { !removed.contains(RuleValue($0)) }
        let more = (left.count..<max(left.count, count)).map { Value.string(Text("proof\($0)")) }
        return leave(Array(left.prefix(count)) + more, of: remainder)
    }

    /// Makes these be left. What is there and removed stays there.
    mutating func leave(_ left: [Value], of remainder: Remainder) -> Bool {
        let removed = ValueIndex(isStrict: true, remainder.removed.map(RuleValue.init))
        if let owner = keysOwner(remainder.whole) {
            guard case .map(let fields)? = value(owner) ?? .map(.empty) else { return false }
            var result = Fields.empty
            for field in fields where removed.contains(.string(field.name)) { result[field.name] = field.value }
            for name in ProofSolver.names(left) where !name.string.isEmpty { result[name] = fields[name] ?? any() }
            return assign(owner, .map(result))
        }
        if let maps = diff(remainder.whole) {
            makeDiff(left.isEmpty, maps, "hasOnly", ProofSolver.names(remainder.removed))
            return true
        }
        let kept = elements(of: remainder.whole).filter { removed.contains(RuleValue($0)) }
        return assign(remainder.whole, .array(kept + left))
    }

    private func elements(of whole: Site) -> [Value] {
        if let owner = keysOwner(whole) {
            guard case .map(let fields)? = value(owner) else { return [] }
            return fields.map { .string($0.name) }
        }
        guard case .array(let elements)? = value(whole) else { return [] }
        return elements
    }

    static func names(_ values: [Value]) -> [Text] {
        values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// A field that is a list, which has all, some or only some values.
    mutating func makeList(_ wanted: Bool, _ site: Site, _ name: String, _ others: [Value]) {
        let site = listed(site)
        var list = elements(of: site)
        switch (name, wanted) {
        case ("hasOnly", false): list.append(.string("proof"))
        case (_, false):
            let index = ValueIndex(isStrict: true, others.map(RuleValue.init))
            list = list.filter { !index.contains(RuleValue($0)) }
        case (_, true):
            guard name == "hasOnly" || !others.isEmpty else { return }
            list = others
        }
        _ = assign(site, .array(list))
    }
}
