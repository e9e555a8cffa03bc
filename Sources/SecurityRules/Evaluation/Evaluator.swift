// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Evaluates conditions: one evaluator for reads, writes and queries, over values, errors and constraints.
struct Evaluator {
    static let expressionLimit = 1000

    let program: Program
    /// What `request`, `resource` and the calls that read documents give.
    var context: EvaluationContext
    /// The path that is judged, and the number of the pattern that fits it.
    var path: RequestPath?
    var pattern = 0
    /// How many expressions the request has evaluated so far.
    private(set) var count = 0
    /// What every expression gave, if somebody wants to know.
    var trace: EvaluationTrace?
    /// Parameters and `let`s of the running calls.
    private var slots: [Result<RuleValue, EvaluationError>] = []

    init(_ program: Program, _ context: EvaluationContext) {
        self.program = program
        self.context = context
    }

    /// Limits hold for each document of a request.
    mutating func beginItem() {
        count = 0
    }

    /// The value of a statement's condition. `frame` is where the slots of the running function begin.
    mutating func evaluate(_ id: Program.NodeID, frame: Int = 0) throws(EvaluationError) -> RuleValue {
        if trace != nil { return try traced(id, frame) }
        return try value(id, frame)
    }

    mutating func value(_ id: Program.NodeID, _ frame: Int) throws(EvaluationError) -> RuleValue {
        try countOne()
        switch program.nodes[Int(id)] {
        case .constant(let place): return program.constants[Int(place)]
        case .constantList(let place, let weight):
            try count(Int(weight) - 1)
            return program.constants[Int(place)]
        case .local(let place): return try slots[frame + Int(place)].get()
        case .capture(let place): return try capture(Int(place))
        case .request: return try context.wholeRequest()
        case .requestMember(let name, let place):
            try countOne()
            return try context.requestMember(name, program.names[Int(place)])
        case .resource: return try context.readResource()
        case .unknownVariable: throw .nullValue
        case .list(let elements): return .list(try evaluateAll(elements, frame))
        case .map(let entries): return try map(entries, frame)
        case .path(let parts): return try path(parts, frame)
        case .segment, .range: return try rare(id, frame)
        case .member(let operand, let name):
            return try Evaluator.member(program.names[Int(name)], of: try evaluate(operand, frame: frame))
        case .index(let left, let right):
            let operand = try evaluate(left, frame: frame)
            try Indexing.checkElements(of: operand)
            return try Indexing.element(try evaluate(right, frame: frame), of: operand)
        case .not(let operand): return try Operators.not(try evaluate(operand, frame: frame))
        case .negativeLiteral(let place):
            try countOne()
            return program.constants[Int(place)]
        case .negated(let operand): return try Operators.negated(try evaluate(operand, frame: frame))
        case .and(let left, let right): return try logical(left, right, frame, decides: false)
        case .or(let left, let right): return try logical(left, right, frame, decides: true)
        case .in(let left, let right): return try contains(left, right, frame)
        case .equality(let left, let right, let isNegated):
            let first = try evaluate(left, frame: frame)
            return .bool(try Operators.equality(first, try evaluate(right, frame: frame), isNegated: isNegated))
        case .comparison(let comparison, let left, let right):
            let first = try evaluate(left, frame: frame)
            return .bool(try Operators.compare(comparison, first, try evaluate(right, frame: frame)))
        case .arithmetic(let operation, let left, let right):
            let first = try evaluate(left, frame: frame)
            return try Arithmetic.apply(operation, first, try evaluate(right, frame: frame))
        case .typeTest(let operand, let type):
            try countOne()
            return .bool(try evaluate(operand, frame: frame).isOf(type))
        case .conditional(let condition, let whenTrue, let whenFalse):
            try countOne()
            let holds = try Evaluator.bool(try evaluate(condition, frame: frame))
            return try evaluate(holds ? whenTrue : whenFalse, frame: frame)
        case .call(let function, let arguments): return try call(Int(function), arguments, frame)
        case .builtIn, .access, .method, .unknownFunction, .unknownMethod, .wrongCall:
            return try builtIn(id, frame)
        }
    }

    private func capture(_ place: Int) throws(EvaluationError) -> RuleValue {
        let value = path.map { program.patterns[pattern].capture(place, of: $0) } ?? .null
        // The document of a query is not known.
        if case .null = value { throw .nullValue }
        return value
    }

    private mutating func rare(_ id: Program.NodeID, _ frame: Int) throws(EvaluationError) -> RuleValue {
        guard case .range(let operand, let from, let to) = program.nodes[Int(id)] else { throw .nullValue }
        let value = try evaluate(operand, frame: frame)
        try Indexing.checkRange(of: value)
        let start = from < 0 ? nil : try evaluate(from, frame: frame)
        let end = to < 0 ? nil : try evaluate(to, frame: frame)
        return try Indexing.range(start, end, of: value)
    }

    private mutating func contains(
        _ left: Program.NodeID, _ right: Program.NodeID, _ frame: Int
    ) throws(EvaluationError) -> RuleValue {
        if case .request = program.nodes[Int(right)], case .string(let name) = try evaluate(left, frame: frame) {
            try countOne()
            return .bool(context.request.has(name))
        }
        let container = try evaluate(right, frame: frame)
        try Operators.checkContainer(container)
        return .bool(try Operators.contains(container, try evaluate(left, frame: frame)))
    }

    /// Calls of functions that are not the user's.
    private mutating func builtIn(_ id: Program.NodeID, _ frame: Int) throws(EvaluationError) -> RuleValue {
        switch program.nodes[Int(id)] {
        case .builtIn(let function, let arguments):
            return try BuiltIns.call(function, try evaluateAll(arguments, frame))
        case .access(let function, let arguments):
            let values = try evaluateAll(arguments, frame)
            guard values.count == 1, case .path(let path) = values[0] else {
                throw BuiltIns.mismatch(function.rawValue, values, [["path"]])
            }
            return try context.access(function, path)
        case .method(let receiver, let method, let arguments, let pattern):
            let value = try evaluate(receiver, frame: frame)
            if arguments.count == 0, method == .size, let size = value.quickSize { return .int(Int64(size)) }
            try BuiltIns.check(method, on: value)
            return try BuiltIns.call(
                method, on: value, try evaluateAll(arguments, frame),
                pattern: pattern < 0 ? nil : program.textPatterns[Int(pattern)])
        case .unknownFunction(let name): throw .functionNotFound(program.names[Int(name)].string)
        case .unknownMethod(let receiver, let name):
            let value = try evaluate(receiver, frame: frame)
            if case .null = value { throw .nullValue }
            throw .functionNotFound(program.names[Int(name)].string)
        case .wrongCall(let signature, let count):
            let expected = program.names[Int(signature)]
            throw .other("Incorrect number of arguments. Received: \(count). Expected: \(expected).")
        default: throw .nullValue
        }
    }

    private mutating func countOne() throws(EvaluationError) {
        guard count < Evaluator.expressionLimit else { throw .tooManyExpressions }
        count += 1
    }

    private mutating func count(_ number: Int) throws(EvaluationError) {
        count = min(count + number, Evaluator.expressionLimit + 1)
        guard count <= Evaluator.expressionLimit else {
            count = Evaluator.expressionLimit
            throw .tooManyExpressions
        }
    }

    private mutating func evaluateAll(
        _ operands: Program.Operands, _ frame: Int
    ) throws(EvaluationError) -> [RuleValue] {
        guard operands.count > 0 else { return [] }
        var values: [RuleValue] = []
        values.reserveCapacity(Int(operands.count))
        for place in operands.range { values.append(try evaluate(program.operands[place], frame: frame)) }
        return values
    }

    static func bool(_ value: RuleValue) throws(EvaluationError) -> Bool {
        guard case .bool(let bool) = value else {
            throw .typeMismatch(received: value.type.rawValue, expected: "bool")
        }
        return bool
    }

    // MARK: Functions of the user

    /// Arguments and `let`s are evaluated at once. An error among them matters where the name is used.
    private mutating func call(
        _ number: Int, _ arguments: Program.Operands, _ frame: Int
    ) throws(EvaluationError) -> RuleValue {
        let base = slots.count
        defer { slots.removeSubrange(base...) }
        // The slots of running calls lie below, and the arguments' own calls leave none.
        for place in arguments.range { slots.append(side(program.operands[place], frame)) }
        for binding in program.functions[number].bindings {
            try countOne()
            slots.append(side(binding, base))
        }
        return try evaluate(program.functions[number].result, frame: base)
    }

    // MARK: Operators that do not evaluate all operands

    /// `&&` and `||`. An error, or a value that is no bool, matters only if the other side does not decide. The left
    /// side matters first.
    private mutating func logical(
        _ left: Program.NodeID, _ right: Program.NodeID, _ frame: Int, decides: Bool
    ) throws(EvaluationError) -> RuleValue {
        let first = side(left, frame)
        if case .success(.bool(decides)) = first { return .bool(decides) }
        try countOne()
        let second = side(right, frame)
        if case .success(.bool(decides)) = second { return .bool(decides) }
        if case .failure(.tooManyExpressions) = second { throw .tooManyExpressions }
        _ = try Evaluator.bool(try first.get())
        return .bool(try Evaluator.bool(try second.get()))
    }

    private mutating func side(_ id: Program.NodeID, _ frame: Int) -> Result<RuleValue, EvaluationError> {
        do { return .success(try evaluate(id, frame: frame)) } catch { return .failure(error) }
    }

    // MARK: Literals and members

    private mutating func map(_ entries: Program.Operands, _ frame: Int) throws(EvaluationError) -> RuleValue {
        var values: [RuleMap.Entry] = []
        for place in stride(from: entries.range.lowerBound, to: entries.range.upperBound, by: 2) {
            let key = try evaluate(program.operands[place], frame: frame)
            guard case .string(let name) = key else {
                throw .typeMismatch(received: key.type.rawValue, expected: "string")
            }
            values.append((name, try evaluate(program.operands[place + 1], frame: frame)))
        }
        return .map(RuleMap(values))
    }

    private mutating func path(_ parts: Program.Operands, _ frame: Int) throws(EvaluationError) -> RuleValue {
        var segments: [RulePath.Segment] = []
        for place in parts.range {
            let part = program.operands[place]
            if case .segment(let segment) = program.nodes[Int(part)] {
                try countOne()
                segments.append(program.segments[Int(segment)])
            } else {
                segments += try Paths.segments(of: try evaluate(part, frame: frame))
            }
        }
        return .path(RulePath(segments))
    }

    static func member(_ name: Text, of value: RuleValue) throws(EvaluationError) -> RuleValue {
        switch value {
        case .map(let map):
            guard let member = map[name] else { throw .undefinedProperty(name) }
            return member
        case .path(let path): return try path.value(of: name)
        case .null: throw .nullValue
        default: throw .typeMismatch(received: value.type.rawValue, expected: "map,path")
        }
    }
}
