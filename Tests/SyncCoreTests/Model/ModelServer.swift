// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport

/// A server that keeps documents, commits writes, and tells listeners what production does: differences, or after a
/// resume a count instead of removals, or everything again after a reset.
final class ModelServer {
    private struct Listen {
        let id: Int
        let target: SyncTarget
        /// What the client was told: the versions of documents that match.
        var told: [DocumentPath: Timestamp] = [:]
        var isCurrent = false
        /// Whether removals since the resume are left to a count.
        var leavesRemovalsToCount = false
    }

    private(set) var documents: [DocumentPath: SyncDocument] = [:]
    /// The documents after each commit, for listens that resume.
    private var history: [(time: Int64, documents: [DocumentPath: SyncDocument])] = [(0, [:])]
    private var time: Int64 = 1
    private var listens: [Listen] = []
    private let queries: [String: ModelQuery]
    /// What was said on the listen stream and has not arrived.
    private(set) var outbox: [WatchChange] = []
    private var counts = CommitCounts()

    init(_ queries: [ModelQuery]) {
        // Queries of one target have the same rows.
        self.queries = Dictionary(queries.map { ($0.query.target.canonicalID, $0) }) { first, _ in first }
    }

    // MARK: Writes

    /// Commits the writes, or says why not.
    func commit(_ writes: [Write]) -> Result<CommitResult, SyncError> {
        var changed = documents
        let version = Timestamp(microseconds: time + 1)!
        var results: [WriteResult] = []
        for write in writes {
            let old = changed[write.path]
            guard ModelWrite.meets(write, old?.fields) else {
                return .failure(
                    old == nil
                        ? SyncError(.notFound, "No document to update.")
                        : SyncError(.alreadyExists, "The document to create exists."))
            }
            guard let fields = ModelWrite.apply(write, to: old?.fields) else {
                changed[write.path] = nil
                results.append(WriteResult(updateTime: nil, transformResults: []))
                continue
            }
            // A write that changes nothing keeps the time of the last change, and nobody is told.
            let isSame = old?.fields.map { $0.isIdentical(to: fields) } ?? false
            if !isSame {
                changed[write.path] = SyncDocument(write.path, .found(fields, createTime: version), version: version)
            }
            results.append(
                WriteResult(
                    updateTime: isSame ? old!.version : version, transformResults: ModelServer.values(write, fields)))
        }
        time += 1
        documents = changed
        counts.note(writes)
        history.append((time, changed))
        return .success(CommitResult(commitTime: version, results: results))
    }

    /// Refuses the writes, which changes nothing.
    func refuse(_ writes: [Write]) -> Result<CommitResult, SyncError> {
        counts.noteRefusal(of: writes)
        return .failure(SyncError(.permissionDenied, "No."))
    }

    /// What became of batches otherwise than if each counted once; see ``CommitCounts``.
    func repetition(_ paths: [DocumentPath]) -> String? { counts.fault(in: documents, paths) }

    private static func values(_ write: Write, _ fields: Fields) -> [Value] {
        guard case .update(_, _, let transforms) = write.operation else { return [] }
        return transforms.map { fields[$0.path] ?? .null }
    }

    /// The documents as they are now.
    func read(_ paths: [DocumentPath]) -> [SyncDocument] {
        paths.map { documents[$0] ?? SyncDocument($0, .missing, version: Timestamp(microseconds: time)!) }
    }

    /// The documents as they were.
    func documents(at time: Timestamp) -> [DocumentPath: SyncDocument] {
        history.last { $0.time <= time.microseconds }!.documents
    }

    /// Whether a document is what these writes, and no others, make of none: `u` tells them from others.
    func hasCreated(_ writes: [Write]) -> Bool {
        guard let first = writes.first, case .exists(false)? = first.precondition,
            writes.allSatisfy({ $0.path == first.path })
        else { return false }
        let made = writes.reduce(nil as Fields?) { ModelWrite.apply($1, to: $0) }
        guard let made, made[Text("u")] != nil else { return false }
        return documents[first.path]?.fields?.isIdentical(to: made) ?? false
    }

    /// Makes an empty replica of all documents, as a push does.
    func push(to records: any ReplicaRecords) throws(ReplicaError) {
        for document in documents.values { try records.setDocument(CachedDocument(base: document)) }
        var header = try records.header
        header.lastSnapshotVersion = Timestamp(microseconds: time)!
        header.whole = WholeState(at: header.lastSnapshotVersion)
        try records.setHeader(header)
    }

    // MARK: Listening

    func disconnect() {
        listens = []
        outbox = []
    }

    func receive(_ request: WatchRequest, _ random: inout SeededGenerator) {
        switch request {
        case .remove(let id):
            listens.removeAll { $0.id == id }
            outbox.append(.target(.removed, targets: [id], resumeToken: [], readTime: nil))
        case .add(let request):
            if ModelServer.time(request) != nil, random.chance(0.05) {
                let error = SyncError(.invalidArgument, "The token is too old.")
                return outbox.append(.targetsRejected([request.wireID], error))
            }
            var listen = Listen(id: request.wireID, target: request.target)
            outbox.append(.target(.added, targets: [listen.id], resumeToken: [], readTime: nil))
            if let resumed = ModelServer.time(request) {
                let past = history.last { $0.time <= resumed }!.documents
                for document in rows(of: listen.target, in: past) { listen.told[document.path] = document.version }
                listen.leavesRemovalsToCount = listen.target.document == nil && random.chance(0.4)
            }
            listens.append(listen)
        }
    }

    private static func time(_ request: ListenRequest) -> Int64? {
        if let time = request.readTime { return time.microseconds }
        return Int64(String(decoding: request.resumeToken, as: UTF8.self))
    }

    /// Says all that is news, up to a consistent state.
    func tell(_ random: inout SeededGenerator) {
        time += 1
        let token = Array("\(time)".utf8)
        for index in listens.indices {
            if random.chance(0.03) {
                outbox.append(.target(.reset, targets: [listens[index].id], resumeToken: [], readTime: nil))
                listens[index].told = [:]
                listens[index].isCurrent = false
            }
            var listen = listens[index]
            tellDifference(&listen, &random)
            listens[index] = listen
            guard !listens[index].isCurrent else { continue }
            listens[index].isCurrent = true
            outbox.append(.target(.current, targets: [listens[index].id], resumeToken: token, readTime: nil))
        }
        outbox.append(
            .target(.none, targets: [], resumeToken: token, readTime: Timestamp(microseconds: time)))
        // Tokens stand for every listen of a state.
        for listen in listens {
            outbox.insert(
                .target(.none, targets: [listen.id], resumeToken: token, readTime: nil), at: outbox.count - 1)
        }
    }

    private func tellDifference(_ listen: inout Listen, _ random: inout SeededGenerator) {
        let rows = rows(of: listen.target, in: documents)
        for document in rows where listen.told[document.path] != document.version {
            outbox.append(.document(document, updated: [listen.id], removed: []))
        }
        let paths = Set(rows.map(\.path))
        for path in listen.told.keys.sorted(by: { "\($0)" < "\($1)" }) where !paths.contains(path) {
            if !listen.leavesRemovalsToCount { tellRemoval(of: path, from: listen.id, &random) }
        }
        if listen.leavesRemovalsToCount {
            // Names that rule out nothing: the client finds out that they do not help.
            let names = random.chance(0.5) ? BloomFilter(bitmap: [255, 255], padding: 0, hashCount: 3) : nil
            outbox.append(
                .existenceFilter(ExistenceFilter(count: rows.count, unchangedNames: names), target: listen.id))
            listen.leavesRemovalsToCount = false
        }
        listen.told = Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0.version) })
    }

    private func tellRemoval(of path: DocumentPath, from id: Int, _ random: inout SeededGenerator) {
        guard let document = documents[path] else {
            outbox.append(.deletion(path, readTime: Timestamp(microseconds: time), removed: [id]))
            return
        }
        outbox.append(
            random.chance(0.5)
                ? .document(document, updated: [], removed: [id]) : .removal(path, removed: [id]))
    }

    private func rows(of target: SyncTarget, in documents: [DocumentPath: SyncDocument]) -> [SyncDocument] {
        if let path = target.document { return documents[path].map { [$0] } ?? [] }
        return queries[target.canonicalID]!.rows(of: documents.values)
    }

    /// The next message that arrives.
    func nextMessage() -> WatchChange? { outbox.isEmpty ? nil : outbox.removeFirst() }
}
