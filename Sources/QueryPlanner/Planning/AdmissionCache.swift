// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import Synchronization

/// Remembers which indexes serve which demands, so that queries of one shape are matched against the catalogue once.
///
/// It holds admission, which fields and operators decide; no values and no estimates. It belongs to one state of one catalogue:
/// whoever changes indexes begins a new one.
package final class AdmissionCache: Sendable {
    struct Shape: Hashable {
        let collectionGroup: Text?
        let scope: QueryScope
        let demand: Demand
    }

    /// More shapes than an application has; when they are reached, all are forgotten.
    static let capacity = 1_024

    /// Nil for a demand that no indexes serve.
    private let known = Mutex<[Shape: IndexSelection?]>([:])

    package init() {}

    /// How many shapes are remembered.
    package var count: Int { known.withLock { $0.count } }

    func selection(for shape: Shape, _ find: () -> IndexSelection?) -> IndexSelection? {
        if let selection = known.withLock({ $0[shape] }) { return selection }
        let selection = find()
        known.withLock { known in
            if known.count >= AdmissionCache.capacity { known.removeAll(keepingCapacity: true) }
            known[shape] = .some(selection)
        }
        return selection
    }
}
