// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// What one transaction of a replica changes: documents as the program sees them, and records beside them.
package struct ReplicaChange: Sendable {
    /// A record that must still be what was read, so that the change rests on no older state. Nil for a missing one.
    package let basis: (key: [UInt8], value: [UInt8]?)
    /// Nil removes the document.
    package var documents: [DocumentPath: Document?]
    /// Nil removes the record, if there is one. In any order, each key once.
    package var records: [(key: [UInt8], value: [UInt8]?)]

    package init(
        basis: (key: [UInt8], value: [UInt8]?), documents: [DocumentPath: Document?],
        records: [(key: [UInt8], value: [UInt8]?)]
    ) {
        self.basis = basis
        self.documents = documents
        self.records = records
    }
}

extension TransactionScheduler {
    /// See ``Engine/commit(_:)-(ReplicaChange)``.
    func commit(_ change: ReplicaChange) throws(EngineError) {
        try write { (transaction, commitTime, log) throws(EngineError) in
            guard try transaction.copy(of: change.basis.key, in: .replica) == change.basis.value else {
                throw .refused(.aborted, "Another client has changed the replica meanwhile. Try again.")
            }
            try TransactionScheduler.store(change.records, &transaction)
            let catalog = try self.catalogs.read(&transaction)
            let cached = WriterCache.Content(catalogVersion: catalog.version)
            var applier = try WriteApplier(catalog, cached: cached, database: self.database, &transaction)
            for (path, document) in change.documents {
                try applier.overwrite(path, with: document, transaction)
            }
            if log.isRecording { log.note(applier.changesOfCommit(), at: commitTime) }
            _ = try applier.finish(placingPages: false, &transaction)
        }
    }

    private static func store(
        _ records: [(key: [UInt8], value: [UInt8]?)], _ transaction: inout Transaction
    ) throws(EngineError) {
        var put = EntryBuffer()
        var removed = EntryBuffer()
        for (key, value) in records {
            if let value { put.append(key: key, value: value) } else { removed.append(key: key, value: []) }
        }
        put.sort()
        removed.sort()
        let writer = try LongKeyWriter(.replica, &transaction)
        for index in removed.entries.indices {
            _ = try writer.delete(removed.bytes.span.bytes.extracting(removed.key(index)), &transaction)
        }
        try writer.put(put, 0..<put.entries.count, &transaction)
        writer.close(&transaction)
    }
}
