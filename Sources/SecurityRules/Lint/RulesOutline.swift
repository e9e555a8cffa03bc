// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A source as lint rules look at it: its statements with their whole paths, and a reader of their conditions.
struct RulesOutline {
    let tree: SyntaxTree
    let statements: [OutlinedStatement]
    let matches: [OutlinedMatch]
    let conditions: ConditionReader

    /// How many statements each other one is compared with, so that the time stays in proportion to the source.
    static let mostCompared = 200

    init(_ tree: SyntaxTree) {
        var builder = OutlineBuilder(tree)
        builder.build()
        self.tree = tree
        statements = builder.statements
        matches = builder.matches
        conditions = builder.conditions
    }

    /// How many statements allow a method, by their paths as written.
    func countsByPath(allowing method: RequestMethod) -> [String: Int] {
        statements(allowing: MethodSet(method)).reduce(into: [:]) { $0[$1.pattern.text, default: 0] += 1 }
    }

    /// Statements that may allow one of some methods.
    func statements(allowing methods: MethodSet) -> [OutlinedStatement] {
        statements.filter { !$0.methods.intersection(methods).isEmpty }
    }
}

/// An `allow` with all that surrounds it.
struct OutlinedStatement {
    let number: Int
    let allow: SyntaxTree.Allow
    let methods: MethodSet
    let pattern: [SyntaxTree.PatternSegment]
    let nesting: GlobNesting
    let version: SyntaxTree.Version
    /// Nil for a statement without a condition.
    let condition: Site?
    let frame: Int

    /// Whether every path that fits another statement fits this one.
    func covers(_ other: OutlinedStatement) -> Bool {
        !nesting.isUnlikeOnePath && !other.nesting.isUnlikeOnePath && pattern.covers(other.pattern, version)
    }

    /// Where the statement names its methods.
    var position: SourcePosition { allow.methods.first?.position ?? allow.position }

    /// Whether it names a method itself, not as a part of `read` or `write`.
    func names(_ method: RequestMethod) -> Bool {
        allow.methods.contains { $0.text.lowercased() == method.rawValue }
    }
}

struct OutlinedMatch {
    let match: SyntaxTree.Match
    let pattern: [SyntaxTree.PatternSegment]
    let nesting: GlobNesting

    /// Whether it has statements of its own.
    var hasStatements: Bool { match.members.contains { if case .allow = $0 { true } else { false } } }
}

/// Goes through the declarations with what each of them sees.
private struct OutlineBuilder {
    let tree: SyntaxTree
    let conditions: ConditionReader
    var statements: [OutlinedStatement] = []
    var matches: [OutlinedMatch] = []
    private var scope = ConditionReader.Scope()

    init(_ tree: SyntaxTree) {
        self.tree = tree
        conditions = ConditionReader(tree)
    }

    mutating func build() {
        declare(tree.functions)
        for service in tree.services where service.name.text == "cloud.firestore" {
            let outer = scope
            declare(service.functions)
            for match in service.matches { build(match, [], GlobNesting()) }
            scope = outer
        }
    }

    private mutating func declare(_ functions: [SyntaxTree.Function]) {
        let first = conditions.functions.count
        for function in functions {
            scope.functions.append((function.name.text, conditions.functions.count))
            conditions.functions.append((function, scope))
        }
        for number in first..<conditions.functions.count { conditions.functions[number].scope = scope }
    }

    private mutating func build(
        _ match: SyntaxTree.Match, _ enclosing: [SyntaxTree.PatternSegment], _ outerNesting: GlobNesting
    ) {
        let outer = scope
        let pattern = enclosing + match.path
        var nesting = outerNesting
        nesting.beginInner(tree.version, glob: enclosing.firstIndex(where: \.isGlob), count: enclosing.count)
        nesting.endInner(tree.version, count: pattern.count)
        for (place, segment) in match.path.enumerated() {
            guard let name = segment.name else { continue }
            scope.captures.append((name.text, enclosing.count + place, segment.isGlob))
        }
        declare(match.functions)
        matches.append(OutlinedMatch(match: match, pattern: pattern, nesting: nesting))
        for member in match.members {
            switch member {
            case .match(let inner): build(inner, pattern, nesting)
            case .allow(let allow): add(allow, pattern, nesting)
            }
        }
        scope = outer
    }

    private mutating func add(
        _ allow: SyntaxTree.Allow, _ pattern: [SyntaxTree.PatternSegment], _ nesting: GlobNesting
    ) {
        let frame = conditions.addFrame(scope, locals: [:], depth: 0)
        statements.append(
            OutlinedStatement(
                number: statements.count, allow: allow, methods: allow.methodSet, pattern: pattern,
                nesting: nesting, version: tree.version, condition: allow.condition.map { Site(id: $0, frame: frame) },
                frame: frame))
    }
}
