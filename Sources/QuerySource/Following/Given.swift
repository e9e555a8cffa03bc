// SPDX-License-Identifier: Apache-2.0

/// An argument of a call with its value.
struct Given {
    let label: String?
    let value: Known
    /// Whether any number of further arguments may be meant.
    var isOpen = false
}

/// Arguments of a call: one of their combinations.
struct GivenArguments {
    var all: [Given] = []

    var positional: [Known] { all.filter { $0.label == nil }.map(\.value) }
    var isOpen: Bool { all.contains(where: \.isOpen) }

    subscript(labels: String...) -> Known? {
        all.first { given in given.label.map(labels.contains) ?? false }?.value
    }
}

extension Follower {
    /// Each combination of the alternatives of arguments, after those of what stands before them.
    mutating func combinations(
        _ first: Alternatives?, _ arguments: [Argument]
    ) -> (items: [(first: Known?, given: GivenArguments, facts: Facts)], isCut: Bool) {
        var items: [(first: Known?, given: GivenArguments, facts: Facts)] =
            first.map { $0.items.map { ($0.value, GivenArguments(), $0.facts) } } ?? [(nil, GivenArguments(), [:])]
        var isCut = first?.isCut ?? false
        for argument in arguments {
            let value = follow(argument.value)
            isCut = isCut || value.isCut
            var next: [(first: Known?, given: GivenArguments, facts: Facts)] = []
            for item in items {
                for alternative in value.items {
                    guard let facts = item.facts.merged(with: alternative.facts) else { continue }
                    var given = item.given
                    given.add(argument, alternative.value)
                    next.append((item.first, given, facts))
                }
            }
            if next.count > Alternatives.maximum {
                next.removeLast(next.count - Alternatives.maximum)
                isCut = true
            }
            items = next
        }
        return (items, isCut)
    }
}

extension GivenArguments {
    fileprivate mutating func add(_ argument: Argument, _ value: Known) {
        guard argument.isSpread else { return all.append(Given(label: argument.label, value: value)) }
        guard case .list(let elements, let isOpen) = value else {
            return all.append(Given(label: nil, value: value, isOpen: true))
        }
        all += elements.map { Given(label: nil, value: $0) }
        if isOpen {
            all.append(Given(label: nil, value: .unknown(Unknown(what: "a list of unknown length")), isOpen: true))
        }
    }
}
