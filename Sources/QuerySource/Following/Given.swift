// SPDX-License-Identifier: Apache-2.0

/// An argument of a call with its value.
struct Given {
    let label: String?
    let value: Known
    /// Whether any number of further arguments may be meant.
    var isOpen = false
    /// Whether the call itself has it as a list.
    var isWrittenList = false
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
                let weights = next.map { item in
                    item.given.all.reduce(item.first?.weight ?? 0) { $0 + $1.value.weight }
                }
                next = Alternatives.kept(weights).map { next[$0] }
                isCut = true
            }
            items = next
        }
        return (items, isCut)
    }
}

extension GivenArguments {
    /// A list that begins empty, or is empty in one way only, is filled elsewhere, or its length is tested before: the
    /// program compares with one of unknown length. Only one that the call itself has as `[]` is empty for certain.
    var withoutEmptyLists: GivenArguments {
        GivenArguments(
            all: all.map { given in
                guard case .list(let elements, false) = given.value, elements.isEmpty, !given.isWrittenList else {
                    return given
                }
                return Given(label: given.label, value: .list([], isOpen: true))
            })
    }

    fileprivate mutating func add(_ argument: Argument, _ value: Known) {
        guard argument.isSpread else {
            let isWritten = if case .list = argument.value.kind { true } else { false }
            return all.append(Given(label: argument.label, value: value, isWrittenList: isWritten))
        }
        guard case .list(let elements, let isOpen) = value else {
            return all.append(Given(label: nil, value: value, isOpen: true))
        }
        all += elements.map { Given(label: nil, value: $0) }
        if isOpen {
            all.append(Given(label: nil, value: .unknown(Unknown(what: "a list of unknown length")), isOpen: true))
        }
    }
}
