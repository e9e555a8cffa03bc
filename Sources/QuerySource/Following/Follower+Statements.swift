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

    // MARK: Branches

    private mutating func followBranches(
        _ branches: [[Statement]], _ isComplete: Bool, _ condition: Condition?
    ) -> Bool {
        let test = branches.count <= 2 ? condition.map { self.test($0) } : nil
        let (start, mark) = (scopes, journal.count)
        var ends: [(scopes: [Scope], facts: Facts)] = []
        for (number, branch) in branches.enumerated() {
            scopes = start
            let facts = test?.facts(number == 0) ?? [:]
            if assuming(facts, { $0.followBlock(branch, opensScope: true) }) { ends.append((scopes, facts)) }
        }
        if !isComplete { ends.append((start, branches.count == 1 ? test?.facts(false) ?? [:] : [:])) }
        guard let last = ends.last else {
            scopes = start
            return false
        }
        scopes = last.scopes
        if ends.count > 1 { merge(ends, since: mark) }
        return true
    }

    /// The body, then each handler, which may run after any part of it, then what runs in any case.
    private mutating func followAttempt(
        _ body: [Statement], _ handlers: [[Statement]], _ last: [Statement]
    ) -> Bool {
        let (start, mark) = (scopes, journal.count)
        let isReached = followBlock(body, opensScope: true)
        var end = scopes
        merge([(start, [:]), (end, [:])], since: mark)
        let any = scopes
        var ends: [(scopes: [Scope], facts: Facts)] = []
        for handler in handlers {
            scopes = any
            if followBlock(handler, opensScope: true) { ends.append((scopes, [:])) }
        }
        if isReached {
            // Where no handler sets a variable, it has what it had when the handler began.
            for (index, name) in journal[mark...] where index < end.count && !ends.isEmpty {
                let variable = any[index].variables[name]
                if ends.allSatisfy({ $0.scopes[index].variables[name]?.version == variable?.version }) {
                    end[index].variables[name] = variable
                }
            }
            ends.append((end, [:]))
        }
        scopes = ends.last?.scopes ?? any
        if ends.count > 1 { merge(ends, since: mark) }
        return followBlock(last, opensScope: true) && !ends.isEmpty
    }

    /// Gives each variable that a branch has set all the values that it can have.
    mutating func merge(_ ends: [(scopes: [Scope], facts: Facts)], since mark: Int) {
        var seen: [Int: Set<String>] = [:]
        for (index, name) in journal[mark...]
        where index < scopes.count && seen[index, default: []].insert(name).inserted {
            let versions = Set(ends.map { $0.scopes[index].variables[name]?.version ?? -1 })
            guard versions.count > 1 else { continue }
            let isField = ends.contains { $0.scopes[index].variables[name]?.isField == true }
            var merged: Alternatives?
            for end in ends {
                // Where a branch has not set a field, it has the value that it had.
                let outer = isField ? end.scopes[..<index].last { $0.variables[name] != nil } : nil
                guard let variable = end.scopes[index].variables[name] ?? outer?.variables[name] else { continue }
                let value = variable.value.assuming(end.facts)
                merged = merged.map { $0.joined(value) } ?? value
            }
            self.versions += 1
            if let merged {
                scopes[index].variables[name] = Scope.Variable(
                    value: merged, version: self.versions, isField: isField)
            }
        }
    }
}

extension Statement {
    /// Where it is, if it has a place of its own.
    fileprivate var offset: Int? {
        switch self {
        case .expression(let expression), .exit(let expression?, _): expression.offset
        case .function(let function): function.offset
        case .type(_, _, let offset): offset
        default: nil
        }
    }
}
