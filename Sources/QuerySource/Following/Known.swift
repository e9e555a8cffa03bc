// SPDX-License-Identifier: Apache-2.0

/// What an expression is, as far as the file says it.
indirect enum Known {
    case query(QueryShape)
    /// A document, by the path of its collection if that is known.
    case document(String?)
    /// What is added to a query, and where it was made.
    case part(QueryPart, at: Int)
    /// A string; nil pieces are unknown.
    case text([String?])
    case number(String)
    case flag(Bool)
    case null
    case list([Known], isOpen: Bool)
    case fields([(key: String, value: Known)])
    case field(FieldReference)
    /// Whether an order is descending.
    case direction(Bool)
    case vector(Int?)
    /// A function, and how many scopes around it are its own.
    case function(Function, depth: Int, type: Int?)
    case type(Int)
    /// What a query gave when it ran.
    case result
    case unknown(Unknown)
}

extension Known {
    /// The parts of queries that it is, or that it lists.
    var parts: [QueryPart] {
        switch self {
        case .part(let part, _): [part]
        case .list(let elements, _): elements.flatMap(\.parts)
        default: []
        }
    }

    /// Where the parts were made.
    var partPlaces: [Int] {
        switch self {
        case .part(_, let place): [place]
        case .list(let elements, _): elements.flatMap(\.partPlaces)
        case .fields(let members): members.flatMap(\.value.partPlaces)
        default: []
        }
    }
}

extension [String?] {
    /// The text, if all of it is known.
    var constant: String? {
        var result = ""
        for piece in self {
            guard let piece else { return nil }
            result += piece
        }
        return result
    }

    /// The text with `?` for what is unknown.
    var pattern: String { map { $0 ?? "?" }.joined() }
}

/// One of the things that an expression can be, and under which conditions.
struct Alternative {
    var value: Known
    var facts: Facts = [:]
}

/// All that an expression can be, up to a bound.
struct Alternatives {
    var items: [Alternative]
    /// Whether there are more than are followed.
    var isCut = false

    static let maximum = 32

    init(_ items: [Alternative], isCut: Bool = false) {
        self.items = items
        self.isCut = isCut
        trim()
    }

    init(_ value: Known) { items = [Alternative(value: value)] }

    static func unknown(_ what: String, name: String? = nil) -> Alternatives {
        Alternatives(.unknown(Unknown(what: what, name: name)))
    }

    static func unset(_ name: String) -> Alternatives {
        Alternatives(.unknown(Unknown(what: "'\(name)', which this file does not set", name: name, isUnset: true)))
    }

    private mutating func trim() {
        guard items.count > Alternatives.maximum else { return }
        items = Alternatives.kept(items.map(\.value.weight)).map { items[$0] }
        isCut = true
    }

    func joined(_ other: Alternatives) -> Alternatives {
        Alternatives(items + other.items, isCut: isCut || other.isCut)
    }

    /// Each combination with an alternative of another expression, except those that contradict each other.
    func combined(with other: Alternatives, _ body: (Known, Known) -> [Known]) -> Alternatives {
        var result: [Alternative] = []
        for index in order(with: other) {
            let (first, second) = (items[index / other.items.count], other.items[index % other.items.count])
            guard let facts = first.facts.merged(with: second.facts) else { continue }
            for value in body(first.value, second.value) { result.append(Alternative(value: value, facts: facts)) }
            if result.count > Alternatives.maximum { return Alternatives(result, isCut: true) }
        }
        return Alternatives(result, isCut: isCut || other.isCut)
    }

    func mapped(_ body: (Known) -> [Known]) -> Alternatives {
        var result: [Alternative] = []
        for item in items {
            for value in body(item.value) { result.append(Alternative(value: value, facts: item.facts)) }
        }
        return Alternatives(result, isCut: isCut)
    }

    /// What is possible where facts hold; all if nothing is.
    func assuming(_ facts: Facts) -> Alternatives {
        guard !facts.isEmpty else { return self }
        var result = self
        result.items = items.compactMap { item in
            item.facts.merged(with: facts).map { Alternative(value: item.value, facts: $0) }
        }
        if result.items.isEmpty {
            result.items = items.map { Alternative(value: $0.value, facts: facts) }
        }
        return result
    }

    var values: [Known] { items.map(\.value) }
}
