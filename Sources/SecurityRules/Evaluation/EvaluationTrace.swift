// SPDX-License-Identifier: Apache-2.0

/// The expressions that a request evaluated, as a tree in the order in which they began.
struct EvaluationTrace: Sendable {
    struct Step: Sendable {
        let node: Program.NodeID
        /// The number of steps around it.
        let depth: Int
        fileprivate(set) var result: Result<RuleValue, EvaluationError>
    }

    fileprivate(set) var steps: [Step] = []
    fileprivate var depth = 0
}

extension Evaluator {
    mutating func traced(_ id: Program.NodeID, _ frame: Int) throws(EvaluationError) -> RuleValue {
        let place = trace?.steps.count ?? 0
        let depth = trace?.depth ?? 0
        trace?.steps.append(EvaluationTrace.Step(node: id, depth: depth, result: .failure(.undecided)))
        trace?.depth += 1
        defer { trace?.depth -= 1 }
        do {
            let value = try value(id, frame)
            trace?.steps[place].result = .success(value)
            return value
        } catch {
            trace?.steps[place].result = .failure(error)
            throw error
        }
    }
}
