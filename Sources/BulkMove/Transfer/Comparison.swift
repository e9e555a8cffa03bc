// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
package import DocumentModel
package import ReplicaStore
internal import SyncCore

/// Makes a pushed replica the server's whole database as of one time: versions are compared, and what somebody else has
/// written or deleted meanwhile is fetched or removed.
///
/// Only then may a first listen go on from that time (``SyncCore/WholeState``). It costs one read a document, and one more for
/// each that differs.
package struct Comparison<PushClock: Clock> where PushClock.Duration == Duration {
    package struct Summary: Sendable {
        /// The state that the replica has.
        package let time: Timestamp
        /// Documents of the server.
        package var documents = 0
        /// Documents that were different, and that only the replica had.
        package var fetched = 0
        package var removed = 0
        /// False if the server has so many other documents that the comparison was given up: they are not the database's.
        package var isWhole = true
    }

    private let replica: EngineReplica
    private let server: any BulkServer
    private let clock: PushClock
    private let random: @Sendable () -> Double
    private let reportRetry: RetryRule.Report

    private static var page: Int { 2_000 }
    private static var fetchSize: Int { 300 }
    /// How many documents of others are fetched, besides as many as there are own ones.
    private static var mostOthers: Int { 1_000 }

    /// - Parameters:
    ///   - random: gives numbers from 0 to 1.
    ///   - reportRetry: told of each request that is made again.
    package init(
        _ replica: EngineReplica, server: any BulkServer, clock: PushClock, random: @escaping @Sendable () -> Double,
        reportRetry: @escaping RetryRule.Report = { _, _ in }
    ) {
        self.replica = replica
        self.server = server
        self.clock = clock
        self.random = random
        self.reportRetry = reportRetry
    }

    /// - Parameter report: told how many documents of the server were compared.
    /// - Throws: a ``SyncCore/SyncError`` that does not pass, or lasts for ten attempts; an `EngineError` or a
    ///   ``SyncCore/ReplicaError`` if the file fails. The replica is then no whole database.
    package func run(report: (Int) -> Void) async throws -> Summary {
        let server = server
        var summary = Summary(
            time: try await RetryRule.retrying(clock, random, reportRetry) { () throws(SyncError) in
                try await server.now()
            })
        let time = summary.time
        var last: DocumentPath?
        var own = 0
        try replica.engine.forEachDocument { _ in own += 1 }
        while true {
            let start = last
            let page = try await RetryRule.retrying(clock, random, reportRetry) { () throws(SyncError) in
                try await server.versions(after: start, limit: Comparison.page, at: time)
            }
            let isAtEnd = page.count < Comparison.page
            try await compare(page, after: last, upTo: isAtEnd ? nil : page.last?.path, &summary)
            summary.documents += page.count
            report(summary.documents)
            guard !isAtEnd else { break }
            summary.isWhole = summary.fetched <= own + Comparison.mostOthers
            guard summary.isWhole else { return summary }
            last = page.last?.path
        }
        try replica.transaction(.start) { (records) throws(ReplicaError) in
            var header = try records.header
            header.lastSnapshotVersion = time
            header.whole = WholeState(at: time)
            try records.setHeader(header)
        }
        return summary
    }

    /// - Parameter versions: all of the server's documents in the range of names.
    private func compare(
        _ versions: [SyncDocument], after start: DocumentPath?, upTo end: DocumentPath?, _ summary: inout Summary
    ) async throws {
        var served = Dictionary(uniqueKeysWithValues: versions.map { ($0.path, $0) })
        var changes: [SyncDocument] = []
        var last = start
        while true {
            let known = try replica.engine.documents(after: last, upTo: end, limit: Comparison.page)
            for document in known {
                guard let version = served[document.path] else {
                    changes.append(SyncDocument(document.path, .missing, version: summary.time))
                    continue
                }
                // A document with this update time is the one that was written, or has its fields.
                guard document.updateTime == version.version else { continue }
                served[document.path] = nil
                guard document.createTime != version.createTime else { continue }
                changes.append(
                    SyncDocument(
                        document.path, .found(document.fields, createTime: version.createTime),
                        version: version.version))
            }
            guard known.count == Comparison.page else { break }
            last = known.last?.path
        }
        summary.removed += changes.count { !$0.isFound }
        summary.fetched += served.count
        try store(changes)
        try await fetch(served.keys.sorted { ResourcePath.compare($0.resource, $1.resource) < 0 }, summary.time)
    }

    private func fetch(_ paths: [DocumentPath], _ time: Timestamp) async throws {
        for start in stride(from: 0, to: paths.count, by: Comparison.fetchSize) {
            let part = Array(paths[start..<min(start + Comparison.fetchSize, paths.count)])
            let server = server
            try store(
                try await RetryRule.retrying(clock, random, reportRetry) { () throws(SyncError) in
                    try await server.documents(at: part, time)
                })
        }
    }

    private func store(_ documents: [SyncDocument]) throws {
        guard !documents.isEmpty else { return }
        try replica.transaction(.applyRemoteEvent) { (records) throws(ReplicaError) in
            for document in documents {
                if document.isFound {
                    try records.storeUnused(document)
                } else {
                    try records.removeDocument(at: document.path)
                }
            }
        }
    }
}
