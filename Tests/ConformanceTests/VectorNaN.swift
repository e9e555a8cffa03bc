// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import TestSupport

extension Scenario {
    /// This scenario with NaN in vectors sorted after every number, as the emulator does in operands. It stores
    /// none.
    var withGreatestNaNInVectors: Scenario {
        var scenario = self
        scenario.documents = documents.mapValues { $0.withGreatestNaNInVectors }
        scenario.request = request.with { query in
            query.filter = query.filter?.withGreatestNaNInVectors
            query.start = query.start?.withGreatestNaNInVectors
            query.end = query.end?.withGreatestNaNInVectors
        }
        return scenario
    }
}

extension Value {
    /// Replaces each number of a vector by two numbers that sort in its order: whether it is NaN, and the number.
    fileprivate var withGreatestNaNInVectors: Value {
        switch self {
        case .vector(let numbers): .vector(numbers.flatMap { $0.isNaN ? [1, 0] : [0, $0] })
        case .array(let elements): .array(elements.map(\.withGreatestNaNInVectors))
        case .map(let fields): .map(fields.withGreatestNaNInVectors)
        default: self
        }
    }
}

extension Fields {
    fileprivate var withGreatestNaNInVectors: Fields {
        Fields(sorted: storage.map { Field($0.name, $0.value.withGreatestNaNInVectors) })
    }
}

extension Cursor {
    fileprivate var withGreatestNaNInVectors: Cursor {
        Cursor(values.map(\.withGreatestNaNInVectors), before: before)
    }
}

extension Filter {
    fileprivate var withGreatestNaNInVectors: Filter {
        switch self {
        case .and(let parts): .and(parts.map(\.withGreatestNaNInVectors))
        case .or(let parts): .or(parts.map(\.withGreatestNaNInVectors))
        case .field(let path, let fieldOperator, let operand):
            .field(path, fieldOperator, operand.withGreatestNaNInVectors)
        case .unary: self
        }
    }
}
