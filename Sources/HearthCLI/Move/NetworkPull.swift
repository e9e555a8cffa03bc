// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import BulkMove
    internal import DocumentEngine
    internal import DocumentModel
    internal import CloudFirestore
    internal import IndexCatalog
    internal import SyncCore

    /// A pull from a server.
    struct NetworkPull {
        private let database: DatabaseArgument
        private let remote: RemoteDatabase

        init(_ database: DatabaseArgument, _ remote: RemoteDatabase) {
            self.database = database
            self.remote = remote
        }

        func run() throws {
            let client = try remote.client()
            do {
                let pull = try waiting {
                    try await Pull(client, clock: ContinuousClock()) { Double.random(in: 0...1) }
                }
                try database.open(.creating(try remote.id())) { engine in
                    let count = try load(pull, into: engine)
                    Output().line(
                        "\(Numbers.counted(count, "document")) of \(engine.database.resourceName) pulled into \(database.path)"
                    )
                }
            } catch let error as SyncError {
                throw CommandFailure(error, "Nothing was pulled; the same command begins anew.")
            }
        }

        private func load(_ pull: Pull<ContinuousClock>, into engine: Engine) throws -> Int {
            var page: [SyncDocument] = []
            var (count, failure) = (0, nil as (any Error)?)
            var refusal: (path: DocumentPath, reason: String)?
            let progress = ProgressBar("Reading")
            defer { progress.finish() }
            let loaded: Int
            do {
                loaded = try engine.load(
                    next: { () throws(EngineError) in
                        do {
                            while page.isEmpty {
                                guard let next = try waiting(for: { try await pull.next() }) else { return nil }
                                page = next.reversed()
                            }
                        } catch {
                            failure = error
                            throw .refused(.unavailable, "\(error)")
                        }
                        count += 1
                        progress.show(documents: count, fraction: nil)
                        let document = page.removeLast()
                        return (document.path, document.fields ?? .empty)
                    },
                    reject: { path, error in refusal = refusal ?? (path, error.message) })
            } catch {
                // What the load throws does not say what the server said.
                throw failure ?? error
            }
            if let (path, reason) = refusal {
                throw CommandFailure("a document cannot be stored, others were: \(path): \(reason)")
            }
            return loaded
        }
    }
#endif
