// SPDX-License-Identifier: Apache-2.0

extension Follower {
    mutating func followCall(_ callee: Expression, _ arguments: [Argument], _ offset: Int) -> Alternatives {
        switch callee.kind {
        case .name(let name):
            if let value = lookUp(name), let result = callDefined(value, arguments) { return result }
            return callFree(language.functions[original(name)], name, arguments, offset)
        case .implicitMember(let name): return callFree(language.functions[name], name, arguments, offset)
        case .member(let object, let name): return callMethod(object, name, arguments, offset)
        case .function(let function):
            let values = arguments.map { follow($0.value) }
            return followClosure(function, values.first) ?? .unknown("a computed value")
        default:
            _ = follow(callee)
            return ignored(arguments, "what a computed function gives")
        }
    }

    /// The name that a function was imported from.
    private func original(_ name: String) -> String {
        if case .unknown(let unknown)? = lookUp(name)?.items.first?.value, let original = unknown.name {
            return original
        }
        return name
    }

    /// Calls a function of the file; nil if the value is none.
    private mutating func callDefined(_ value: Alternatives, _ arguments: [Argument]) -> Alternatives? {
        var result: Alternatives?
        for item in value.items {
            guard case .function(let function, let depth, let type) = item.value else { return nil }
            let given = arguments.map { (label: $0.label, value: follow($0.value)) }
            let called = call(function, depth: depth, type: type, given)
            let name = function.name.map { "'\($0)'" } ?? "a function"
            let one = called ?? .unknown("what \(name) gives")
            result = result.map { $0.joined(one) } ?? one
        }
        return result
    }

    /// A call that makes nothing of a query. Its arguments may contain queries, which it may run.
    private mutating func ignored(_ arguments: [Argument], _ what: String) -> Alternatives {
        for argument in arguments {
            for item in follow(argument.value).items {
                sites.noteUnused(item.value, function, at: argument.value.offset)
                noteParts(of: item.value, Unknown(what: what), at: argument.value.offset)
            }
        }
        return .unknown(what)
    }

    /// Filters that are given to something that is not known are those of a query whose collection is not known.
    private mutating func noteParts(of value: Known, _ unknown: Unknown, at offset: Int) {
        var shape = QueryShape(hints.source(of: unknown, at: offset) ?? .unknown(unknown))
        for part in value.parts { shape.add(part, at: step(offset)) }
        guard shape.isConstrained, hints.isAboutFirestore else { return }
        sites.noteTaken(GivenArguments(all: [Given(label: nil, value: value)]))
        sites.noteUnused(.query(shape), function, at: offset)
    }

    // MARK: Functions of the libraries

    private mutating func callFree(
        _ call: Call?, _ name: String, _ arguments: [Argument], _ offset: Int
    ) -> Alternatives {
        guard let call else { return ignored(arguments, "what '\(name)' gives") }
        if call == .closure {
            guard let first = arguments.last(where: { if case .function = $0.value.kind { true } else { false } }),
                case .function(let function) = first.value.kind
            else { return ignored(arguments, "what '\(name)' gives") }
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

    private mutating func free(
        _ call: Call, _ name: String, _ given: GivenArguments, _ offset: Int, _ isCut: Bool
    ) -> [Known] {
        let positional = given.positional
        switch call {
        case .collection, .collectionGroup, .document: return [source(call, given, offset)]
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
                for value in positional.dropFirst() { sites.noteUnused(value, function, at: offset) }
            }
            return [.result]
        case .documentID: return [.field(.documentName)]
        case .fieldPath:
            let segments = positional.compactMap { if case .text(let pieces) = $0 { pieces.constant } else { nil } }
            guard segments.count == positional.count, let field = FieldReference(segments: segments) else {
                return [.unknown(Unknown(what: "a computed field path"))]
            }
            return [.field(field)]
        case .list: return [.list(positional, isOpen: given.isOpen)]
        case .vector:
            if case .list(let elements, false)? = positional.first { return [.vector(elements.count)] }
            return [.vector(nil)]
        case .append:
            guard case .list(let elements, let isOpen)? = positional.first else {
                return [.unknown(Unknown(what: "a list"))]
            }
            return [.list(elements + positional.dropFirst(), isOpen: isOpen || given.isOpen)]
        default: return parts(call, name, given, offset)
        }
    }

    /// What a call makes that can be added to a query.
    private mutating func parts(_ call: Call, _ name: String, _ given: GivenArguments, _ offset: Int) -> [Known] {
        sites.noteTaken(given)
        let reader = PartReader(language)
        if hints.isAboutFirestore, reader.isTelling(call, given) {
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

    // MARK: Methods

    private static let namespaces: Set<String> = [
        "Filter", "FieldPath", "AggregateField", "firestore", "firebase", "fs", "Firestore", "FieldFilter", "Query",
    ]

    private static func isNamespace(_ name: String, of call: Call) -> Bool {
        namespaces.contains(name) && (call != .compare || name != "Query")
    }

    private static func isTypeName(_ name: String) -> Bool {
        name.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }

    private mutating func callMethod(
        _ object: Expression, _ name: String, _ arguments: [Argument], _ offset: Int
    ) -> Alternatives {
        let call = language.calls[name]
        if call == .append, let result = append(object, name, arguments) { return result }
        if case .name(let owner) = object.kind {
            if ["this", "self", "$this", "super", "cls"].contains(owner) || isType(owner),
                let value = field(name, of: owner),
                let result = callDefined(value, arguments)
            {
                return result
            }
            if let call = language.functions[name],
                Follower.isNamespace(owner, of: call)
                    || (Follower.isTypeName(owner) && lookUp(owner) == nil && call.isUnmistakable)
            {
                return callFree(call, name, arguments, offset)
            }
        }
        if case .member(_, let last) = object.kind, last != "firestore", let call = language.functions[name],
            Follower.isNamespace(last, of: call)
        {
            return callFree(call, name, arguments, offset)
        }
        let receiver = follow(object).mapped { [called($0)] }
        if let closure = closureArgument(receiver, call, name, arguments, offset) { return closure }
        let (items, isCut) = combinations(receiver, arguments)
        var result: [Alternative] = []
        for item in items {
            for value in method(item.first ?? .null, call, name, item.given, object, offset, isCut) {
                result.append(Alternative(value: value, facts: item.facts))
            }
        }
        return Alternatives(result, isCut: isCut)
    }

    private func isType(_ name: String) -> Bool {
        if case .type? = lookUp(name)?.items.first?.value { true } else { false }
    }

    private func field(_ name: String, of owner: String) -> Alternatives? {
        if case .type(let offset)? = lookUp(owner)?.items.first?.value { return fields[offset]?[name]?.value }
        return field(name)
    }

    /// What a property gives that is a function without parameters.
    private mutating func called(_ value: Known) -> Known {
        guard case .function(let function, let depth, let type) = value, function.parameters.isEmpty,
            function.name != nil,
            let result = call(function, depth: depth, type: type, []), result.items.count == 1
        else { return value }
        return result.items[0].value
    }

    /// AngularFire's `collection(path, ref => ref.where(…))`, and Kotlin's `let`.
    private mutating func closureArgument(
        _ receiver: Alternatives, _ call: Call?, _ name: String, _ arguments: [Argument], _ offset: Int
    ) -> Alternatives? {
        guard let last = arguments.last, case .function(let function) = last.value.kind else { return nil }
        if name == "let", case .query? = receiver.items.first?.value { return followClosure(function, receiver) }
        guard call == .collection || call == .collectionGroup, let call, arguments.count == 2,
            !function.parameters.isEmpty
        else { return nil }
        let path = follow(arguments[0].value)
        let source = path.mapped { [self.source(call, GivenArguments(all: [Given(label: nil, value: $0)]), offset)] }
        return followClosure(function, source)
    }

    /// Adds to the list in a variable; nil if there is none.
    private mutating func append(_ object: Expression, _ name: String, _ arguments: [Argument]) -> Alternatives? {
        let old = follow(object)
        guard case .list? = old.items.first?.value else { return nil }
        let (items, isCut) = combinations(old, arguments)
        var result = Alternatives(
            items.map { item in
                guard case .list(let elements, let isOpen)? = item.first else {
                    return Alternative(value: item.first ?? .null, facts: item.facts)
                }
                return Alternative(
                    value: .list(elements + item.given.positional, isOpen: isOpen || item.given.isOpen),
                    facts: item.facts)
            })
        result.isCut = result.isCut || isCut
        guard name != "concat" else { return result }
        switch object.kind {
        case .name(let name): assign(name, result)
        case .member(_, let name): assignField(name, result)
        default: break
        }
        return .unknown("a count")
    }

    private mutating func method(
        _ receiver: Known, _ call: Call?, _ name: String, _ given: GivenArguments, _ object: Expression, _ offset: Int,
        _ isCut: Bool
    ) -> [Known] {
        switch receiver {
        case .query(let shape): return methodOfQuery(shape, call, name, given, offset, isCut)
        case .document(let path):
            guard call == .collection else { return [.result] }
            return [SourcePath.joined(path, given.positional)]
        case _ where name.lowercased() == "pipeline": return [.result]
        case .list where name == "map": return [.list([], isOpen: true)]
        case .result: return [.result]
        case .null: return [.null]
        default: break
        }
        for value in given.all { sites.noteUnused(value.value, function, at: offset) }
        guard let call else {
            for value in given.all { noteParts(of: value.value, Unknown(what: "what '\(name)' reads"), at: offset) }
            return [.unknown(Unknown(what: "what '\(name)' gives"))]
        }
        switch call {
        case .collection, .collectionGroup, .document: return [source(call, given, offset)]
        default: return methodOfUnknown(receiver, call, name, given, object, offset)
        }
    }

    /// A filter on something that is not known is a part of a query whose collection is not known.
    private mutating func methodOfUnknown(
        _ receiver: Known, _ call: Call, _ name: String, _ given: GivenArguments, _ object: Expression, _ offset: Int
    ) -> [Known] {
        var unknown = Unknown(what: "a computed value")
        if case .unknown(let known) = receiver { unknown = known }
        if unknown.name == nil { unknown.name = object.sourceText }
        let parts = PartReader(language)
        guard parts.isTelling(call, given), hints.isAboutFirestore || (call == .compare && language.name != "php")
        else {
            let read = Unknown(what: "what '\(name)' reads", name: unknown.name)
            for value in given.all { noteParts(of: value.value, read, at: offset) }
            if let source = hints.source(of: unknown, at: offset), given.all.allSatisfy(\.value.parts.isEmpty) {
                return queries(.query(QueryShape(source)), call, name, given, offset)
            }
            return [.unknown(Unknown(what: "what '\(name)' gives"))]
        }
        let source = hints.source(of: unknown, at: offset) ?? .unknown(unknown)
        return queries(.query(QueryShape(source)), call, name, given, offset)
    }

    private mutating func methodOfQuery(
        _ shape: QueryShape, _ call: Call?, _ name: String, _ given: GivenArguments, _ offset: Int, _ isCut: Bool
    ) -> [Known] {
        guard let call else {
            guard shape.isConstrained, !["then", "toString", "isEqual", "hashCode", "path", "isEqualTo"].contains(name)
            else { return [.result] }
            var failed = shape
            failed.fail("'\(name)' is no call of a library for Firestore", at: step(offset))
            sites.noteExtended(shape, function, offset)
            return [.query(failed)]
        }
        switch call {
        case .run:
            run(.query(shape), offset, isCut)
            return [.result]
        case .document: return [SourcePath.document(of: shape)]
        case .append, .collection, .collectionGroup, .parent: return [.result]
        case .neutral: return [.query(shape)]
        default: return queries(.query(shape), call, name, given, offset)
        }
    }

    // MARK: Queries

    private func source(_ call: Call, _ given: GivenArguments, _ offset: Int) -> Known {
        let known = SourcePath.source(call, given)
        guard case .query(let shape) = known, case .unknown(let unknown) = shape.source,
            let source = hints.source(of: unknown, at: offset)
        else { return known }
        return .query(QueryShape(source))
    }

    /// A query with what a call adds, in each way that it may be meant.
    private mutating func queries(
        _ base: Known, _ call: Call, _ name: String, _ given: GivenArguments, _ offset: Int
    ) -> [Known] {
        var shape: QueryShape
        switch base {
        case .query(let known): shape = known
        case .unknown(let unknown):
            shape = QueryShape(hints.source(of: unknown, at: offset) ?? .unknown(unknown))
        default: shape = QueryShape(.unknown(Unknown(what: "a computed value")))
        }
        sites.noteExtended(shape, function, offset)
        sites.noteTaken(given)
        let step = step(offset)
        return PartReader(language).parts(call, name, given).map { part in
            var result = shape
            result.add(part, at: step)
            return .query(result)
        }
    }

    private mutating func run(_ value: Known, _ offset: Int, _ isCut: Bool) {
        guard case .query(let shape) = value else { return }
        sites.noteRun(shape, function, offset, isCut)
    }
}
