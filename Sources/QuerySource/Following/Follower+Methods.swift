// SPDX-License-Identifier: Apache-2.0

extension Follower {
    private static let namespaces: Set<String> = [
        "Filter", "FieldPath", "AggregateField", "firestore", "firebase", "fs", "Firestore", "FieldFilter", "Query",
    ]

    private static func isNamespace(_ name: String, of call: Call) -> Bool {
        namespaces.contains(name) && (call != .compare || name != "Query")
    }

    static func isTypeName(_ name: String) -> Bool {
        name.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }

    mutating func callMethod(
        _ object: Expression, _ name: String, _ arguments: [Argument], _ offset: Int
    ) -> Alternatives {
        let call = language.calls[name]
        if case .name(let owner) = object.kind {
            if ["this", "self", "$this", "super", "cls"].contains(owner) || isType(owner),
                let value = field(name, of: owner),
                let result = callDefined(value, arguments, offset)
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
        let receiver = follow(object).mapped { called($0) }
        if let closure = closureArgument(receiver, call, name, arguments, offset) { return closure }
        if let result = queryFunction(call, arguments, offset) { return result }
        let (items, isCut) = combinations(receiver, arguments)
        if let result = methodOfList(items, isCut, object, call, name, arguments) { return result }
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
    private mutating func called(_ value: Known) -> [Known] {
        guard case .function(let function, let depth, let type) = value, function.parameters.isEmpty,
            function.name != nil, let result = call(function, depth: depth, type: type, [])
        else { return [value] }
        // One that is missing takes no method.
        let known = result.values.filter { !$0.isMissing }
        return known.isEmpty || result.isCut ? [value] : known
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

    /// AngularFire's `collection(path, f)`, where a variable or a field has the function.
    private mutating func queryFunction(_ call: Call?, _ arguments: [Argument], _ offset: Int) -> Alternatives? {
        guard language.name == "javascript", call == .collection || call == .collectionGroup, let call,
            arguments.count == 2
        else { return nil }
        switch arguments[1].value.kind {
        case .name, .member: break
        default: return nil
        }
        // What a call gives is no path, and would be followed twice.
        if case .call = arguments[0].value.kind { return nil }
        let path = follow(arguments[0].value)
        guard path.items.contains(where: { if case .text = $0.value { true } else { false } }) else { return nil }
        let function = follow(arguments[1].value)
        let source = path.mapped {
            [self.source(call, GivenArguments(all: [Given(label: nil, value: $0)]), offset)]
        }
        if let result = callDefined(function, [(label: nil, value: source)], offset) { return result }
        guard case .unknown(let unknown)? = function.items.first?.value else { return nil }
        let step = step(offset)
        return source.mapped { value in
            guard case .query(var shape) = value else { return [value] }
            shape.fail("a part of it is \(unknown.what)", at: step)
            return [.query(shape)]
        }
    }

    mutating func method(
        _ receiver: Known, _ call: Call?, _ name: String, _ given: GivenArguments, _ object: Expression, _ offset: Int,
        _ isCut: Bool
    ) -> [Known] {
        switch receiver {
        case .query(let shape) where shape.isTentative:
            return methodOfTentative(shape, call, name, given, offset, isCut)
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
        let mayRun = call == .run || language.functions[name] == .run
        for value in given.all.map(\.value) {
            if mayRun { noteArgument(value, offset, isCut) } else { sites.noteUnused(value, function, at: offset) }
        }
        guard let call else {
            for value in given.all { noteParts(of: value.value, Unknown(what: "what '\(name)' reads"), at: offset) }
            return passed(given.all.map { Alternatives($0.value) }, to: name, offset).values
        }
        switch call {
        case .collection, .collectionGroup, .document:
            let known = source(call, given, offset)
            guard call == .collection, case .query(var shape) = known, isDocument(receiver, object) else {
                return [known]
            }
            shape.isRooted = false
            return [.query(shape)]
        default: return methodOfUnknown(receiver, call, name, given, object, offset)
        }
    }

    /// Whether calls that are telling tell anything in this file. In one that does not mention Firestore, only calls do
    /// that hardly any other library has.
    func mayTell(_ call: Call, _ name: String) -> Bool {
        if hints.isAboutFirestore { return true }
        switch call {
        case .compare: return language.name != "php"
        case .compareByLabel: return true
        case .compareBy: return name.lowercased().hasPrefix("where") && !hints.isAboutOthers
        default: return false
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
        guard parts.isTelling(call, given), mayTell(call, name) else {
            let read = Unknown(what: "what '\(name)' reads", name: unknown.name)
            for value in given.all { noteParts(of: value.value, read, at: offset) }
            if let source = hints.source(of: unknown, at: offset), given.all.allSatisfy(\.value.parts.isEmpty) {
                return queries(.query(QueryShape(source)), call, name, given, offset)
            }
            if case .unknown = receiver, hints.isAboutFirestore, parts.isTentative(call, given) {
                var shape = QueryShape(.unknown(unknown))
                shape.isTentative = true
                return queries(.query(shape), call, name, given, offset)
            }
            return [.unknown(Unknown(what: "what '\(name)' gives"))]
        }
        let source = hints.source(of: unknown, at: offset) ?? .unknown(unknown)
        return queries(.query(QueryShape(source)), call, name, given, offset)
    }

    /// Whether a value that is not known is a document, by its name or the name of the call that gives it.
    private func isDocument(_ value: Known, _ object: Expression) -> Bool {
        guard case .unknown(let unknown) = value else { return false }
        var name = unknown.name ?? object.sourceText
        if case .call(let callee, _) = object.kind { name = callee.sourceText }
        return SourcePath.isDocument(named: name)
    }
}
