// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import ArgumentParser
    internal import BulkMove
    internal import CloudFirestore
    internal import DocumentEngine
    internal import DocumentModel
    internal import IndexCatalog
    internal import ReplicaStore
    internal import SyncCore

    /// A push to a server: indexes, documents, and the database's file becomes the replica.
    struct NetworkPush {
        private let path: String
        private let remote: RemoteDatabase
        private let target: DatabaseID
        private let ramp: WriteRamp
        private let compares: Bool

        /// Where the replica grows, and what the database is called afterwards.
        private var replicaPath: String { path + ".push" }
        private var oldPath: String { path + ".before-push" }

        /// - Parameter rate: writes a second at first, if not the usual number.
        init(_ path: String, _ remote: RemoteDatabase, rate: Int?, compares: Bool) throws {
            self.path = path
            self.remote = remote
            self.compares = compares
            target = try remote.id()
            // An emulator has no servers that could be overloaded.
            ramp =
                rate.map { WriteRamp(start: Double($0)) }
                ?? (remote.emulator == nil ? WriteRamp() : WriteRamp(start: 100_000))
        }

        func run() throws {
            guard !System.exists(oldPath) else {
                throw CommandFailure(
                    "\"\(oldPath)\" is the database before an earlier push. Remove it, or move it away, to push again"
                )
            }
            let client = try remote.client()
            let (summary, comparison) = try waiting { try await push(client) }
            for failure in summary.failures.prefix(20) {
                Output().line("\(failure.path): \(failure.error.code.name): \(failure.error.message)")
            }
            guard summary.failures.isEmpty else {
                throw CommandFailure(
                    "\(Numbers.counted(summary.failures.count, "document")) could not be written; "
                        + "\(Numbers.grouped(summary.written)) were. Correct them in \"\(path)\" and push again"
                )
            }
            guard summary.isComplete else {
                throw CommandFailure(
                    "\"\(path)\" changes faster than it is sent. End the programs that write it and push again"
                )
            }
            try finish(summary, comparison)
        }

        private func push(
            _ client: FirestoreClient
        ) async throws -> (Push<ContinuousClock>.Summary, comparison: String) {
            do {
                var options = Engine.Options()
                (options.creates, options.readOnly) = (false, true)
                let source = try Engine.open(path, options)
                guard !source.isReplica else {
                    throw CommandFailure(
                        "\"\(path)\" is the offline data of \(source.database.resourceName) already: a program that opens it "
                            + "with a remote sends what is to be sent")
                }
                let configuration = try await deployIndexes(of: source, client)
                let replica = try replica(configuration)
                let summary = try await send(source, replica, client)
                guard summary.isComplete, summary.failures.isEmpty else { return (summary, "") }
                return (summary, try await compare(replica, client))
            } catch let error as SyncError {
                throw CommandFailure(error, "What was written is kept; the same command goes on.")
            } catch let error as EngineError {
                throw CommandFailure(error, database: path)
            }
        }

        private func send(
            _ source: Engine, _ replica: EngineReplica, _ client: FirestoreClient
        ) async throws -> Push<ContinuousClock>.Summary {
            let progress = ProgressBar("Sending")
            defer { progress.finish() }
            let push = Push(
                source, replica: replica, server: client, ramp: ramp, clock: ContinuousClock(),
                random: { Double.random(in: 0...1) }
            ) {
                progress.show(
                    documents: $0.done, fraction: Double($0.done) / Double(max(1, $0.total)),
                    note: ", \(Numbers.span(seconds: $0.remaining)) left")
            }
            return try await push.run()
        }

        /// A push is done without the comparison too: a failure is only told.
        private func compare(_ replica: EngineReplica, _ client: FirestoreClient) async throws -> String {
            let download = "The first listen of each query downloads its rows"
            guard compares else { return "Not compared with the server. \(download)" }
            let progress = ProgressBar("Comparing")
            defer { progress.finish() }
            do {
                let comparison = Comparison(replica, server: client, clock: ContinuousClock()) {
                    Double.random(in: 0...1)
                }
                let result = try await comparison.run { progress.show(documents: $0, fraction: nil) }
                guard result.isWhole else {
                    return "Not compared with the server, which has many other documents. \(download)"
                }
                return "\(Numbers.counted(result.documents, "version")) compared with the server: "
                    + "\(Numbers.grouped(result.fetched)) fetched, \(Numbers.grouped(result.removed)) removed. First "
                    + "listens go on from \(result.time)"
            } catch let error as SyncError {
                return "Not compared with the server: \(error.code.name): \(error.message). \(download)"
            }
        }

        private func replica(_ configuration: IndexConfiguration) throws -> EngineReplica {
            var options = Engine.Options()
            options.identity = target
            let replica = try EngineReplica(replicaPath, options)
            // What another client queued meanwhile would be missing from the comparison of both sides.
            try replica.keepOthersAway()
            try replica.engine.apply(configuration, prune: true)
            return replica
        }

        /// Indexes are first: those of an empty database are ready at once.
        private func deployIndexes(of source: Engine, _ client: FirestoreClient) async throws
            -> IndexConfiguration
        {
            let catalog = try source.catalog()
            let configuration = IndexConfiguration(
                indexes: catalog.composites.map(\.definition),
                fieldOverrides: catalog.indexes.fieldOverrides)
            guard remote.emulator == nil else { return configuration }
            let deployment = IndexDeployment(AdminClient(client), target, clock: ContinuousClock()) {
                Double.random(in: 0...1)
            }
            let difference = try await deployment.run(configuration) {
                Diagnostics.write("hearth: \($0)")
            }
            if !difference.isEmpty { Diagnostics.write("hearth: the indexes are ready") }
            return configuration
        }

        private func finish(_ summary: Push<ContinuousClock>.Summary, _ comparison: String) throws {
            let count = Numbers.counted(summary.written + summary.kept, "document")
            let isExchanged: Bool
            do throws(System.Failure) {
                isExchanged = try System.exchangeDatabase(path, with: replicaPath, keepingAs: oldPath)
            } catch {
                throw CommandFailure(
                    "\"\(replicaPath)\" cannot take the place of \"\(path)\": \(error.reason)")
            }
            guard isExchanged else {
                throw CommandFailure(
                    "\(count) are in \(target.resourceName), but \"\(path)\" is open in another program. End it and push "
                        + "again: then the file becomes the offline data of the server's database")
            }
            let output = Output()
            output.line("\(count) of \(target.resourceName) written")
            output.line(comparison)
            output.line("\"\(path)\" is its offline data now; \"\(oldPath)\" is the database as it was")
        }
    }
#endif
