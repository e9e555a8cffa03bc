// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel
internal import SyncCore

/// Checks the records of a replica: each can be read, those that belong together agree, and the documents are what the
/// server said with the queue's changes.
package final class ReplicaCheck {
    private let database: DatabaseID
    private var problems: [String] = []
    private var header: ReplicaHeader?
    private var areTargetsListed = false
    private var highestBatch = 0
    private var highestTarget = 0
    private var views: [DocumentPath: Document?] = [:]
    /// Sums of hashes of keys that must exist beside other keys, and of those that do.
    private var required = KeyDigest()
    private var found = KeyDigest()

    private init(_ database: DatabaseID) {
        self.database = database
    }

    /// For ``DocumentEngine/Engine/verify(progress:records:)``.
    package static func check(of engine: Engine) -> RecordsCheck {
        let check = ReplicaCheck(engine.database)
        return RecordsCheck(
            note: { check.note($0, $1) },
            finish: { (document, timeless, report) throws(EngineError) in
                try check.finish(document, timeless, &report)
            })
    }

    private func note(_ key: [UInt8], _ value: [UInt8]) {
        do throws(ReplicaError) {
            try read(RecordKey(bytes: key), value)
        } catch {
            problems.append(error.message)
        }
    }

    private func read(_ key: RecordKey, _ value: [UInt8]) throws(ReplicaError) {
        switch key.kind {
        case .header:
            // The first of all records.
            let content = try content(key, value)
            areTargetsListed = content.listsTargets
            header = try ReplicaHeader(content)
        case .batch: try readBatch(key, content(key, value))
        case .rejectedBatch:
            let id = try RecordContent.number(key.member)
            highestBatch = max(highestBatch, id)
            _ = try RejectedBatch(id, content(key, value))
        case .shadow:
            let path = try RecordContent.path(key.member)
            let document = try CachedDocument(path, content(key, value))
            views.updateValue(document.view, forKey: path)
            if document.shadow == nil { problems.append("\(path) has a shadow without need") }
        case .target:
            let id = try RecordContent.number(key.member)
            let target = try TargetData(id, content(key, value), database)
            highestTarget = max(highestTarget, id)
            required.add(.target(id, target.target.canonicalID))
            if areTargetsListed { for key in RecordKey.lists(of: target) { required.add(key) } }
        case .key:
            let id = try RecordContent.number(Array(key.group[1...]))
            required.add(.target(id, of: try RecordContent.path(key.member)))
        case .use:
            let (sequence, path) = try RecordContent.use(key.member)
            required.add(.use(of: path, sequence))
        case .batchOfDocument, .canonicalTarget, .targetOfDocument, .useOfDocument: found.add(key)
        // Without the mark in the header, they are what another program has left.
        case .coveringTarget, .targetUse: if areTargetsListed { found.add(key) }
        case .bundle: _ = try content(key, value)
        case .namedQuery: _ = try SyncQuery(content(key, value).fields, database)
        case .change: _ = try content(key, value)
        case .request: _ = try TargetRequest(content(key, value).fields, database)
        }
    }

    private func content(_ key: RecordKey, _ value: [UInt8]) throws(ReplicaError) -> RecordContent {
        try RecordContent(value, key: key.bytes, database)
    }

    private func readBatch(_ key: RecordKey, _ content: RecordContent) throws(ReplicaError) {
        let user = try RecordContent.user(Array(key.group[1...])).user
        let id = try RecordContent.number(key.member)
        highestBatch = max(highestBatch, id)
        for path in try MutationBatch(id, content).paths { required.add(.batch(id, of: user, writing: path)) }
    }

    private func finish(
        _ document: DocumentLookup, _ timeless: Int, _ report: inout VerificationReport
    ) throws(EngineError) {
        for problem in problems { report.note(problem) }
        if required != found { report.note("the records of the client's queue and cache do not agree with each other") }
        let known = header ?? ReplicaHeader()
        if highestBatch > known.highestBatch || highestTarget > known.highestTarget {
            report.note("the client's queue or cache has numbers that were not given yet")
        }
        for (path, view) in views where try !isSame(document(path), view) {
            report.note("\(path) is not what the server said with the queued writes")
        }
        if views.values.count(where: { $0 != nil }) != timeless {
            report.note("the client's cache has documents without a version that it knows nothing of")
        }
    }

    private func isSame(_ stored: Document?, _ view: Document?) -> Bool {
        guard let stored, let view else { return stored == nil && view == nil }
        return stored.fields.isIdentical(to: view.fields) && stored.createTime == view.createTime
            && stored.updateTime == view.updateTime
    }
}

/// A sum of hashes of keys, which does not depend on their order.
private struct KeyDigest: Equatable {
    private var sum: UInt64 = 0
    private var count = 0

    mutating func add(_ key: RecordKey) {
        sum &+= WyHash.hash(key.bytes.span.bytes, seed: 0)
        count += 1
    }
}

extension EngineReplica {
    package func verify() throws(EngineError) -> VerificationReport {
        try engine.verify(records: ReplicaCheck.check(of: engine))
    }
}
