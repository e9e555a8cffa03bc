// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Turns a checked tree into a program.
struct ProgramBuilder {
    private let tree: SyntaxTree
    private var program = Program()
    private var scope = Scope()

    static func build(_ tree: SyntaxTree) -> Program {
        var builder = ProgramBuilder(tree: tree)
        builder.buildServices()
        return builder.program
    }

    private init(tree: SyntaxTree) {
        self.tree = tree
    }

    /// The names that a place of the source sees.
    private struct Scope {
        /// Numbers of functions, innermost declaration last.
        var functions: [(name: String, number: Int, parameters: [String])] = []
        /// Captures from the outside inwards; the place is the number.
        var captures: [String] = []
        var locals: [String] = []
    }

    private mutating func buildServices() {
        declare(tree.functions)
        for service in tree.services where service.name.text == "cloud.firestore" {
            let outer = scope
            declare(service.functions)
            for match in service.matches { build(match, in: Program.PathPattern()) }
            scope = outer
        }
    }

    /// Functions see each other and themselves, so that all have numbers before the first is built.
    private mutating func declare(_ functions: [SyntaxTree.Function]) {
        let first = program.functions.count
        for function in functions {
            let number = program.functions.count
            scope.functions.append((function.name.text, number, function.parameters.map(\.text)))
            program.functions.append(Program.Function(bindings: [], result: 0))
        }
        let outer = scope.locals
        for (offset, function) in functions.enumerated() {
            scope.locals = function.parameters.map(\.text)
            for binding in function.bindings {
                let value = build(binding.value)
                program.functions[first + offset].bindings.append(value)
                scope.locals.append(binding.name.text)
            }
            program.functions[first + offset].result = build(function.result)
        }
        scope.locals = outer
    }

    private mutating func build(_ match: SyntaxTree.Match, in enclosing: Program.PathPattern) {
        let outer = scope
        var pattern = enclosing
        for segment in match.path {
            switch segment.kind {
            case .literal(let text): pattern.segments.append(.literal(text))
            case .capture(let name):
                pattern.segments.append(.capture)
                scope.captures.append(name.text)
            case .glob(let name):
                pattern.segments.append(.glob)
                pattern.hasGlob = true
                pattern.globMayBeEmpty = tree.version != .one
                scope.captures.append(name.text)
            }
        }
        declare(match.functions)
        let number = program.patterns.count
        program.patterns.append(pattern)
        // The statements of inner matches come first, wherever they are.
        for case .match(let inner) in match.members { build(inner, in: pattern) }
        for case .allow(let allow) in match.members { build(allow, pattern: number) }
        scope = outer
    }

    private mutating func build(_ allow: SyntaxTree.Allow, pattern: Int) {
        var methods: MethodSet = []
        for name in allow.methods { methods.formUnion(MethodSet(name: name.text) ?? []) }
        let condition = allow.condition.map { build($0) }
        program.statements.append(
            Program.Statement(pattern: pattern, methods: methods, condition: condition, position: allow.position))
    }

    // MARK: Expressions

    private mutating func build(_ id: SyntaxTree.ExpressionID) -> Program.NodeID {
        let node: Program.Node
        switch tree[id].kind {
        case .parenthesized(let inner): return build(inner)
        case .constant(let value):
            if case .int(..<0) = value { node = .negativeLiteral(value) } else { node = .constant(value) }
        case .variable(let name): node = variable(name)
        case .list(let elements): node = .list(build(elements))
        case .map(let entries): node = .map(entries.map { (build($0.key), build($0.value)) })
        case .path(let parts): node = .path(parts.map { build($0) })
        case .member(let operand, let name): node = member(operand, name)
        case .index(let left, let right): node = .index(build(left), build(right))
        case .range(let operand, let from, let to):
            node = .range(build(operand), from: from.map { build($0) }, to: to.map { build($0) })
        case .not(let operand): node = .not(build(operand))
        case .negated(let operand): node = .negated(build(operand))
        case .binary(let binary, let left, let right): node = self.binary(binary, build(left), build(right))
        case .typeTest(let operand, let type): node = .typeTest(build(operand), type)
        case .conditional(let condition, let whenTrue, let whenFalse):
            node = .conditional(build(condition), build(whenTrue), build(whenFalse))
        case .call(let name, let arguments): node = call(name, arguments)
        case .packageCall(let package, let name, let arguments):
            let built = build(arguments)
            let fullName = "\(package).\(name)"
            node = FreeFunction(rawValue: fullName).map { .builtIn($0, built) } ?? .unknownFunction(fullName)
        case .method(let receiver, let name, let arguments):
            let (left, built) = (build(receiver), build(arguments))
            node =
                Method(rawValue: name).map { .method(left, $0, built, pattern($0, built)) }
                ?? .unknownMethod(left, name)
        }
        program.nodes.append(node)
        return program.nodes.count - 1
    }

    private mutating func build(_ ids: [SyntaxTree.ExpressionID]) -> [Program.NodeID] {
        ids.map { build($0) }
    }

    private mutating func build(_ part: SyntaxTree.PathPart) -> Program.PathPart {
        switch part {
        case .text(let text): .segment(.text(text))
        case .binding(let id): .binding(build(id))
        case .capture(let name, let isGlob): .segment(isGlob ? .glob(Text(name)) : .capture(Text(name)))
        }
    }

    private func pattern(_ method: Method, _ arguments: [Program.NodeID]) -> Pattern? {
        guard [.matches, .split, .replace].contains(method), let first = arguments.first,
            case .constant(.string(let source)) = program.nodes[first]
        else { return nil }
        return Pattern(source.string)
    }

    private func variable(_ name: String) -> Program.Node {
        if let local = scope.locals.lastIndex(of: name) { return .local(local) }
        if let capture = scope.captures.lastIndex(of: name) { return .capture(capture) }
        return name == "request" ? .request : name == "resource" ? .resource : .unknownVariable
    }

    private mutating func member(_ operand: SyntaxTree.ExpressionID, _ name: Text) -> Program.Node {
        if case .variable(let variable) = tree[operand].kind, case .request = self.variable(variable) {
            return .requestMember(name)
        }
        return .member(build(operand), name)
    }

    private func binary(_ binary: BinaryOperator, _ left: Program.NodeID, _ right: Program.NodeID) -> Program.Node {
        switch binary {
        case .or: .or(left, right)
        case .and: .and(left, right)
        case .in: .in(left, right)
        case .equal: .equality(left, right, isNegated: false)
        case .notEqual: .equality(left, right, isNegated: true)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: .comparison(binary, left, right)
        case .add, .subtract, .multiply, .divide, .remainder: .arithmetic(binary, left, right)
        }
    }

    /// The innermost function of the name, else a built-in one.
    private mutating func call(_ name: String, _ arguments: [SyntaxTree.ExpressionID]) -> Program.Node {
        let built = build(arguments)
        if let function = scope.functions.last(where: { $0.name == name }) {
            if function.parameters.count == arguments.count { return .call(function.number, built) }
            let parameters = function.parameters.joined(separator: ", ")
            return .wrongCall(signature: "\(name)(\(parameters))", count: arguments.count)
        }
        if let access = AccessFunction(rawValue: name) { return .access(access, built) }
        if let free = FreeFunction(rawValue: name) { return .builtIn(free, built) }
        return .unknownFunction(name)
    }
}
