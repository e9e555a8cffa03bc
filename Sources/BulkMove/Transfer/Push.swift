// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
package import ReplicaStore
internal import SyncCore

/// Sends a database's documents to a server, and keeps what the server has made in a replica.
///
/// The replica is also the list of what is done: a document whose fields are in it as the database has them is not sent. So
/// a push that was killed goes on where it was, at the cost of what was answered since the last commit, which is sent again
/// with the same result; and a push after changes sends the changes. The database itself is only read, and may be written
/// meanwhile: rounds are made until one finds no difference.
package final class Push<PushClock: Clock> where PushClock.Duration == Duration {
    package struct Progress: Sendable {
        /// Documents that are at the server as the database has them.
        package var done = 0
        package var total = 0
        /// Seconds that the rest takes at the ramp's rate.
        package var remaining = 0.0
    }

    package struct Summary: Sendable {
        /// Writes that the server has made, in all rounds.
        package var written = 0
        package var deleted = 0
        /// Documents that the replica had already.
        package var kept = 0
        package var failures: [WriteQueue.Failure] = []
        /// Whether the last round found no difference.
        package var isComplete = false
        /// The last commit of the database before the last round. What others have committed since may be missing.
        package var lastCommit = 0
    }

    private let source: Engine
    private let replica: EngineReplica
    private let server: any BulkServer
    private let ramp: WriteRamp
    private let clock: PushClock
    private let start: PushClock.Instant
    private let random: @Sendable () -> Double
    private let report: (Progress) -> Void
    private let reportRetry: RetryRule.Report
    private var queue: WriteQueue
    private var made: [(write: Write, updateTime: Timestamp)] = []
    private var progress = Progress()
    private var summary = Summary()

    /// A database that changes faster than it is sent is never the same as what was sent.
    private static var rounds: Int { 5 }
    private static var commitSize: Int { 500 }
    /// Something is wrong with all of them.
    private static var failureLimit: Int { 1_000 }

    /// - Parameters:
    ///   - replica: empty, or that of an earlier push of the same database.
    ///   - random: gives numbers from 0 to 1.
    ///   - reportRetry: told of each request that is made again.
    package init(
        _ source: Engine, replica: EngineReplica, server: any BulkServer, ramp: WriteRamp, clock: PushClock,
        random: @escaping @Sendable () -> Double, reportRetry: @escaping RetryRule.Report = { _, _ in },
        report: @escaping (Progress) -> Void
    ) {
        self.source = source
        self.replica = replica
        self.server = server
        self.ramp = ramp
        self.clock = clock
        self.random = random
        self.report = report
        self.reportRetry = reportRetry
        start = clock.now
        queue = WriteQueue(ramp, random: random)
    }

    /// - Throws: a ``SyncCore/SyncError`` if the server refuses everything or cannot be reached, an `EngineError` if a file
    ///   fails. What was answered is kept.
    package func run() async throws -> Summary {
        // What is written now is not compared with the server yet.
        try replica.transaction(.start) { (records) throws(ReplicaError) in
            var header = try records.header
            header.whole = nil
            try records.setHeader(header)
        }
        for round in 0..<Push.rounds {
            let before = summary.written + summary.deleted
            try await runRound(isFirst: round == 0)
            summary.isComplete = summary.written + summary.deleted == before
            if summary.isComplete || !summary.failures.isEmpty { break }
        }
        return summary
    }

    private var now: Double { Double(start.duration(to: clock.now)) }

    private func runRound(isFirst: Bool) async throws {
        // Not the number in the file: a commit that has just written its number may not be seen yet. If the file cannot be
        // read, the round says why.
        summary.lastCommit = source.readableTransactionID ?? 0
        var ranges = KeyRanges()
        var total = 0
        try source.forEachDocument { document in
            ranges.note(document.path)
            total += 1
        }
        progress = Progress(total: total)
        var walk = SourceWalk(source, ranges)
        var removals = try removedDocuments()
        var isAtEnd = false
        do {
            try await send { () throws(EngineError) in
                if let path = removals.popLast() { return [Write(path, .delete)] }
                guard !isAtEnd else { return nil }
                let page = try walk.next()
                isAtEnd = page.isEmpty
                var writes: [Write] = []
                for document in page {
                    if let write = try self.write(document, isFirst) { writes.append(write) }
                }
                return writes
            }
        } catch {
            // What was answered must not be sent again.
            try commit()
            throw error
        }
        try commit()
        summary.failures = queue.failures
    }

    /// What the replica has and the database has no more.
    private func removedDocuments() throws(EngineError) -> [DocumentPath] {
        var paths: [DocumentPath] = []
        try replica.engine.forEachDocument { (document) throws(EngineError) in
            if try self.source.document(document.path) == nil { paths.append(document.path) }
        }
        return paths
    }

    /// The write of a document; nil if the replica has it.
    private func write(_ document: Document, _ isFirst: Bool) throws(EngineError) -> Write? {
        let fields = document.fields.movingReferences(from: source.database, to: replica.engine.database)
        if let known = try replica.engine.document(document.path), known.fields.isIdentical(to: fields) {
            if isFirst { summary.kept += 1 }
            progress.done += 1
            return nil
        }
        return .set(document.path, fields)
    }

    private enum Event: Sendable {
        case answer(batch: Int, Result<[Result<WriteResult, SyncError>], SyncError>)
        case time
    }

    /// Sends until there is nothing more.
    ///
    /// - Parameter more: gives writes, maybe none for now; nil at the end.
    private func send(_ more: () throws(EngineError) -> [Write]?) async throws {
        try await withThrowingTaskGroup(of: Event.self) { group in
            var hasMore = true
            // When the timer that ends first does.
            var alarm: Double?
            while true {
                while hasMore, queue.hasRoom {
                    guard let writes = try more() else {
                        hasMore = false
                        break
                    }
                    for write in writes { queue.add(write) }
                }
                switch queue.next(at: now) {
                case .send(let batch, let writes):
                    group.addTask { [server] in
                        do throws(SyncError) {
                            return .answer(batch: batch, .success(try await server.batchWrite(writes)))
                        } catch {
                            return .answer(batch: batch, .failure(error))
                        }
                    }
                    continue
                case .wait(let seconds):
                    let time = now + max(0.001, seconds)
                    if alarm.map({ time < $0 }) ?? true {
                        alarm = time
                        group.addTask { [clock] in
                            try await clock.sleep(for: .seconds(max(0.001, seconds)))
                            return .time
                        }
                    }
                case .idle:
                    if queue.isEmpty {
                        group.cancelAll()
                        return
                    }
                }
                guard let event = try await group.next() else { return }
                if case .time = event { alarm = nil }
                try take(event)
            }
        }
    }

    private func take(_ event: Event) throws {
        guard case .answer(let batch, let answer) = event else { return }
        let attempts = queue.attempts(of: batch) + 1
        made += try queue.answer(batch, answer, at: now)
        if case .failure(let error) = answer, RetryRule.mayPass(error.code) { reportRetry(error, attempts) }
        if queue.failures.count >= Push.failureLimit, let failure = queue.failures.first { throw failure.error }
        if made.count >= Push.commitSize { try commit() }
    }

    /// Writes what the server has made into the replica.
    private func commit() throws {
        guard !made.isEmpty else { return }
        try replica.transaction(.acknowledgeBatch) { (records) throws(ReplicaError) in
            for (write, time) in made {
                guard case .update(let fields, _, _) = write.operation else {
                    try records.removeDocument(at: write.path)
                    continue
                }
                try records.storeUnused(SyncDocument(write.path, .found(fields, createTime: time), version: time))
            }
        }
        for (write, _) in made {
            if case .delete = write.operation { summary.deleted += 1 } else { summary.written += 1 }
        }
        progress.done += made.count
        made.removeAll()
        progress.remaining = ramp.seconds(for: max(0, progress.total - progress.done), after: now)
        report(progress)
    }
}

extension Double {
    /// Seconds.
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = Double(seconds) + Double(attoseconds) / 1e18
    }
}
