// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Turns a checked tree into a program.
struct ProgramBuilder {
    private let tree: SyntaxTree
    private var program = Program.Parts()
    private var scope = Scope()
    /// Of each function.
    private var parameters: [[String]] = []

    static func build(_ tree: SyntaxTree) -> Program {
        var builder = ProgramBuilder(tree: tree)
        builder.buildServices()
        return Program(builder.program)
    }

    private init(tree: SyntaxTree) {
        self.tree = tree
    }

    /// The names that a place of the source sees.
    private struct Scope {
        /// Numbers of functions by name, those of the innermost declarations last.
        var functions: [[String: Int]] = []
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
        guard !functions.isEmpty else { return }
        let first = program.functions.count
        var numbers: [String: Int] = [:]
        for function in functions {
            numbers[function.name.text] = program.functions.count
            parameters.append(function.parameters.map(\.text))
            program.functions.append(Program.Function(bindings: [], result: 0))
        }
        scope.functions.append(numbers)
        let outer = scope.locals
        for (offset, function) in functions.enumerated() {
            scope.locals = function.parameters.map(\.text)
            for binding in function.bindings {
                let value = build(binding.value)
                program.functions[first + offset].bindings.append(value)
                program.functions[first + offset].lets.append(binding.position)
                scope.locals.append(binding.name.text)
            }
            program.functions[first + offset].result = build(function.result)
        }
        scope.locals = outer
    }

    private mutating func build(_ match: SyntaxTree.Match, in enclosing: Program.PathPattern) {
        let outer = scope
        var pattern = enclosing
        let glob = pattern.segments.firstIndex { if case .glob = $0 { true } else { false } }
        pattern.nesting.beginInner(tree.version, glob: glob, count: pattern.segments.count)
        for segment in match.path {
            if segment.name != nil { pattern.captures.append(pattern.segments.count) }
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
        pattern.nesting.endInner(tree.version, count: pattern.segments.count)
        pattern.known = pattern.segments.isUsualStart ? RequestPath.prefixCount : 0
        declare(match.functions)
        let number = program.patterns.count
        program.patterns.append(pattern)
        let first = program.statements.count
        for case .allow(let allow) in match.members { build(allow, pattern: number) }
        for case .match(let inner) in match.members { build(inner, in: pattern) }
        if glob == nil, pattern.hasGlob { program.orderByGlob(from: first) }
        scope = outer
    }

    private mutating func build(_ allow: SyntaxTree.Allow, pattern: Int) {
        let condition = allow.condition.map { build($0) }
        program.statements.append(
            Program.Statement(
                pattern: pattern, methods: allow.methodSet, condition: condition,
                callerTest: condition.flatMap { CallerTest($0, in: program) }, position: allow.position))
    }

    // MARK: Expressions

    private mutating func build(_ id: SyntaxTree.ExpressionID) -> Program.NodeID {
        let node: Program.Node
        switch tree[id].kind {
        case .parenthesized(let inner):
            let node = build(inner)
            program.sources[Int(node)].start = tree[id].start
            return node
        case .constant(let value): node = constant(value)
        case .variable(let name): node = variable(name)
        case .list(let elements): node = list(elements)
        case .map(let entries): node = .map(operands(entries.flatMap { [build($0.key), build($0.value)] }))
        case .path(let parts): node = .path(operands(parts.map { build($0, of: id) }))
        case .member(let operand, let name): node = member(operand, name)
        case .index(let left, let right): node = .index(build(left), build(right))
        case .range(let operand, let from, let to):
            node = .range(build(operand), from: from.map { build($0) } ?? -1, to: to.map { build($0) } ?? -1)
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
            let function = FreeFunction(rawValue: fullName)
            node = function.map { .builtIn($0, built) } ?? .unknownFunction(self.name(fullName), built)
        case .method(let receiver, let name, let arguments):
            let (left, built) = (build(receiver), build(arguments))
            if let method = Method(rawValue: name) {
                node = .method(left, method, built, pattern: pattern(method, built))
            } else {
                node = .unknownMethod(left, self.name(name), built)
            }
        }
        return add(node, id)
    }

    private mutating func add(_ node: Program.Node, _ id: SyntaxTree.ExpressionID) -> Program.NodeID {
        program.nodes.append(node)
        program.sources.append(NodeSource(start: tree[id].start, end: tree[id].end))
        return Program.NodeID(program.nodes.count - 1)
    }

    private mutating func operands(_ nodes: [Program.NodeID]) -> Program.Operands {
        let start = program.operands.count
        program.operands += nodes
        return Program.Operands(start: Int32(start), count: Int32(nodes.count))
    }

    private mutating func build(_ ids: [SyntaxTree.ExpressionID]) -> Program.Operands {
        operands(ids.map { build($0) })
    }

    private mutating func name(_ text: String) -> Program.Place {
        program.names.append(Text(text))
        return Program.Place(program.names.count - 1)
    }

    private mutating func constant(_ value: RuleValue) -> Program.Node {
        program.constants.append(value)
        let place = Program.Place(program.constants.count - 1)
        if case .int(..<0) = value { return .negativeLiteral(place) }
        return .constant(place)
    }

    /// A list of literals is made once.
    private mutating func list(_ elements: [SyntaxTree.ExpressionID]) -> Program.Node {
        var values: [RuleValue] = []
        var weight: Int32 = 1
        for element in elements {
            guard case .constant(let value) = tree[element].kind else { return .list(build(elements)) }
            values.append(value)
            if case .int(..<0) = value { weight += 2 } else { weight += 1 }
        }
        program.constants.append(.list(RuleList(values)))
        return .constantList(Program.Place(program.constants.count - 1), weight: weight)
    }

    private mutating func build(_ part: SyntaxTree.PathPart, of id: SyntaxTree.ExpressionID) -> Program.NodeID {
        switch part {
        case .text(let text): program.segments.append(.text(text))
        case .binding(let binding): return build(binding)
        case .capture(let name, let isGlob):
            program.segments.append(isGlob ? .glob(Text(name)) : .capture(Text(name)))
        }
        return add(.segment(Program.Place(program.segments.count - 1)), id)
    }

    private mutating func pattern(_ method: Method, _ arguments: Program.Operands) -> Program.Place {
        guard method == .matches || method == .split || method == .replace, arguments.count > 0,
            case .constant(let place) = program.nodes[Int(program.operands[Int(arguments.start)])],
            case .string(let source) = program.constants[Int(place)], let pattern = Pattern(source.string)
        else { return -1 }
        program.textPatterns.append(pattern)
        return Program.Place(program.textPatterns.count - 1)
    }

    private func variable(_ name: String) -> Program.Node {
        if let local = scope.locals.lastIndex(of: name) { return .local(Int32(local)) }
        if let capture = scope.captures.lastIndex(of: name) { return .capture(Int32(capture)) }
        return name == "request" ? .request : name == "resource" ? .resource : .unknownVariable
    }

    private mutating func member(_ operand: SyntaxTree.ExpressionID, _ name: Text) -> Program.Node {
        if case .variable(let variable) = tree[operand].kind, case .request = self.variable(variable) {
            return .requestMember(RequestName(rawValue: name.string) ?? .other, self.name(name.string))
        }
        return .member(build(operand), self.name(name.string))
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
        if let number = scope.functions.reversed().lazy.compactMap({ $0[name] }).first {
            if parameters[number].count == arguments.count { return .call(Int32(number), built) }
            let signature = "\(name)(\(parameters[number].joined(separator: ", ")))"
            return .wrongCall(signature: self.name(signature), built)
        }
        if let access = AccessFunction(rawValue: name) { return .access(access, built) }
        if let free = FreeFunction(rawValue: name) { return .builtIn(free, built) }
        return .unknownFunction(self.name(name), built)
    }
}

extension [Program.PatternSegment] {
    /// Whether they begin with `/databases/{database}/documents`, which every path does.
    fileprivate var isUsualStart: Bool {
        guard count >= RequestPath.prefixCount, case .literal("databases") = self[0], case .capture = self[1],
            case .literal("documents") = self[2]
        else { return false }
        return true
    }
}
