// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import BulkMove
    internal import CloudFirestore
    internal import DocumentEngine
    internal import DocumentModel
    internal import IndexCatalog
    internal import SyncCore

    /// A pull from a server.
    struct NetworkPull {
        private let database: DatabaseArgument
        private let remote: RemoteDatabase
        private let retries = RetryNotice()

        init(_ database: DatabaseArgument, _ remote: RemoteDatabase) {
            self.database = database
            self.remote = remote
        }

        func run() throws {
            let client = try remote.client()
            let (target, spoolPath) = (try remote.id(), PullSpool.path(of: database.path))
            // The server may keep it waiting.
            try database.expectWritable(as: target)
            let kept = try PullSpool(continuing: spoolPath, of: target, from: remote.server)
            let former = kept?.time
            do {
                let pull = try waiting {
                    try await Pull(
                        client, at: former, ofWholeMinute: remote.emulator == nil, clock: ContinuousClock(),
                        random: { Double.random(in: 0...1) },
                        reportRetry: retries.report)
                }
                if let former {
                    Diagnostics.write(
                        pull.goesOn
                            ? "hearth: the pull as of \(former) goes on"
                            : "hearth: the server has no state of \(former) any more; the pull begins anew")
                }
                let spool = try database.open(.creating(target)) { engine in
                    // Only here is it known that the database is the target's.
                    let spool =
                        if let kept, pull.goesOn {
                            kept
                        } else {
                            try PullSpool(spoolPath, of: target, from: remote.server, at: pull.time)
                        }
                    let indexes = try bringIndexes(client, into: engine)
                    let count = try load(pull, spool, into: engine)
                    let output = Output()
                    output.line(
                        "\(Numbers.counted(count, "document")) of \(target.resourceName) pulled into \(database.path)")
                    output.line(indexes)
                    return spool
                }
                spool.remove()
            } catch let error as SyncError {
                throw CommandFailure(error, "What was read is kept; the same command goes on.")
            }
        }

        /// Indexes are first, so that the load fills them. Returns what there is to say.
        private func bringIndexes(_ client: FirestoreClient, into engine: Engine) throws -> String {
            guard remote.emulator == nil else { return "No indexes were brought: an emulator lists none" }
            let target = engine.database
            let configuration: IndexConfiguration
            do {
                configuration = try waiting {
                    try await IndexDeployment(
                        AdminClient(client), target, clock: ContinuousClock(), random: { Double.random(in: 0...1) },
                        reportRetry: retries.report
                    ).present()
                }
            } catch let error as SyncError {
                return "No indexes were brought: \(error.code.name): \(error.message)"
            }
            try engine.apply(configuration, prune: false)
            return Numbers.counted(configuration.indexes.count, "composite index", "composite indexes") + " and "
                + Numbers.counted(configuration.fieldOverrides.count, "field override") + " brought"
        }

        private func load(
            _ pull: Pull<ContinuousClock>, _ spool: PullSpool, into engine: Engine
        ) throws -> Int {
            var spool = spool
            var page: [(path: DocumentPath, fields: Fields)] = []
            var last: DocumentPath?
            var (count, failure) = (0, nil as (any Error)?)
            var refusal: (path: DocumentPath, reason: String)?
            let progress = ProgressBar("Reading")
            defer { progress.finish() }
            let loaded: Int
            do {
                loaded = try engine.load(
                    next: { () throws(EngineError) in
                        do {
                            if let document = try spool.next() {
                                last = document.path
                                count += 1
                                progress.show(documents: count, fraction: nil)
                                return document
                            }
                            if let path = last {
                                try waiting { await pull.skip(to: path) }
                                last = nil
                            }
                            while page.isEmpty {
                                guard let next = try waiting(for: { try await pull.next() }) else { return nil }
                                page = next.reversed().map { ($0.path, $0.fields ?? .empty) }
                                try spool.append(page.reversed())
                            }
                        } catch {
                            failure = error
                            throw .refused(.unavailable, "\(error)")
                        }
                        count += 1
                        progress.show(documents: count, fraction: nil)
                        return page.removeLast()
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
