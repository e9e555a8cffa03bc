// SPDX-License-Identifier: Apache-2.0

extension Checker {
    static let deepestCall = 20

    /// Checks a function's body once, and finds out what its parameters and its result may be.
    mutating func summarize(_ number: Int, in service: Service, isCalled: Bool) {
        guard functions[number].summary == nil else { return }
        let record = functions[number]
        let declaration = record.declaration
        guard !refuseCycle(number) else { return }
        running.append(number)
        defer { running.removeLast() }
        // First what it calls, so that the bodies are not walked inside each other.
        for callee in callees(of: record) { summarize(callee, in: service, isCalled: isCalled) }
        var checking = ExpressionScope(scope: record.scope, service: service, isCalled: isCalled)
        for parameter in declaration.parameters { checking.locals.append(Local(name: parameter, isParameter: true)) }
        for binding in declaration.bindings {
            let type = infer(binding.value, expecting: nil, &checking)
            checking.locals.append(Local(name: binding.name, types: type))
        }
        let result = infer(declaration.result, expecting: nil, &checking)
        for local in checking.locals where !local.isUsed {
            warn(local.name.position, "Unused variable: \(local.name.text).")
        }
        reportGlobals(checking, at: start(of: declaration))
        let parameters = checking.locals.prefix(declaration.parameters.count).map(\.types)
        functions[number].summary = FunctionSummary(parameters: Array(parameters), result: result)
    }

    /// Where the body begins.
    private func start(of function: SyntaxTree.Function) -> SourcePosition {
        function.bindings.first?.position ?? tree[function.result].start
    }

    /// Reports the names of which no type fits all uses in a condition, or in a function.
    ///
    /// - Parameter start: where that begins.
    mutating func reportGlobals(_ scope: ExpressionScope, at start: SourcePosition) {
        for (name, types) in scope.globals where types.types.isEmpty { warn(start, Checker.noType(of: name)) }
    }

    static func noType(of name: String) -> String {
        "Invalid type. There is no type for variable '\(name)' that satisfies all clauses."
    }

    func callees(of record: FunctionRecord) -> [Int] {
        var callees: [Int] = []
        var open = record.declaration.bindings.map(\.value) + [record.declaration.result]
        while let id = open.popLast() {
            open += tree[id].kind.children
            // Also with a wrong number of arguments.
            guard case .call(let name, _) = tree[id].kind, let function = record.scope.function(name),
                !callees.contains(function)
            else { continue }
            callees.append(function)
        }
        return callees
    }

    /// A function that calls itself, or a chain of calls that is too long, is an error.
    private mutating func refuseCycle(_ number: Int) -> Bool {
        let name = functions[number].declaration.name
        if let start = running.firstIndex(of: number) {
            if running.last == number {
                fail(name.position, "Recursive call is not allowed.")
            } else {
                let names = running[start...].map { functions[$0].declaration.name.text }.joined(separator: ",")
                fail(name.position, "Detected a call cycle between [\(names)] functions.")
            }
            return true
        }
        guard running.count > Checker.deepestCall else { return false }
        let chain = running.map { functions[$0].declaration.name.text }.joined(separator: "->")
        fail(
            name.position,
            "Maximum allowed call depth of \(Checker.deepestCall) is reached for [\(chain)] call stack.")
        return true
    }

    /// A call of a function of the source.
    mutating func inferCall(
        _ number: Int, _ id: SyntaxTree.ExpressionID, _ arguments: [SyntaxTree.ExpressionID], _ expected: TypeSet?,
        _ scope: inout ExpressionScope
    ) -> TypeSet? {
        let name = functions[number].declaration.name.text
        if scope.isCalled { functions[number].isUsed = true }
        summarize(number, in: scope.service, isCalled: scope.isCalled)
        guard functions[number].declaration.parameters.count == arguments.count else {
            warn(tree[id].position, "Incorrect number of arguments supplied to function: \(name).")
            lookInto(arguments, &scope)
            return nil
        }
        let summary = functions[number].summary
        for (place, argument) in arguments.enumerated() {
            _ = infer(argument, expecting: summary?.parameters[place], &scope)
        }
        return nil
    }
}

/// What an expression sees besides the scope of its declaration.
struct ExpressionScope {
    let scope: Checker.Scope
    /// Functions that nothing calls are checked as if no service surrounded them.
    let service: Checker.Service
    /// Whether a statement leads here.
    let isCalled: Bool
    var locals: [Local] = []
    /// What their uses have left of the types of `request` and `resource`.
    var globals: [String: TypeSet] = [:]

    /// Parameters of one name are one.
    mutating func use(_ place: Int) {
        locals[place].isUsed = true
        guard locals[place].isParameter else { return }
        for same in locals.indices where locals[same].isParameter && locals[same].name.text == locals[place].name.text {
            locals[same].isUsed = true
        }
    }
}

/// A parameter or a `let`.
struct Local {
    let name: SyntaxTree.Name
    /// What its uses have left of its types; nil for any.
    var types: TypeSet?
    var isUsed = false
    var isParameter = false
}
