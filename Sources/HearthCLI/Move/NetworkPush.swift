// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import ArgumentParser
    internal import BulkMove
    internal import CloudFirestore
    internal import DocumentEngine
    internal import DocumentModel
    internal import IndexCatalog
    internal import LMDB
    internal import ReplicaStore
    internal import SyncCore

    /// A push to a server: indexes, documents, and the database's file becomes the replica.
    struct NetworkPush {
        private let path: String
        private let remote: RemoteDatabase
        private let target: DatabaseID
        private let ramp: WriteRamp
        private let compares: Bool
        private let retries = RetryNotice()

        /// Where the replica grows, and what the database is called afterwards.
        private var replicaPath: String { PushRecord.path(of: path) }
        private var oldPath: String { path + ".before-push" }

        /// - Parameter rate: writes a second at first, if not the usual number.
        init(_ path: String, _ remote: RemoteDatabase, rate: Int?, compares: Bool) throws {
            // Files that are exchanged must be in one folder.
            self.path = System.behindLink(path)
            self.remote = remote
            self.compares = compares
            target = try remote.id()
            // An emulator has no servers that could be overloaded.
            ramp =
                rate.map { WriteRamp(start: Double($0)) }
                ?? (remote.emulator == nil ? WriteRamp() : WriteRamp(start: 100_000))
        }

        func run() throws {
            let client = try remote.client()
            guard !System.exists(oldPath) else { return try reportEarlierPush(client) }
            let summary = try waiting { try await push(client) }
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
            try finish(Numbers.counted(summary.written + summary.kept, "document"), upTo: summary.lastCommit)
            Output().line(try waiting { await compare(client) })
        }

        /// An earlier push has exchanged the files, of this database or of another one.
        private func reportEarlierPush(_ client: FirestoreClient) throws {
            guard let engine = try? openForReading(), engine.isReplica, engine.database == target else {
                throw CommandFailure(
                    "\"\(oldPath)\" is the database before an earlier push. Remove it, or move it away, to push again")
            }
            do {
                guard try waiting(for: { try await client.knows(engine) }) else {
                    throw CommandFailure(
                        "\"\(path)\" is the offline data of \(target.resourceName) at another server, or everything has changed "
                            + "there since: nothing was sent. To push the database as it was, put \"\(oldPath)\" in its place"
                    )
                }
            } catch let error as SyncError {
                throw CommandFailure(error, "Nothing was sent; the same command goes on.")
            }
            Output().line(
                "\"\(path)\" is the offline data of \(target.resourceName) already: an earlier push is done. Not compared "
                    + "with the server. \(NetworkPush.download)")
        }

        private func openForReading() throws(EngineError) -> Engine {
            var options = Engine.Options()
            (options.creates, options.readOnly) = (false, true)
            return try Engine.open(path, options)
        }

        private func push(_ client: FirestoreClient) async throws -> Push<ContinuousClock>.Summary {
            do {
                let source = try openForReading()
                guard !source.isReplica else {
                    throw CommandFailure(
                        "\"\(path)\" is the offline data of \(source.database.resourceName) already: a program that opens it "
                            + "with a remote sends what is to be sent")
                }
                try expectExchangeable()
                let configuration = try configuration(of: source)
                try PushRecord.makeWay(at: replicaPath, for: target)
                let replica = try replica(at: replicaPath)
                guard try await client.knows(replica.engine) else {
                    throw CommandFailure(
                        "\"\(replicaPath)\" says what an earlier push has sent to another server, or all of that has changed "
                            + "since. Remove it to push all documents")
                }
                try await deploy(configuration, client)
                try replica.engine.apply(configuration, prune: true)
                let summary = try await send(source, replica, client)
                // Later changes of indexes are later commits, too.
                guard try self.configuration(of: source) == configuration else { throw changedMeanwhile }
                // Nothing was sent: a server that is not there would not be noticed.
                if summary.written + summary.deleted == 0 { _ = try await client.now() }
                return summary
            } catch let error as SyncError {
                throw CommandFailure(error, "What was written is kept; the same command goes on.")
            } catch let error as EngineError {
                throw CommandFailure(error, database: path)
            } catch let error as ReplicaError {
                throw CommandFailure("\(error.message) What was written is kept; the same command goes on")
            }
        }

        private func send(
            _ source: Engine, _ replica: EngineReplica, _ client: FirestoreClient
        ) async throws -> Push<ContinuousClock>.Summary {
            let progress = ProgressBar("Sending")
            defer { progress.finish() }
            let push = Push(
                source, replica: replica, server: client, ramp: ramp, clock: ContinuousClock(),
                random: { Double.random(in: 0...1) }, reportRetry: retries.report
            ) {
                progress.show(
                    documents: $0.done, fraction: Double($0.done) / Double(max(1, $0.total)),
                    note: ", \(Numbers.span(seconds: $0.remaining)) left")
            }
            return try await push.run()
        }

        private static let download = "The first listen of each query downloads its rows"

        /// Comes after the exchange: what it fetches of others' documents is in no database, so another push would delete it at
        /// the server. A push is done without it too, and a failure is only told.
        private func compare(_ client: FirestoreClient) async -> String {
            let download = NetworkPush.download
            guard compares else { return "Not compared with the server. \(download)" }
            let progress = ProgressBar("Comparing")
            defer { progress.finish() }
            let reason: String
            do {
                let comparison = Comparison(
                    try replica(at: path), server: client, clock: ContinuousClock(),
                    random: { Double.random(in: 0...1) }, reportRetry: retries.report)
                let result = try await comparison.run { progress.show(documents: $0, fraction: nil) }
                guard result.isWhole else {
                    return "Not compared with the server, which has many other documents. \(download)"
                }
                return "\(Numbers.counted(result.documents, "version")) compared with the server: "
                    + "\(Numbers.grouped(result.fetched)) fetched, \(Numbers.grouped(result.removed)) removed. First "
                    + "listens go on from \(result.time)"
            } catch let error as SyncError {
                reason = "\(error.code.name): \(error.message)"
            } catch let error as ReplicaError {
                reason = error.message
            } catch {
                reason = "\(error)"
            }
            return "Not compared with the server. \(download). Reason: \(reason)"
        }

        private func replica(at path: String) throws -> EngineReplica {
            var options = Engine.Options()
            options.identity = target
            let replica = try EngineReplica(path, options)
            // What another client queued meanwhile would be missing from the comparison of both sides.
            try replica.keepOthersAway()
            return replica
        }

        private func configuration(of source: Engine) throws -> IndexConfiguration {
            let catalog = try source.catalog()
            return IndexConfiguration(
                indexes: catalog.composites.map(\.definition), fieldOverrides: catalog.indexes.fieldOverrides)
        }

        /// Indexes are first: those of an empty database are ready at once.
        private func deploy(_ configuration: IndexConfiguration, _ client: FirestoreClient) async throws {
            guard remote.emulator == nil else { return }
            let deployment = IndexDeployment(
                AdminClient(client), target, clock: ContinuousClock(), random: { Double.random(in: 0...1) },
                reportRetry: retries.report)
            let difference = try await deployment.run(configuration) {
                Diagnostics.write("hearth: \($0)")
            }
            if !difference.isEmpty { Diagnostics.write("hearth: the indexes are ready") }
        }

        /// What would only be found at the end, when all is sent.
        private func expectExchangeable() throws(CommandFailure) {
            do throws(LMDBError) {
                try Environment.tryExchange(path, keepingAs: oldPath)
            } catch {
                throw CommandFailure(
                    "nothing was sent, as \"\(path)\" could not become the offline data at the end: \(error)")
            }
        }

        private func finish(_ count: String, upTo commit: Int) throws {
            let exchange: Environment.Exchange
            do throws(LMDBError) {
                exchange = try Environment.exchange(
                    path, with: replicaPath, keepingAs: oldPath, ifLastCommitIs: commit)
            } catch {
                throw CommandFailure("\"\(replicaPath)\" cannot take the place of \"\(path)\": \(error)")
            }
            switch exchange {
            case .made: break
            case .isChanged: throw changedMeanwhile
            case .isOpen:
                throw CommandFailure(
                    "\(count) of \(target.resourceName) written, but \"\(path)\" is open in another program. End it and push "
                        + "again: then the file becomes the offline data of the server's database")
            }
            let output = Output()
            output.line("\(count) of \(target.resourceName) written")
            output.line("\"\(path)\" is its offline data now; \"\(oldPath)\" is the database as it was")
        }

        private var changedMeanwhile: CommandFailure {
            CommandFailure(
                "\"\(path)\" was changed while it was pushed. Run the command again: it sends what is new")
        }
    }
#endif
