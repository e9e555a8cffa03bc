// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// What one disjunct asks of its indexes: operators and fields, never values (admission, design decision 2).
struct IndexRequirement: Hashable, Sendable {
    /// E of section 4.4.
    let equalities: [FieldPath]
    /// C of section 4.4.
    let membership: FieldPath?
    /// The query's complete order, `__name__` last.
    let orders: [Order]
    /// A vector that the index must end with.
    let vector: IndexField?

    init(_ disjunct: Disjunct, orders: [Order], nearest: FindNearest?) {
        equalities = disjunct.equalities.map(\.path)
        membership = disjunct.membership?.path
        self.orders = orders
        vector = nearest.map { IndexField($0.path, .vector(dimension: $0.vector.count)) }
    }

    private init(equalities: [FieldPath], orders: [Order], of requirement: IndexRequirement) {
        self.equalities = equalities
        self.orders = orders
        membership = requirement.membership
        vector = requirement.vector
    }

    /// The same with its equalities sorted: their order asks for nothing (I-28).
    var sorted: IndexRequirement { IndexRequirement(equalities: equalities.sorted(), orders: orders, of: self) }

    /// The same rows from the other end.
    var reversed: IndexRequirement {
        IndexRequirement(equalities: equalities, orders: orders.map { Order($0.path, $0.direction.reversed) }, of: self)
    }

    /// The places of E and then C: what the members of a plan must cover together.
    var all: FieldSet { FieldSet(count: equalities.count + (membership == nil ? 0 : 1)) }

    var nameDirection: Direction { orders[orders.count - 1].direction }

    /// Whether nothing is asked but name order.
    var isNameOrder: Bool { orders.count == 1 }
}

/// An index that covers a part of a requirement: P as its equality prefix, then exactly the orders that are left (I-25).
struct Candidate: Sendable {
    let index: IndexReference
    /// The number of index fields in the equality prefix.
    let prefixCount: Int
    /// The places in the requirement that it enforces: by its prefix, or by a point in an order field.
    let covered: FieldSet
    /// The places of the orders that it leaves out because its own prefix binds them (production-2026 A1). Only candidates
    /// that leave out the same orders deliver their rows alike.
    let dropped: FieldSet
}
