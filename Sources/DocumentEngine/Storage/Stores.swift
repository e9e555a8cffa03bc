// SPDX-License-Identifier: Apache-2.0

package import LMDB

/// A store whose keys may have any length.
package enum StoreName: Sendable {
    /// The header, counters, collection IDs, index IDs and index definitions.
    case catalog
    case documents
    /// Entries of automatic (single-field) indexes.
    case fieldEntries
    case compositeEntries
    /// What a client of Cloud Firestore keeps beside its documents. Only a file that is a replica has it.
    case replica
}

/// The LMDB stores of a database. docs/format.md describes their keys and values.
package struct Stores: Sendable {
    package let catalog: Store
    package let documents: Store
    package let fieldEntries: Store
    package let compositeEntries: Store
    /// Overflow chains: the suffixes of long keys.
    package let overflow: Store
    /// Replaced versions of documents, if the database was opened to keep them. Its keys are short.
    package internal(set) var history: Store?
    /// The store of ``StoreName/replica``, if the file has it.
    package internal(set) var replica: Store?

    package static let names = [catalogName, "documents", "fields", "composites", overflowName]
    static let catalogName = "catalog"
    static let overflowName = "continuations"
    package static let historyName = "history"
    package static let replicaName = "replica"

    /// - Parameter opened: the stores of ``names``, in that order.
    init(_ opened: [Store]) {
        catalog = opened[0]
        documents = opened[1]
        fieldEntries = opened[2]
        compositeEntries = opened[3]
        overflow = opened[4]
    }

    package subscript(name: StoreName) -> Store {
        switch name {
        case .catalog: catalog
        case .documents: documents
        case .fieldEntries: fieldEntries
        case .compositeEntries: compositeEntries
        case .replica: replica!
        }
    }

    /// The stores that the file has.
    var present: [StoreName] {
        [.catalog, .documents, .fieldEntries, .compositeEntries] + (replica == nil ? [] : [.replica])
    }
}
