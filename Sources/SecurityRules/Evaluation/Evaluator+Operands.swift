// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Several operands. All of them are evaluated even if one fails: what the others read and count matters to the limits,
/// and whether something was missed decides if documents are read. The first error counts.
extension Evaluator {
    mutating func both(
        _ left: Program.NodeID, _ right: Program.NodeID, _ frame: Int
    ) throws(EvaluationError) -> (RuleValue, RuleValue) {
        let first: RuleValue
        do { first = try evaluate(left, frame: frame) } catch { throw finish([right], frame, error) }
        return (first, try evaluate(right, frame: frame))
    }

    /// Evaluates the operands that are left after an error; those below 0 are none. The result is the error, or that of
    /// an exhausted limit, which nothing outranks.
    mutating func finish(
        _ rest: some Sequence<Program.NodeID>, _ frame: Int, _ error: EvaluationError
    ) -> EvaluationError {
        for id in rest where id >= 0 {
            do { _ = try evaluate(id, frame: frame) } catch .exhausted(let limit) { return .exhausted(limit) } catch {}
        }
        return error
    }

    mutating func evaluateAll(
        _ operands: Program.Operands, _ frame: Int
    ) throws(EvaluationError) -> [RuleValue] {
        guard operands.count > 0 else { return [] }
        var values: [RuleValue] = []
        values.reserveCapacity(Int(operands.count))
        for place in operands.range {
            do { values.append(try evaluate(program.operands[place], frame: frame)) } catch {
                throw finish(program.operands[operands.range][(place + 1)...], frame, error)
            }
        }
        return values
    }

    /// An error among the arguments matters only if the type has the method.
    mutating func arguments(
        _ operands: Program.Operands, of method: Method, on receiver: RuleValue, _ frame: Int
    ) throws(EvaluationError) -> [RuleValue] {
        do { return try evaluateAll(operands, frame) } catch .exhausted(let limit) { throw .exhausted(limit) } catch {
            try BuiltIns.check(method, on: receiver)
            throw error
        }
    }

    mutating func map(_ entries: Program.Operands, _ frame: Int) throws(EvaluationError) -> RuleValue {
        let operands = program.operands[entries.range]
        var values: [RuleMap.Entry] = []
        for place in stride(from: operands.startIndex, to: operands.endIndex, by: 2) {
            let name: Text
            do { name = try key(operands[place], frame) } catch {
                throw finish(operands[(place + 1)...], frame, error)
            }
            do { values.append((name, try evaluate(operands[place + 1], frame: frame))) } catch {
                throw finish(operands[(place + 2)...], frame, error)
            }
        }
        return try made(.map(RuleMap(values)))
    }

    private mutating func key(_ id: Program.NodeID, _ frame: Int) throws(EvaluationError) -> Text {
        let key = try evaluate(id, frame: frame)
        guard case .string(let name) = key else {
            throw .typeMismatch(received: key.type.rawValue, expected: "string")
        }
        return name
    }

    mutating func path(_ parts: Program.Operands, _ frame: Int) throws(EvaluationError) -> RuleValue {
        var segments: [RulePath.Segment] = []
        for place in parts.range {
            do { segments += try self.segments(program.operands[place], frame) } catch {
                throw finish(program.operands[parts.range][(place + 1)...], frame, error)
            }
        }
        return try paid(.path(RulePath(segments)))
    }

    private mutating func segments(
        _ part: Program.NodeID, _ frame: Int
    ) throws(EvaluationError) -> [RulePath.Segment] {
        guard case .segment(let place) = program.nodes[Int(part)] else {
            return try Paths.segments(of: try evaluate(part, frame: frame))
        }
        let segment = program.segments[Int(place)]
        // A variable is no expression.
        if case .text = segment { try countOne() }
        return [segment]
    }
}
