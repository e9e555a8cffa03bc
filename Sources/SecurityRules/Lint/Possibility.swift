// SPDX-License-Identifier: Apache-2.0

/// What an expression may give in requests of one method, as far as the method alone tells.
indirect enum Possibility {
    /// Always an error.
    case fails(Failure)
    case constant(RuleValue)
    case request
    /// `resource`, `request.resource` or the result of `get`: never null here.
    case document
    /// The `resource` of a query, which has no name.
    case queriedDocument
    /// The wildcard of a query's documents, which is null.
    case queriedName
    case condition(Truths)
    /// Any value, or an error.
    case unknown

    enum Failure: Hashable {
        /// `request.resource` in a read.
        case newResourceInRead
        /// `resource` in a create.
        case resourceOnCreate
        /// `request.resource` in a delete.
        case newResourceOnDelete
        /// The name or the ID of a query's documents.
        case nameInQuery
        case other
    }

    /// Which outcomes a condition may have.
    struct Truths: Equatable {
        var mayBeTrue = true
        var mayBeFalse = true
        var mayFail = true

        static let fails = Truths(mayBeTrue: false, mayBeFalse: false, mayFail: true)
        static let any = Truths()

        var negated: Truths { Truths(mayBeTrue: mayBeFalse, mayBeFalse: mayBeTrue, mayFail: mayFail) }

        func union(_ other: Truths) -> Truths {
            Truths(
                mayBeTrue: mayBeTrue || other.mayBeTrue, mayBeFalse: mayBeFalse || other.mayBeFalse,
                mayFail: mayFail || other.mayFail)
        }
    }

    static func bool(_ bool: Bool) -> Possibility { .constant(.bool(bool)) }

    /// What is no bool counts as a failure.
    var truths: Truths {
        switch self {
        case .constant(.bool(let bool)): Truths(mayBeTrue: bool, mayBeFalse: !bool, mayFail: false)
        case .condition(let truths): truths
        case .unknown: .any
        case .fails, .constant, .request, .document, .queriedDocument, .queriedName: .fails
        }
    }

    func union(_ other: Possibility) -> Possibility {
        switch (self, other) {
        case (.condition, .condition), (.condition, .constant(.bool)), (.constant(.bool), .condition),
            (.constant(.bool), .constant(.bool)):
            .condition(truths.union(other.truths))
        default: .unknown
        }
    }
}
