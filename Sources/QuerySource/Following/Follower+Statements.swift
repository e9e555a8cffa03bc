// SPDX-License-Identifier: Apache-2.0

extension Follower {
    /// Follows the statements of a block, then the functions that it defines. Whether the end was reached.
    mutating func followBlock(_ statements: [Statement], opensScope: Bool = false) -> Bool {
        if opensScope { scopes.append(Scope(kind: .block)) }
        let outer = deferred
        deferred = []
        let isReached = followStatements(statements)
        // A function may use what its block declares after it.
        var next = 0
        while next < deferred.count {
            let function = deferred[next]
            next += 1
            followAlone(function)
        }
        deferred = outer
        if opensScope { scopes.removeLast() }
        return isReached
    }

    /// Whether the end was reached, so that what follows runs.
    mutating func followStatements(_ statements: [Statement]) -> Bool {
        hoist(statements)
        for (index, statement) in statements.enumerated() where !follow(statement) {
            // A function of JavaScript is known before a `return` that it stands behind.
            for case .function(let function) in statements[(index + 1)...] where inlining == 0 {
                deferred.append(function)
            }
            return false
        }
        return true
    }

    /// Functions and types are known before they are defined.
    private mutating func hoist(_ statements: [Statement]) {
        var type: Int?
        if case .type(let offset)? = scopes.last(where: { $0.kind != .block })?.kind { type = offset }
        for statement in statements {
            switch statement {
            case .function(let function):
                guard let name = function.name else { continue }
                // Of overloaded functions nobody knows which is called.
                let old = scopes[scopes.count - 1].variables[name]
                let value = Alternatives(.function(function, depth: scopes.count, type: type))
                declare(
                    name,
                    isDefinedTwice(old, function) ? .unknown("'\(name)', which is defined twice", name: name) : value)
            case .type(let name?, _, let offset):
                typeDepths[offset] = scopes.count
                if lookUp(name) == nil { declare(name, Alternatives(.type(offset))) }
            default: break
            }
        }
    }

    private func isDefinedTwice(_ old: Scope.Variable?, _ new: Function) -> Bool {
        guard let old, case .function(let function, _, _)? = old.value.items.first?.value else { return false }
        return function.offset != new.offset
    }

    /// Whether what follows runs.
    private mutating func follow(_ statement: Statement) -> Bool {
        depth += 1
        defer { depth -= 1 }
        guard canFollow(statement.offset ?? max(self.statement, function, 0)) else { return true }
        fuel -= 1
        switch statement {
        case .expression(let expression):
            let outer = self.statement
            self.statement = expression.offset
            defer { self.statement = outer }
            let value = follow(expression)
            for item in value.items { sites.noteUnused(item.value, function, at: expression.offset) }
            return true
        case .block(let statements): return followBlock(statements, opensScope: true)
        case .branch(let branches, let isComplete, let condition):
            return followBranches(branches, isComplete, condition)
        case .ways(let ways, let isComplete, let condition):
            return followBranches(ways, isComplete, condition, opensScope: false)
        case .attempt(let body, let handlers, let last): return followAttempt(body, handlers, last)
        case .loop(let body):
            _ = followBranches([body], false, nil)
            return true
        case .function(let function):
            if inlining == 0 { deferred.append(function) }
            return true
        case .type(_, let members, let offset):
            followType(members, offset)
            return true
        case .unset(let name):
            if !isSetField(name) { declare(name, .unset(name)) }
            return true
        case .outerNames(let names):
            if let place = scopes.lastIndex(where: { $0.kind == .function }) {
                scopes[place].outerNames.formUnion(names)
            }
            return true
        case .exit(let value, let isReturn):
            if let value {
                let result = follow(value)
                returned = returned.map { $0.joined(result) } ?? result
            }
            // Outside functions nothing returns: the reader has taken a function for a block.
            return !isReturn || active.isEmpty
        }
    }

    private mutating func followType(_ members: [Statement], _ offset: Int) {
        guard inlining == 0 else { return }
        scopes.append(Scope(kind: .type(offset), variables: fields[offset] ?? [:]))
        let constructors: Set<String> = [
            "constructor", "init", "__init__", "initState", "ngOnInit", "__construct", "onCreate", "viewDidLoad",
            "setUp",
        ]
        let outer = deferred
        deferred = []
        // A member that is read as a block ends nothing when it returns.
        hoist(members)
        for member in members { _ = follow(member) }
        let (first, rest) = (
            deferred.filter { constructors.contains($0.name ?? "") },
            deferred.filter { !constructors.contains($0.name ?? "") }
        )
        for function in first + rest { followAlone(function) }
        deferred = outer
        fields[offset] = scopes.removeLast().variables
    }
}
