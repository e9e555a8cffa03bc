// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Evaluates conditions: one evaluator for reads, writes and queries, over values, errors and constraints.
struct Evaluator {
    let program: Program
    /// What `request`, `resource` and the calls that read documents give.
    var context: EvaluationContext
    /// The path that is judged, and the number of the pattern that fits it.
    var path: RequestPath?
    var pattern = 0
    /// How many expressions the request has evaluated so far.
    var count = 0
    /// What the values may still take that conditions make, in bytes.
    var room = Evaluator.largestRoom
    /// What conditions may still walk over, in bytes.
    var reach = Evaluator.longestReach
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
        room = Evaluator.largestRoom
        reach = Evaluator.longestReach
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
        case .list(let elements): return try made(.list(RuleList(try evaluateAll(elements, frame))))
        case .map(let entries): return try map(entries, frame)
        case .path(let parts): return try path(parts, frame)
        case .segment, .range: return try rare(id, frame)
        case .member(let operand, let name):
            return try Evaluator.member(program.names[Int(name)], of: try evaluate(operand, frame: frame))
        case .index(let left, let right):
            let operand: RuleValue
            do {
                operand = try evaluate(left, frame: frame)
                try Indexing.checkElements(of: operand)
            } catch { throw finish([right], frame, error) }
            try walkText(operand)
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
            let (first, second) = try both(left, right, frame)
            try walkEqual(first, second)
            return .bool(try Operators.equality(first, second, isNegated: isNegated))
        case .comparison(let comparison, let left, let right):
            let (first, second) = try both(left, right, frame)
            try walkTexts(first, second)
            return .bool(try Operators.compare(comparison, first, second))
        case .arithmetic(let operation, let left, let right):
            let (first, second) = try both(left, right, frame)
            try spendOnTexts(first, second)
            return try Arithmetic.apply(operation, first, second)
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
        let value: RuleValue
        do {
            value = try evaluate(operand, frame: frame)
            try Indexing.checkRange(of: value)
            try walk(value.extent)
        } catch { throw finish([from, to], frame, error) }
        let start: RuleValue?
        do { start = try bound(from, frame) } catch { throw finish([to], frame, error) }
        return try paid(try Indexing.range(start, try bound(to, frame), of: value))
    }

    /// Nil for a bound that is left out.
    private mutating func bound(_ id: Program.NodeID, _ frame: Int) throws(EvaluationError) -> RuleValue? {
        id < 0 ? nil : try evaluate(id, frame: frame)
    }

    private mutating func contains(
        _ left: Program.NodeID, _ right: Program.NodeID, _ frame: Int
    ) throws(EvaluationError) -> RuleValue {
        if case .request = program.nodes[Int(right)], case .string(let name) = try evaluate(left, frame: frame) {
            try countOne()
            return .bool(context.request.has(name))
        }
        let container: RuleValue
        do {
            container = try evaluate(right, frame: frame)
            try Operators.checkContainer(container)
        } catch { throw finish([left], frame, error) }
        let element = try evaluate(left, frame: frame)
        try walkContainer(container, element)
        return .bool(try Operators.contains(container, element))
    }

    /// Calls of functions that are not the user's.
    private mutating func builtIn(_ id: Program.NodeID, _ frame: Int) throws(EvaluationError) -> RuleValue {
        switch program.nodes[Int(id)] {
        case .builtIn(let function, let arguments):
            let values = try evaluateAll(arguments, frame)
            for value in values { try walk(value.extent) }
            let result = try BuiltIns.call(function, values)
            // A value that has the type already is given as it is.
            return try result.type == values.first?.type ? result : paid(result)
        case .access(let function, let arguments):
            let values = try evaluateAll(arguments, frame)
            guard values.count == 1, case .path(let path) = values[0] else {
                throw BuiltIns.mismatch(function.rawValue, values, [["path"]])
            }
            try walk(values[0].extent)
            return try context.access(function, path)
        case .method(let receiver, let method, let arguments, let pattern):
            let rest = program.operands[arguments.range]
            let value: RuleValue
            do { value = try evaluate(receiver, frame: frame) } catch { throw finish(rest, frame, error) }
            if case .null = value { throw finish(rest, frame, .nullValue) }
            if arguments.count == 0, method == .size, let size = value.quickSize { return .int(Int64(size)) }
            let values = try self.arguments(arguments, of: method, on: value, frame)
            try walkOperands(of: method, value, values)
            let result = try BuiltIns.call(
                method, on: value, values, pattern: pattern < 0 ? nil : program.textPatterns[Int(pattern)], room: room,
                steps: &reach)
            return try paid(result, by: method, of: value)
        case .unknownFunction(let name, let arguments):
            let error = EvaluationError.functionNotFound(program.names[Int(name)].string)
            throw finish(program.operands[arguments.range], frame, error)
        case .unknownMethod(let receiver, let name, let arguments):
            var error = EvaluationError.functionNotFound(program.names[Int(name)].string)
            do { if case .null = try evaluate(receiver, frame: frame) { error = .nullValue } } catch let failure {
                error = failure
            }
            throw finish(program.operands[arguments.range], frame, error)
        case .wrongCall(let signature, let arguments):
            let expected = program.names[Int(signature)]
            let error = EvaluationError.other(
                "Incorrect number of arguments. Received: \(arguments.count). Expected: \(expected).")
            throw finish(program.operands[arguments.range], frame, error)
        default: throw .nullValue
        }
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
        if case .failure(.exhausted(let limit)) = second { throw .exhausted(limit) }
        _ = try Evaluator.bool(try first.get())
        return .bool(try Evaluator.bool(try second.get()))
    }

    private mutating func side(_ id: Program.NodeID, _ frame: Int) -> Result<RuleValue, EvaluationError> {
        do { return .success(try evaluate(id, frame: frame)) } catch { return .failure(error) }
    }

    // MARK: Members

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
