// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// What one disjunct requires from indexes: operators and fields, never values (admission is not execution).
struct IndexRequirement: Hashable, Sendable {
    /// The fields bound by equality: E of I-25.
    let equalities: [FieldPath]
    /// The field of the membership filter: C of I-25.
    let membership: FieldPath?
    /// The query's complete order, `__name__` last.
    let orders: [Order]
    /// The vector field at the end of the index.
    let vector: IndexField?

    init(_ disjunct: Disjunct, orders: [Order], nearest: FindNearest?) {
        equalities = disjunct.equalities.map(\.path)
        membership = disjunct.membership?.path
        self.orders = orders
        vector = nearest.map { IndexField($0.path, .vector(dimension: $0.vector.count)) }
    }

    /// What a composite serves alone: == on its first fields, and the order of the others. It may have a field twice.
    init(_ index: IndexDefinition, binding count: Int) {
        let bound = index.fields.prefix(count)
        let rest = index.fields.dropFirst(count)
        var seen: Set<FieldPath> = []
        equalities = bound.filter { $0.mode != .contains }.map(\.path).filter { seen.insert($0).inserted }
        membership = bound.first { $0.mode == .contains }?.path
        let orders = rest.compactMap { field in
            if case .order(let direction) = field.mode { Order(field.path, direction) } else { nil }
        }
        self.orders = orders + [Order(.documentName, index.nameDirection)]
        vector = rest.last.flatMap { $0.mode.isVector ? $0 : nil }
    }

    private init(equalities: [FieldPath], orders: [Order], of requirement: IndexRequirement) {
        self.equalities = equalities
        self.orders = orders
        membership = requirement.membership
        vector = requirement.vector
    }

    /// The requirement with sorted equalities, whose order is irrelevant (I-28).
    var sorted: IndexRequirement { IndexRequirement(equalities: equalities.sorted(), orders: orders, of: self) }

    /// The requirement for the reversed rows.
    var reversed: IndexRequirement {
        IndexRequirement(equalities: equalities, orders: orders.map { Order($0.path, $0.direction.reversed) }, of: self)
    }

    /// The places of E and then C. The members of a plan must cover them together.
    var all: FieldSet { FieldSet(count: equalities.count + (membership == nil ? 0 : 1)) }

    /// The fields that an index may have which covers a part of it.
    var fields: Set<FieldPath> {
        Set(equalities + [membership, vector?.path].compactMap { $0 } + orders.map(\.path))
    }

    var nameDirection: Direction { orders[orders.count - 1].direction }

    /// Whether name order is the only order.
    var isNameOrder: Bool { orders.count == 1 }
}

/// An index that covers a part of a requirement: an equality prefix, then exactly the remaining orders (I-25).
struct Candidate: Sendable {
    let index: IndexReference
    /// The number of index fields in the equality prefix.
    let prefixCount: Int
    /// The places that it enforces, by its prefix or by a point in an ordered field.
    let covered: FieldSet
    /// The orders that it leaves out because its prefix binds them (I-43). Only candidates that leave
    /// out the same orders give rows in the same order.
    let dropped: FieldSet
}
