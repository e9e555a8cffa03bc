// SPDX-License-Identifier: Apache-2.0

/// Ways of which only one runs. Each is followed from the same variables: what one has set is taken back before the next.
/// So a branch takes time in proportion to what it sets, not to all variables that there are.
extension Follower {
    /// Where a way ends: the variables that it has set, and what holds where it runs.
    struct End {
        var changes: Changes = [:]
        var facts: Facts = [:]
    }

    /// Variables with the values that they were given.
    typealias Changes = [Scope.Place: Scope.Variable]

    /// Whether what follows runs.
    mutating func followBranches(
        _ branches: [[Statement]], _ isComplete: Bool, _ condition: Condition?, opensScope: Bool = true
    ) -> Bool {
        let test = branches.count <= 2 ? condition.map { self.test($0) } : nil
        var ends: [End] = []
        for (number, branch) in branches.enumerated() {
            let (isReached, end) = followWay(test?.facts(number == 0) ?? [:]) {
                $0.followBlock(branch, opensScope: opensScope)
            }
            if isReached { ends.append(end) }
        }
        if !isComplete { ends.append(End(facts: branches.count == 1 ? test?.facts(false) ?? [:] : [:])) }
        merge(ends)
        return !ends.isEmpty
    }

    /// The body, then each handler, which may run after any part of it, then what runs in any case.
    mutating func followAttempt(_ body: [Statement], _ handlers: [[Statement]], _ last: [Statement]) -> Bool {
        let (isReached, end) = followWay { $0.followBlock(body, opensScope: true) }
        merge([End(), end])
        var ends: [End] = []
        for handler in handlers {
            let (isReached, end) = followWay { $0.followBlock(handler, opensScope: true) }
            if isReached { ends.append(end) }
        }
        if isReached {
            // Where no handler sets a variable, it has what it had when the handler began.
            let isAlone = ends.isEmpty
            let kept = end.changes.filter { change in isAlone || ends.contains { $0.changes[change.key] != nil } }
            ends.append(End(changes: kept))
        }
        merge(ends)
        return followBlock(last, opensScope: true) && !ends.isEmpty
    }

    /// Follows a way and takes back what it has set.
    mutating func followWay<Result>(
        _ facts: Facts = [:], _ body: (inout Follower) -> Result
    ) -> (result: Result, end: End) {
        let mark = journal.count
        let result = assuming(facts, body)
        return (result, End(changes: takeBack(to: mark), facts: facts))
    }

    /// Gives the variables that were set since a mark the values that they had, and says which they have lost.
    mutating func takeBack(to mark: Int) -> Changes {
        var result: Changes = [:]
        while journal.count > mark {
            let (place, old) = journal.removeLast()
            // A block that has ended took its variables with it.
            guard place.scope < scopes.count else { continue }
            if result[place] == nil { result[place] = scopes[place.scope].variables[place.name] }
            scopes[place.scope].variables[place.name] = old
        }
        return result
    }

    /// Gives each variable that one of the ways has set all the values that it can have.
    mutating func merge(_ ends: [End]) {
        let places = ends.reduce(into: Set<Scope.Place>()) { $0.formUnion($1.changes.keys) }
        // What is known of one tells about others, as long as none is set.
        var values: [(place: Scope.Place, variable: Scope.Variable)] = []
        for place in places {
            if let variable = merged(place, ends) { values.append((place, variable)) }
        }
        for (place, variable) in values { put(variable, in: place) }
    }

    private mutating func merged(_ place: Scope.Place, _ ends: [End]) -> Scope.Variable? {
        let variables = ends.map { $0.changes[place] ?? scopes[place.scope].variables[place.name] }
        guard Set(variables.map { $0?.version ?? -1 }).count > 1 else { return variables.first ?? nil }
        let isField = variables.contains { $0?.isField == true }
        var result: Alternatives?
        for (variable, end) in zip(variables, ends) {
            // Where a branch has not set a field, it has the value that it had.
            guard let variable = variable ?? (isField ? outer(place, end) : nil) else { continue }
            let value = variable.value.assuming(end.facts)
            result = result.map { $0.joined(value) } ?? value
        }
        versions += 1
        return result.map { Scope.Variable(value: $0, version: versions, isField: isField) }
    }

    /// The variable of the same name in a scope around.
    private func outer(_ place: Scope.Place, _ end: End) -> Scope.Variable? {
        for index in (0..<place.scope).reversed() {
            let outer = Scope.Place(scope: index, name: place.name)
            if let variable = end.changes[outer] ?? scopes[index].variables[place.name] { return variable }
        }
        return nil
    }
}
