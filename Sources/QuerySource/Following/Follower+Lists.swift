// SPDX-License-Identifier: Apache-2.0

/// Methods of lists that are known. Their elements may be parts of queries.
extension Follower {
    /// What a method gives, and what it makes of the list in a variable; nil if it is none of a list, or tells nothing.
    mutating func methodOfList(
        _ items: [(first: Known?, given: GivenArguments, facts: Facts)], _ isCut: Bool, _ object: Expression,
        _ call: Call?, _ name: String, _ arguments: [Argument]
    ) -> Alternatives? {
        guard case .list? = items.first?.first, call == nil || call == .append else { return nil }
        if name == "filter" {
            guard arguments.first?.value.keepsWhatIsSet == true,
                items.contains(where: { $0.first?.parts.isEmpty == false })
            else { return nil }
            return Alternatives(
                items.map { Alternative(value: ($0.first ?? .null).withoutMissing, facts: $0.facts) }, isCut: isCut)
        }
        let change = ListChange(call, name)
        let hasParts = items.contains { $0.given.all.contains { !$0.value.parts.isEmpty } }
        guard hasParts || !change.needsParts else { return nil }
        // They may run where nobody follows them, as in `queries.map(q => q.get())`.
        for given in items.flatMap(\.given.all) { sites.noteUnused(given.value, function, at: object.offset) }
        let result = Alternatives(
            items.map { Alternative(value: change.applied(to: $0.first ?? .null, $0.given), facts: $0.facts) },
            isCut: isCut)
        guard name != "concat" else { return result }
        switch object.kind {
        case .name(let name): assign(name, result)
        case .member(_, let name): assignField(name, result)
        default: break
        }
        return change.needsParts ? result : .unknown("a count")
    }
}

/// What a method does to a list.
private enum ListChange {
    case append
    case prepend
    /// Appends the elements of other lists.
    case join
    /// Puts elements at a place, for others there.
    case splice
    case other(String)

    init(_ call: Call?, _ name: String) {
        switch name {
        case "unshift": self = .prepend
        case "splice": self = .splice
        case "addAll", "extend", "AddRange": self = .join
        default: self = call == .append ? .append : .other(name)
        }
    }

    /// Whether it tells something only where it gets parts of queries: it may as well read a list.
    var needsParts: Bool {
        switch self {
        case .splice, .other: true
        case .append, .prepend, .join: false
        }
    }

    func applied(to list: Known, _ given: GivenArguments) -> Known {
        guard case .list(let elements, let isOpen) = list else { return list }
        let added = given.positional
        switch self {
        case .join,
            .append where given["contentsOf"] != nil:
            return given.all.map(\.value).reduce(list) { $0.appending(elementsOf: $1) }
        case .append: return .bounded(elements + added, isOpen: isOpen || given.isOpen)
        case .prepend: return .bounded(added + elements, isOpen: isOpen || given.isOpen)
        case .splice:
            guard added.count > 2, case .number(let start) = added[0], case .number("0") = added[1],
                let index = Int(start), (0...elements.count).contains(index)
            else { return ListChange.unknown("splice", elements + added.dropFirst(2), isOpen) }
            let all = Array(elements[..<index] + added[2...] + elements[index...])
            return .bounded(all, isOpen: isOpen || given.isOpen)
        case .other(let name): return ListChange.unknown(name, elements + given.all.map(\.value), isOpen)
        }
    }

    /// A list whose parts, and what else it gets, are followed no further.
    private static func unknown(_ name: String, _ elements: [Known], _ isOpen: Bool) -> Known {
        let made = Known.unknown(Unknown(what: "what '\(name)' makes of a list"))
        return .bounded(elements.filter { !$0.parts.isEmpty } + [made], isOpen: isOpen)
    }
}

extension Known {
    /// A list without elements that are false.
    fileprivate var withoutMissing: Known {
        guard case .list(let elements, let isOpen) = self else { return self }
        let kept = elements.filter { element in
            switch element {
            case .null, .flag(false): false
            default: true
            }
        }
        return .list(kept, isOpen: isOpen)
    }
}

extension Expression {
    /// Whether it is a function for a filter that keeps all that is not false: `Boolean`, or `x => x`.
    fileprivate var keepsWhatIsSet: Bool {
        switch kind {
        case .name(let name): return name == "Boolean"
        case .function(let function):
            guard function.body.count == 1, case .exit(let value?, _) = function.body[0],
                case .name(let name) = value.kind
            else { return false }
            return name == function.parameters.first?.name
        default: return false
        }
    }
}
