// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import Synchronization

/// Remembers which indexes serve which demands, so that queries of one shape are matched against the catalogue once.
///
/// It holds admission, which fields and operators decide; no estimates, and no value is asked for. It belongs to one state of
/// one catalogue: whoever changes indexes begins a new one.
package final class AdmissionCache: Sendable {
    struct Shape: Hashable {
        let collectionGroup: Text?
        let scope: QueryScope
        let demand: Demand
    }

    /// More shapes than an application has; when they are reached, all are forgotten.
    static let capacity = 1_024

    private struct Memory {
        /// Nil for a demand that no indexes serve.
        var known: [Shape: IndexSelection?] = [:]
        /// The one asked for last, which is mostly asked for next, and sooner compared than hashed.
        var last: (shape: Shape, selection: IndexSelection?)?

        mutating func selection(for shape: Shape) -> IndexSelection?? {
            if let last, last.shape == shape { return .some(last.selection) }
            guard let selection = known[shape] else { return nil }
            last = (shape, selection)
            return .some(selection)
        }
    }

    private let memory = Mutex(Memory())

    package init() {}

    /// How many shapes are remembered.
    package var count: Int { memory.withLock { $0.known.count } }

    /// Shapes of whole queries, those of the last ones.
    private let shapes = Mutex<(all: [KnownShape], oldest: Int)>(([], 0))
    private static let shapeCapacity = 8

    func shape(of query: Query) -> KnownShape? {
        shapes.withLock { shapes in shapes.all.first { $0.isShape(of: query) } }
    }

    func note(_ shape: KnownShape) {
        shapes.withLock { shapes in
            guard shapes.all.count == AdmissionCache.shapeCapacity else { return shapes.all.append(shape) }
            shapes.all[shapes.oldest] = shape
            shapes.oldest = (shapes.oldest + 1) % AdmissionCache.shapeCapacity
        }
    }

    func selection(for shape: Shape, _ find: () -> IndexSelection?) -> IndexSelection? {
        if let selection = memory.withLock({ $0.selection(for: shape) }) { return selection }
        let selection = find()
        memory.withLock { memory in
            if memory.known.count >= AdmissionCache.capacity { memory.known.removeAll(keepingCapacity: true) }
            memory.known[shape] = .some(selection)
        }
        return selection
    }
}
