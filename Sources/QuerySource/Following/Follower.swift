// SPDX-License-Identifier: Apache-2.0

/// Follows values through the statements of a file and notes the queries.
///
/// The file is followed twice: the first time fills the fields of types, which any method may have set, and the second
/// time notes queries.
struct Follower {
    let language: Language
    let hints: SourceHints
    var scopes: [Scope] = [Scope(kind: .file)]
    /// The fields of each type, by its offset.
    var fields: [Int: [String: Scope.Variable]] = [:]
    /// The scopes around each type.
    var typeDepths: [Int: Int] = [:]
    var sites = SiteNotes()
    /// The offset of the function that is followed; -1 outside all.
    var function = -1
    /// The offset of the statement that is followed.
    var statement = -1
    /// How many calls of functions of the file are being followed.
    var inlining = 0
    /// Offsets of functions that are being followed, against endless recursion.
    var active: [Int] = []
    /// Conditions of the branches that are being followed.
    var assumed: Facts = [:]
    /// What `return` gave in the function that is followed.
    var returned: Alternatives?
    /// Functions to be followed on their own when their block has ended.
    var deferred: [Function] = []
    var versions = 0
    /// The variables that were assigned, in order, with what they were before.
    var journal: [(place: Scope.Place, old: Scope.Variable?)] = []
    /// How much work is left, so that following takes time in proportion to the file.
    var fuel: Int
    var depth = 0
    let maximumDepth: Int

    init(_ language: Language, _ hints: SourceHints, fuel: Int, maximumDepth: Int) {
        (self.language, self.hints, self.fuel, self.maximumDepth) = (language, hints, fuel, maximumDepth)
    }

    /// - Parameter reader: the one that has read the statements.
    static func sites(of statements: [Statement], _ reader: Reader, _ hints: SourceHints) -> [SourceSite] {
        let fuel = 20_000 + 8 * reader.tokens.count
        var follower = Follower(reader.language, hints, fuel: fuel, maximumDepth: reader.maximumDepth)
        follower.followFile(statements)
        let fields = follower.fields
        follower = Follower(reader.language, hints, fuel: fuel, maximumDepth: reader.maximumDepth)
        follower.fields = fields
        if let cut = reader.cut { follower.sites.noteEnd(at: cut) }
        follower.followFile(statements)
        return follower.sites.sites(hints)
    }

    private mutating func followFile(_ statements: [Statement]) {
        _ = followBlock(statements)
        if fuel <= 0 { sites.noteEnd(at: 0) }
    }

    var step: (Int) -> QueryShape.Step {
        let function = function
        return { QueryShape.Step(offset: $0, function: function) }
    }

    /// Whether there is fuel, and code may be nested here; where it ends is noted.
    mutating func canFollow(_ offset: Int) -> Bool {
        if fuel > 0, depth < maximumDepth { return true }
        sites.noteEnd(at: offset)
        return false
    }

    // MARK: Variables

    func lookUp(_ name: String) -> Alternatives? {
        for scope in scopes.reversed() {
            if let variable = scope.variables[name] { return possible(variable.value) }
        }
        return nil
    }

    /// The alternatives that agree with the branches that are followed. No program uses a variable before it is set.
    private func possible(_ value: Alternatives) -> Alternatives {
        guard value.items.contains(where: { !$0.value.isUnset }), value.items.contains(where: \.value.isUnset) else {
            return agreeing(value)
        }
        return agreeing(Alternatives(value.items.filter { !$0.value.isUnset }, isCut: value.isCut))
    }

    private func agreeing(_ value: Alternatives) -> Alternatives {
        guard !assumed.isEmpty, value.items.contains(where: { !$0.facts.isEmpty }) else { return value }
        let items = value.items.filter { $0.facts.merged(with: assumed) != nil }
        return items.isEmpty ? value : Alternatives(items, isCut: value.isCut)
    }

    mutating func declare(_ name: String, _ value: Alternatives) {
        set(name, in: scopes.count - 1, value)
    }

    /// Whether it is a field that has a value since the file was followed for the first time.
    func isSetField(_ name: String) -> Bool {
        if case .type? = scopes.last?.kind { scopes[scopes.count - 1].variables[name] != nil } else { false }
    }

    private mutating func set(_ name: String, in scope: Int, _ value: Alternatives, isField: Bool = false) {
        versions += 1
        let variable = Scope.Variable(value: value, version: versions, isField: isField)
        put(variable, in: Scope.Place(scope: scope, name: name))
    }

    mutating func put(_ variable: Scope.Variable, in place: Scope.Place) {
        journal.append((place, scopes[place.scope].variables[place.name]))
        scopes[place.scope].variables[place.name] = variable
    }

    /// Assigns to the variable that is in scope, or makes one of the function.
    mutating func assign(_ name: String, _ value: Alternatives) {
        var isOwn = true
        var place = scopes.lastIndex { $0.kind != .block } ?? 0
        for index in scopes.indices.reversed() {
            if let old = scopes[index].variables[name], !old.isField {
                let isField = if case .type = scopes[index].kind { true } else { false }
                // Others may have set a variable of an outer scope to another value.
                set(name, in: index, isOwn && !isField ? value : old.value.union(value))
                let function = scopes.lastIndex { $0.kind == .function }
                if isField, let function, function > index { set(name, in: function, value, isField: true) }
                return
            }
            guard scopes[index].kind == .function else { continue }
            isOwn = false
            if scopes[index].outerNames.contains(name) {
                place = 0
            } else if language.hasFunctionScope {
                place = index
                break
            }
        }
        set(name, in: place, value)
    }

    /// Sets a field such as `this.query`.
    mutating func assignField(_ name: String, _ value: Alternatives) {
        let place = scopes.lastIndex { if case .type = $0.kind { true } else { false } } ?? 0
        let old = scopes[place].variables[name]?.value
        set(name, in: place, old.map { $0.union(value) } ?? value)
    }

    func field(_ name: String) -> Alternatives? {
        for scope in scopes.reversed() {
            if case .type = scope.kind { return scope.variables[name].map { possible($0.value) } }
        }
        return scopes[0].variables[name].map { possible($0.value) }
    }

    // MARK: Functions

    /// Follows a call of a function of the file; nil if it calls itself or is too deep.
    mutating func call(
        _ function: Function, depth scopeDepth: Int, type: Int?, _ arguments: [(label: String?, value: Alternatives)]
    ) -> Alternatives? {
        guard inlining < 4, !active.contains(function.offset), fuel > 0 else { return nil }
        guard function.isTelling else { return nil }
        let outer = (self.function, returned, assumed, deferred)
        let mark = journal.count
        inlining += 1
        active.append(function.offset)
        let kept = min(scopeDepth, scopes.count)
        let hidden = Array(scopes[kept...])
        scopes.removeSubrange(kept...)
        if let type, !scopes.contains(where: { $0.kind == .type(type) }) {
            scopes.append(Scope(kind: .type(type), variables: fields[type] ?? [:]))
        }
        scopes.append(Scope(kind: .function))
        (self.function, returned, assumed, deferred) = (function.offset, nil, [:], [])
        bind(function.parameters, arguments, isLocal: function.isLocal)
        _ = followStatements(function.body)
        let result = returned ?? Alternatives(.unknown(Unknown(what: "what '\(function.name ?? "a function")' gives")))
        active.removeLast()
        inlining -= 1
        _ = takeBack(to: mark)
        scopes.replaceSubrange(kept..., with: hidden)
        (self.function, returned, assumed, deferred) = outer
        return result
    }

    private mutating func bind(
        _ parameters: [Parameter], _ arguments: [(label: String?, value: Alternatives)], isLocal: Bool
    ) {
        var positional = arguments.filter { $0.label == nil }.map(\.value)[...]
        for parameter in parameters {
            let labelled = arguments.first { $0.label == (parameter.label ?? parameter.name) && $0.label != nil }?.value
            if parameter.isRest {
                let all = [labelled].compactMap(\.self) + positional
                positional = []
                declare(parameter.name, all.reduce(Alternatives(.list([], isOpen: false)), Follower.appending))
            } else if let value = labelled ?? positional.popFirst() {
                declare(parameter.name, value)
            } else if let byDefault = parameter.byDefault {
                declare(parameter.name, follow(byDefault))
            } else {
                declare(parameter.name, Follower.parameter(parameter.name, isLocal: isLocal))
            }
        }
    }

    /// A list is as one that is passed on, as in `f(...ids)`.
    private static func appending(_ list: Alternatives, _ element: Alternatives) -> Alternatives {
        list.combined(with: element) { list, element in
            guard case .list(let known, let isOpen) = list else { return [list] }
            switch element {
            case .list: return [list.appending(elementsOf: element)]
            // It may be a list, too.
            case .unknown: return [.list(known, isOpen: true)]
            default: return [.bounded(known + [element], isOpen: isOpen)]
            }
        }
    }

    static func parameter(_ name: String, isLocal: Bool) -> Alternatives {
        Alternatives(.unknown(Unknown(what: "the parameter '\(name)'", name: name, isLocalParameter: isLocal)))
    }

    /// Follows a function that anyone may call: its parameters are unknown.
    mutating func followAlone(_ function: Function) {
        guard !active.contains(function.offset) else { return }
        depth += 1
        defer { depth -= 1 }
        guard canFollow(function.offset) else { return }
        let outer = (self.function, returned, assumed, deferred, inlining)
        active.append(function.offset)
        scopes.append(Scope(kind: .function))
        (self.function, returned, assumed, deferred, inlining) = (function.offset, nil, [:], [], 0)
        for parameter in function.parameters {
            var value = Follower.parameter(parameter.name, isLocal: function.isLocal)
            for item in parameter.byDefault.map({ follow($0).items }) ?? [] {
                sites.noteUnused(item.value, self.function, at: parameter.byDefault?.offset ?? function.offset)
                if case .query = item.value { value.items.append(item) }
            }
            declare(parameter.name, value)
        }
        _ = followBlock(function.body, opensScope: false)
        if let returned { for item in returned.items { sites.noteGiven(item.value, by: function.offset) } }
        scopes.removeLast()
        active.removeLast()
        (self.function, returned, assumed, deferred, inlining) = outer
    }

    /// Follows a closure where it stands; gives what it returns.
    mutating func followClosure(_ function: Function, _ first: Alternatives? = nil) -> Alternatives? {
        guard !active.contains(function.offset), fuel > 0 else { return nil }
        let outer = (returned, deferred)
        active.append(function.offset)
        scopes.append(Scope(kind: .block))
        (returned, deferred) = (nil, [])
        for (index, parameter) in function.parameters.enumerated() {
            let value = index == 0 ? first : nil
            declare(parameter.name, value ?? Follower.parameter(parameter.name, isLocal: false))
        }
        _ = followBlock(function.body, opensScope: false)
        let result = returned
        scopes.removeLast()
        active.removeLast()
        (returned, deferred) = outer
        return result
    }
}

extension Alternatives {
    /// Both, without what both have and without missing values.
    func union(_ other: Alternatives) -> Alternatives {
        var result = items.filter { !$0.value.isMissing }
        var keys = Set(result.compactMap(\.value.key))
        for item in other.items where !item.value.isMissing {
            if let key = item.value.key, !keys.insert(key).inserted { continue }
            result.append(item)
        }
        return result.isEmpty ? other : Alternatives(result, isCut: isCut || other.isCut)
    }
}

extension Known {
    var isUnset: Bool { if case .unknown(let unknown) = self { unknown.isUnset } else { false } }

    var isMissing: Bool { if case .null = self { true } else { isUnset } }

    /// Equal for values that need not both be followed; nil for values that are not compared.
    var key: String? {
        switch self {
        case .query(let shape): "query \(shape.key) \(shape.problem ?? "") \(shape.steps.map(\.offset))"
        case .text(let pieces): "text \(pieces.map { $0 ?? "\u{0}" }.joined())"
        case .unknown(let unknown): "unknown \(unknown.what)"
        case .function(let function, _, _): "function \(function.offset)"
        case .result: "result"
        case .number(let text): "number \(text)"
        default: nil
        }
    }
}
