// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB

extension Engine {
    /// Writes documents in commits of many, each replacing what stands under its name: the way in for bulk loads.
    ///
    /// `next` is asked for documents until it gives nil, once each, also when a commit has to be repeated because the map grew.
    /// A document over a limit is handed to `reject` and left out.
    ///
    /// - Returns: how many documents were written.
    package func load(
        next: () throws(EngineError) -> (path: DocumentPath, fields: Fields)?,
        reject: (DocumentPath, EngineError) -> Void, progress: (Int) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        var count = 0
        while true {
            var writes: [Write] = []
            var size = 0
            while writes.count < Engine.loadCount, size < Engine.loadSize, let document = try next() {
                let write = Write.set(document.path, document.fields)
                do throws(EngineError) {
                    try WriteValidator.validate(write, database: database)
                } catch {
                    reject(document.path, error)
                    continue
                }
                size += DocumentSize.size(of: document.fields)
                writes.append(write)
            }
            guard !writes.isEmpty else { return count }
            try write { (cursors, commitTime) throws(EngineError) in
                let catalog = try self.catalogs.read(&cursors)
                var applier = try WriteApplier(
                    self.stores, catalog, database: self.database, commitTime: commitTime, &cursors)
                for write in writes { _ = try applier.apply(write, &cursors) }
                try applier.finish(&cursors)
            }
            count += writes.count
            progress(count)
        }
    }

    /// A commit's documents and their bytes by formula: enough that sorting pays, little enough to stay in memory.
    private static let loadCount = 60_000
    private static let loadSize = 32 << 20
}
