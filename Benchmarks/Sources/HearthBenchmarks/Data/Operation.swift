// SPDX-License-Identifier: Apache-2.0

/// A read, written once and answered by every engine in its own way.
struct Operation {
    enum Kind {
        /// One document by its ID, which is the only parameter; one field of it is used.
        case point
        /// The documents of a query, delivered whole; one field of each is used.
        case documents
        case count
        case sum(String)
    }

    enum Comparison {
        case equal, atLeast, below
        case contains
        /// Any of so many operands.
        case among(Int)
    }

    var kind = Kind.documents
    var filters: [(field: String, comparison: Comparison)] = []
    var order: [(field: String, descending: Bool)] = []
    /// Whether the last parameter is the place after which a page begins: a value of the order, or an ID if there is no order.
    var startsAfter = false
    var limit: Int?
    /// The integer field that is used of each document.
    var uses = ""
    /// Operands of the filters in order, then of the cursor: one list for each of many runs.
    var parameters: [[Plain]] = []
}

/// What an engine answered. Engines add what they deliver; equal answers have equal counts, sums and IDs.
struct Answer: Equatable {
    var count: Int64 = 0
    var sum: Int64 = 0
    /// In order; empty unless they are asked for.
    var ids: [String] = []
    /// Whether IDs are wanted: only while answers are compared, not while they are timed.
    var keepsIDs = false
}

/// An engine that holds a dataset.
protocol ReadEngine {
    var name: String { get }

    /// Makes an operation ready to run with any of its parameters; nil where the engine has no such thing.
    func prepare(_ operation: Operation) throws -> ((_ parameters: Int, _ answer: inout Answer) throws -> Void)?
}
