// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Finds the errors and warnings that the grammar does not show.
struct Checker {
    let tree: SyntaxTree
    var issues: [RuleIssue] = []
    /// Whether the name of a package is an expression anywhere, also before a call.
    let usesPackages: Bool
    var structuralErrors: [RuleIssue] = []
    var functions: [FunctionRecord] = []
    /// Conditions of statements whose methods are all unknown: nothing is known around them.
    private var unknownConditions: [(SyntaxTree.ExpressionID, Scope)] = []
    /// Functions whose name was taken.
    private var repeated: Set<Int> = []
    /// Where the outermost parentheses around simple operands begin.
    var parentheses: [SyntaxTree.ExpressionID: SourcePosition] = [:]
    /// The functions whose bodies are being checked, from the outside inwards.
    var running: [Int] = []

    /// What a place of the source sees.
    struct Scope {
        /// Numbers of functions by name, innermost declarations last.
        var functions: [[String: Int]] = []
        var captures: [(name: String, type: RuleType)] = []
        var service = Service.unknown
        /// The innermost function of a name.
        func function(_ name: String) -> Int? { functions.reversed().lazy.compactMap { $0[name] }.first }

        /// How many segments the path has, and the globs among them.
        var segmentCount = 0
        var globCount = 0
    }

    /// What surrounds an expression decides which names it knows.
    enum Service: String {
        case firestore = "cloud.firestore"
        case storage = "firebase.storage"
        case unknown
    }

    struct FunctionRecord {
        let declaration: SyntaxTree.Function
        var scope: Scope
        var isUsed = false
        var summary: FunctionSummary?
    }

    /// What a caller has to know of a function.
    struct FunctionSummary {
        /// The types that each parameter may have; nil for any.
        let parameters: [TypeSet?]
        /// Nil for any.
        let result: TypeSet?
    }

    static func check(_ tree: SyntaxTree) -> [RuleIssue] {
        let checker = checked(tree)
        // Errors of structure end the official compiler before it looks at names and types.
        guard checker.structuralErrors.isEmpty else { return checker.structuralErrors }
        return checker.issues
    }

    static func structuralErrors(of tree: SyntaxTree) -> [RuleIssue] { checked(tree).structuralErrors }

    private static func checked(_ tree: SyntaxTree) -> Checker {
        var checker = Checker(tree: tree)
        checker.checkAll()
        return checker
    }

    private init(tree: SyntaxTree) {
        self.tree = tree
        usesPackages = tree.expressions.contains {
            if case .variable(let name) = $0.kind { BuiltIns.packages.contains(name) } else { false }
        }
    }

    mutating func warn(_ position: SourcePosition?, _ text: String) { issues.append(.warning(position, text)) }
    mutating func fail(_ position: SourcePosition, _ text: String) { issues.append(.error(position, text)) }

    private static let methods: Set<String> = ["read", "get", "list", "write", "create", "update", "delete"]

    private mutating func checkAll() {
        if tree.version == .one {
            warn(nil, "Ruleset uses old version (version [1]). Please update to the latest version (version [2]).")
        }
        var scope = Scope()
        declare(tree.functions, in: &scope)
        var names: Set<String> = []
        for service in tree.services {
            if !names.insert(service.name.text).inserted {
                fail(service.name.position, "Service \(service.name.text) is already defined.")
            }
            var inner = scope
            if let known = Service(rawValue: service.name.text) {
                inner.service = known
            } else {
                warn(service.name.position, "Invalid service name: \(service.name.text).")
            }
            declare(service.functions, in: &inner)
            for match in service.matches { check(match, inner, depth: 0) }
        }
        for (condition, scope) in unknownConditions {
            var nowhere = scope
            nowhere.service = .unknown
            checkCondition(condition, nowhere)
        }
        let called = Set(functions.flatMap(callees))
        for number in functions.indices where !functions[number].isUsed {
            let name = functions[number].declaration.name
            if !called.contains(number), !repeated.contains(number) {
                warn(name.position, "Unused function: \(name.text).")
            }
            if structuralErrors.isEmpty { summarize(number, in: .unknown, isCalled: false) }
        }
    }

    /// Functions of one scope see each other.
    private mutating func declare(_ declarations: [SyntaxTree.Function], in scope: inout Scope) {
        guard !declarations.isEmpty else { return }
        let first = functions.count
        var numbers: [String: Int] = [:]
        for declaration in declarations {
            let name = declaration.name
            if numbers[name.text] == nil {
                numbers[name.text] = functions.count
            } else {
                fail(name.position, "Function \(name.text) is already defined.")
                repeated.insert(functions.count)
            }
            functions.append(FunctionRecord(declaration: declaration, scope: scope))
            check(declaration)
        }
        scope.functions.append(numbers)
        for number in first..<functions.count { functions[number].scope = scope }
    }

    static let mostParameters = 7
    static let mostBindings = 11

    private mutating func check(_ function: SyntaxTree.Function) {
        if function.parameters.count > Checker.mostParameters {
            fail(
                function.name.position,
                "Maximum allowed function arguments of \(Checker.mostParameters) for function \(function.name.text) "
                    + "is reached.")
        }
        var names: Set<String> = []
        for parameter in function.parameters {
            refusePackage(parameter)
            if !names.insert(parameter.text).inserted {
                fail(parameter.position, "Variable \(parameter.text) is already defined.")
            }
        }
        for (place, binding) in function.bindings.enumerated() {
            refusePackage(binding.name)
            if tree.version == .one {
                fail(binding.name.position, "Let bindings are not allowed in rules_version=\"1\";")
            }
            if !names.insert(binding.name.text).inserted {
                fail(
                    binding.name.position,
                    "The identifier [\(binding.name.text)] is already bound in the current scope.")
            }
            if place == Checker.mostBindings {
                let isLast = place == function.bindings.count - 1
                fail(
                    isLast ? tree[function.result].start : function.bindings[place + 1].position,
                    "Maximum allowed variable count of 10 for a given function has been reached.")
            }
            checkStructure(binding.value)
        }
        checkStructure(function.result)
    }

    mutating func refusePackage(_ name: SyntaxTree.Name) {
        guard BuiltIns.packages.contains(name.text) else { return }
        structuralErrors.append(
            .error(name.position, "\(name.text) is a package and cannot be used as variable name."))
    }

    // MARK: Matches

    private static let deepestMatch = 10
    private static let longestPath = 100
    private static let mostCaptures = 20

    private mutating func check(_ match: SyntaxTree.Match, _ enclosing: Scope, depth: Int) {
        guard depth <= Checker.deepestMatch else {
            fail(match.position, "Maximum allowed resource rule depth of \(Checker.deepestMatch) is reached.")
            return
        }
        var scope = enclosing
        for (place, segment) in match.path.enumerated() {
            scope.segmentCount += 1
            let name: SyntaxTree.Name
            switch segment.kind {
            case .literal: continue
            case .capture(let capture):
                name = capture
                scope.captures.append((capture.text, .string))
            case .glob(let glob):
                name = glob
                scope.globCount += 1
                checkGlob(match, place, scope)
                scope.captures.append((glob.text, .path))
            }
            refusePackage(name)
            let isRepeated = match.path[..<place].contains { $0.name?.text == name.text }
            if isRepeated {
                structuralErrors.append(
                    .error(name.position, "Variable \(name.text) already exists in the PathTemplate."))
            }
        }
        if scope.segmentCount > Checker.longestPath {
            fail(match.position, "Maximum allowed path length of \(Checker.longestPath) is reached.")
        }
        if scope.captures.count > Checker.mostCaptures {
            fail(match.position, "Maximum allowed amount of \(Checker.mostCaptures) match field variables is reached.")
        }
        declare(match.functions, in: &scope)
        for member in match.members {
            switch member {
            case .match(let inner): check(inner, scope, depth: depth + 1)
            case .allow(let allow): check(allow, scope)
            }
        }
    }

    private mutating func checkGlob(_ match: SyntaxTree.Match, _ place: Int, _ scope: Scope) {
        let segment = match.path[place]
        if tree.version == .one, place < match.path.count - 1 {
            structuralErrors.append(
                .error(
                    segment.position,
                    "Invalid glob match expression. Glob matches are permitted as the last segment in a match "
                        + "declaration path."))
        } else if tree.version == .two, scope.globCount > 1 {
            let isOwn = match.path[..<place].contains { if case .glob = $0.kind { true } else { false } }
            structuralErrors.append(
                .error(
                    isOwn ? segment.position : match.position,
                    "Invalid glob match expression. Only one glob match is permitted in a match declaration path."))
        }
    }

    private mutating func check(_ allow: SyntaxTree.Allow, _ scope: Scope) {
        let known = scope.service == .unknown ? [] : Checker.methods
        for method in allow.methods where !known.contains(method.text.lowercased()) {
            warn(method.position, "Invalid method name: \(method.text).")
        }
        guard let condition = allow.condition else { return }
        checkStructure(condition)
        guard structuralErrors.isEmpty else { return }
        let isKnown = allow.methods.contains { known.contains($0.text.lowercased()) }
        // Functions see what any of their callers sees.
        if isKnown { checkCondition(condition, scope) } else { unknownConditions.append((condition, scope)) }
    }
}
