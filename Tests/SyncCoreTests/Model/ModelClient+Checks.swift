// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore

// What the replica must hold.
extension ModelClient {
    /// The first document whose local version is not what the server sent with the batches on top of the
    /// user whose writes it shows.
    func inconsistency(of paths: [DocumentPath], _ queries: [ModelQuery]) throws(ReplicaError) -> String? {
        try replica.look { (records) throws(ReplicaError) in
            let batches = try records.batches(of: records.header.user)
            var locals: [SyncDocument] = []
            for path in paths {
                let cached = try records.document(at: path)
                locals.append(cached.local)
                var fields = cached.base.fields
                for write in batches.flatMap(\.writes) where write.path == path {
                    fields = ModelWrite.apply(write, to: fields)
                }
                guard !ModelClient.isSame(cached.local.fields, fields) else { continue }
                return "\(path) is \(String(describing: cached.local.fields)), expected \(String(describing: fields))"
            }
            for query in queries {
                let found = try records.rows(of: query.query)
                let rows = query.query.reversesRows ? found.reversed() : found
                let wanted = query.rows(of: locals)
                let isSame = rows.count == wanted.count && zip(rows, wanted).allSatisfy(ModelClient.isSame)
                if !isSame { return "\(query.query.canonicalID) finds \(rows), expected \(wanted)" }
            }
            return nil
        }
    }

    /// A document that the cache lacks of a query that it says to have all rows of.
    func gap(in queries: [ModelQuery]) throws(ReplicaError) -> String? {
        for query in queries {
            guard let time = (try? machine.completeVersion(of: query.query)) ?? nil else { continue }
            // What has changed since may be cached in any version.
            let unchanged = query.rows(of: server.documents(at: time).values).filter {
                server.documents[$0.path]?.version == $0.version
            }
            for document in unchanged {
                let cached = try replica.look { (records) throws(ReplicaError) in
                    try records.document(at: document.path).base
                }
                guard !cached.isFound || cached.version != document.version else { continue }
                return "\(document.path) is not cached, but \(query.query.canonicalID) is complete at \(time)"
            }
        }
        return nil
    }

    private static func documents(_ records: any ReplicaRecords) throws(ReplicaError) -> [SyncDocument] {
        var documents: [SyncDocument] = []
        for path in RandomScheduleTests.paths { documents.append(try records.document(at: path).local) }
        return documents
    }

    private static func isSame(_ left: Fields?, _ right: Fields?) -> Bool {
        left.map { left in right.map(left.isIdentical(to:)) ?? false } ?? (right == nil)
    }

    private static func isSame(_ left: SyncDocument, _ right: SyncDocument) -> Bool {
        left.path == right.path && isSame(left.fields, right.fields) && left.version == right.version
            && left.createTime == right.createTime && left.hasLocalMutations == right.hasLocalMutations
            && left.hasCommittedMutations == right.hasCommittedMutations
    }

    /// What a listener shows that differs from the server, or from the replica if it asks only that, once all is settled.
    func difference() throws -> String? {
        let queued = try replica.look { (records) throws(ReplicaError) in
            try records.batches(of: SyncUser(nil)) + records.batches(of: SyncUser("a"))
        }
        if !queued.isEmpty { return "writes are still queued" }
        if let problem = try replica.problems().first { return problem }
        if !unanswered.isEmpty { return "writes \(unanswered.sorted()) were not answered" }
        for (listener, (query, options, snapshot)) in shown.sorted(by: { $0.key < $1.key }) {
            guard let snapshot else { return "listener \(listener) was told nothing" }
            let isCached = options.source == .cache
            let documents = isCached ? try replica.look(ModelClient.documents) : Array(server.documents.values)
            let rows = query.rows(of: documents)
            // As official clients do, it waits for the server's news of acknowledged writes, which need not come: until then it shows
            // the document as it was before, or leaves it out if that is behind the limit.
            if isCached, snapshot.hasPendingWrites || rows.contains(where: \.hasCommittedMutations) { continue }
            let found = snapshot.documents.map { "\($0.path) \(String(describing: $0.fields))" }
            let wanted = rows.map { "\($0.path) \(String(describing: $0.fields))" }
            if found != wanted { return "listener \(listener): \(found), expected \(wanted)" }
            if snapshot.isFromCache, !isCached { return "listener \(listener) still waits for the server" }
            if snapshot.hasPendingWrites { return "listener \(listener) still has pending writes" }
        }
        return nil
    }
}
