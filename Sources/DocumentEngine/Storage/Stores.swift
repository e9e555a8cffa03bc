// SPDX-License-Identifier: Apache-2.0

package import LMDB

/// The named LMDB stores of a database. docs/format.md describes their keys and values.
package struct Stores: Sendable {
    /// The header, counters, numbers of collections and indexes, index definitions.
    package let catalog: Store
    package let documents: Store
    /// Entries of automatic (single-field) indexes.
    package let fieldEntries: Store
    /// Entries of composite indexes.
    package let compositeEntries: Store
    /// What follows the first bytes of keys that are too long for LMDB.
    package let continuations: Store

    package static let names = ["catalog", "documents", "fields", "composites", "continuations"]

    /// - Parameter opened: the stores of ``names``, in that order.
    init(_ opened: [Store]) {
        catalog = opened[0]
        documents = opened[1]
        fieldEntries = opened[2]
        compositeEntries = opened[3]
        continuations = opened[4]
    }

    package func keyed(_ store: Store) -> KeyedStore {
        KeyedStore(store: store, continuations: continuations)
    }
}
