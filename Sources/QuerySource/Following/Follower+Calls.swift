// SPDX-License-Identifier: Apache-2.0

extension Follower {
    mutating func followCall(_ callee: Expression, _ arguments: [Argument], _ offset: Int) -> Alternatives {
        switch callee.kind {
        case .name(let name):
            if let value = lookUp(name), let result = callDefined(value, arguments, offset) { return result }
            if let module = module(name, arguments) { return module }
            return callFree(language.functions[original(name)], name, arguments, offset)
        case .implicitMember(let name): return callFree(language.functions[name], name, arguments, offset)
        case .member(let object, let name): return callMethod(object, name, arguments, offset)
        case .function(let function):
            let values = arguments.map { follow($0.value) }
            return followClosure(function, values.first) ?? .unknown("a computed value")
        default:
            _ = follow(callee)
            return ignored(arguments, nil, offset)
        }
    }

    /// JavaScript's `require("./names")` or `import("./names")`; nil if it is none of a file of the program.
    private func module(_ name: String, _ arguments: [Argument]) -> Alternatives? {
        guard ["require", "import"].contains(name), arguments.count == 1,
            case .text(let path) = arguments[0].value.kind, let shared = hints.shared(inModule: path)
        else { return nil }
        return Alternatives(.unknown(Unknown(what: "what '\(name)' gives", shared: shared)))
    }

    /// The name that a function was imported from.
    private func original(_ name: String) -> String {
        if case .unknown(let unknown)? = lookUp(name)?.items.first?.value, let original = unknown.name {
            return original
        }
        return name
    }

    /// Calls a function of the file; nil if the value is none.
    mutating func callDefined(_ value: Alternatives, _ arguments: [Argument], _ offset: Int) -> Alternatives? {
        guard case .function? = value.items.first?.value else { return nil }
        return callDefined(value, arguments.map { (label: $0.label, value: follow($0.value)) }, offset)
    }

    mutating func callDefined(
        _ value: Alternatives, _ given: [(label: String?, value: Alternatives)], _ offset: Int
    ) -> Alternatives? {
        var result: Alternatives?
        for item in value.items {
            guard case .function(let function, let depth, let type) = item.value else { return nil }
            let called = call(function, depth: depth, type: type, given)
            let one = called ?? notFollowed(function, given.map(\.value), offset)
            result = result.map { $0.joined(one) } ?? one
        }
        return result
    }

    /// Filters that are given to something that is not known are those of a query whose collection is not known.
    mutating func noteParts(of value: Known, _ unknown: Unknown, at offset: Int) {
        var shape = QueryShape(hints.source(of: unknown, at: offset) ?? .unknown(unknown))
        for part in value.parts { shape.add(part, at: step(offset)) }
        guard shape.isConstrained, hints.isAboutFirestore || sites.hasFilter(at: value.partPlaces) else { return }
        sites.noteTaken(GivenArguments(all: [Given(label: nil, value: value)]))
        sites.noteUnused(.query(shape), function, at: offset)
    }

    // MARK: Functions of the libraries

    mutating func callFree(
        _ call: Call?, _ name: String, _ arguments: [Argument], _ offset: Int
    ) -> Alternatives {
        guard let call else {
            if language.name == "kotlin", let call = language.calls[name], call != .append {
                return callOfBlock(call, name, arguments, offset)
            }
            return ignored(arguments, name, offset)
        }
        if call == .closure {
            guard let first = arguments.last(where: { if case .function = $0.value.kind { true } else { false } }),
                case .function(let function) = first.value.kind
            else { return ignored(arguments, name, offset) }
            return followClosure(function) ?? .unknown("what '\(name)' gives")
        }
        let (items, isCut) = combinations(nil, arguments)
        var result: [Alternative] = []
        for item in items {
            for value in free(call, name, item.given, offset, isCut) {
                result.append(Alternative(value: value, facts: item.facts))
            }
        }
        return Alternatives(result, isCut: isCut)
    }

    /// A method of the object of a block, as in `with(users) { orderBy("name").get() }`.
    private mutating func callOfBlock(
        _ call: Call, _ name: String, _ arguments: [Argument], _ offset: Int
    ) -> Alternatives {
        let object = Alternatives.unknown("the object of the block around it")
        let (items, isCut) = combinations(object, arguments)
        let this = Expression(offset: offset, kind: .name("this"))
        var result: [Alternative] = []
        for item in items {
            for value in method(item.first ?? .null, call, name, item.given, this, offset, isCut) {
                result.append(Alternative(value: value, facts: item.facts))
            }
        }
        return Alternatives(result, isCut: isCut)
    }

    private mutating func free(
        _ call: Call, _ name: String, _ given: GivenArguments, _ offset: Int, _ isCut: Bool
    ) -> [Known] {
        let positional = given.positional
        switch call {
        case .collection, .collectionGroup, .document:
            let known = source(call, given, offset)
            guard case .query(var shape) = known else { return [known] }
            shape.isModular = true
            return [.query(shape)]
        case .query: return query(given, offset)
        case .run, .aggregate:
            guard let first = positional.first else { return [.result] }
            if call == .aggregate, case .query = first {
                for known in queries(first, .aggregate, name, GivenArguments(all: Array(given.all.dropFirst())), offset)
                { run(known, offset, isCut) }
            } else if call == .aggregate {
                return parts(call, name, given, offset)
            } else {
                run(first, offset, isCut)
                for value in positional.dropFirst() { noteArgument(value, offset, isCut) }
            }
            return [.result]
        case .documentID: return [.field(.documentName)]
        case .fieldPath:
            var segments = positional
            // Some libraries take a list of segments.
            if positional.count == 1, case .list(let elements, false) = positional[0] { segments = elements }
            guard !given.isOpen, let field = FieldReference(segments: segments) else {
                return [.unknown(Unknown(what: "a computed field path"))]
            }
            return [.field(field)]
        case .list: return [.bounded(positional, isOpen: given.isOpen)]
        case .vector:
            if case .list(let elements, false)? = positional.first { return [.vector(elements.count)] }
            return [.vector(nil)]
        case .append:
            guard case .list(let elements, let isOpen)? = positional.first else {
                return [.unknown(Unknown(what: "a list"))]
            }
            return [.bounded(elements + positional.dropFirst(), isOpen: isOpen || given.isOpen)]
        default: return parts(call, name, given, offset)
        }
    }

    /// What a call makes that can be added to a query.
    private mutating func parts(_ call: Call, _ name: String, _ given: GivenArguments, _ offset: Int) -> [Known] {
        sites.noteTaken(given)
        let reader = PartReader(language)
        if reader.isTelling(call, given), mayTell(call, name) {
            sites.noteFilter(offset, in: function == -1 ? statement : function)
        }
        return reader.parts(call, name, given).map { .part($0, at: offset) }
    }

    /// `query(source, …)`, or Swift's `@FirestoreQuery(collectionPath:predicates:)`.
    private mutating func query(_ given: GivenArguments, _ offset: Int) -> [Known] {
        if language.name == "swift" {
            guard case .text(let path)? = given["collectionPath"] else { return [.result] }
            var known = [SourcePath.collection(path)]
            if case .list(let parts, false)? = given["predicates"] {
                known = queries(
                    known[0], .query, "predicates", GivenArguments(all: parts.map { Given(label: nil, value: $0) }),
                    offset)
            }
            for query in known { run(query, offset, false) }
            return known
        }
        guard let first = given.positional.first else { return [.unknown(Unknown(what: "an empty query"))] }
        return queries(first, .query, "query", GivenArguments(all: Array(given.all.dropFirst())), offset)
    }

    // MARK: Queries

    func source(_ call: Call, _ given: GivenArguments, _ offset: Int) -> Known {
        let known = SourcePath.source(call, given)
        guard case .query(let shape) = known, case .unknown(let unknown) = shape.source,
            let source = hints.source(of: unknown, at: offset)
        else { return known }
        return .query(QueryShape(source))
    }

    /// A query with what a call adds, in each way that it may be meant.
    mutating func queries(
        _ base: Known, _ call: Call, _ name: String, _ given: GivenArguments, _ offset: Int
    ) -> [Known] {
        var shape: QueryShape
        switch base {
        case .query(let known): shape = known
        case .unknown(let unknown):
            shape = QueryShape(hints.source(of: unknown, at: offset) ?? .unknown(unknown))
        default: shape = QueryShape(.unknown(Unknown(what: "a computed value")))
        }
        // Only a query is its first argument.
        if call == .query { shape.isTentative = false }
        sites.noteExtended(shape, function, offset)
        sites.noteTaken(given)
        let step = step(offset)
        return PartReader(language).parts(call, name, given).map { part in
            var result = shape
            result.add(part, at: step)
            return .query(result)
        }
    }

    mutating func run(_ value: Known, _ offset: Int, _ isCut: Bool) {
        guard case .query(let shape) = value else { return }
        sites.noteRun(shape, function, offset, isCut)
    }
}
