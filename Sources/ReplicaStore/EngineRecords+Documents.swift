// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner
internal import SyncCore

extension EngineRecords {
    func document(at path: DocumentPath) throws(ReplicaError) -> CachedDocument {
        if let changed = documents[path] { return changed }
        let key = RecordKey.shadow(of: path).bytes
        let (document, shadow) = try stored { () throws(EngineError) in try engine.document(path, andRecord: key) }
        let content = try shadow.map { (bytes) throws(ReplicaError) in
            try RecordContent(bytes, key: key, engine.database)
        }
        return try CachedDocument(path, document, shadow: content)
    }

    func setDocument(_ document: CachedDocument) { documents[document.path] = document }

    func removeDocument(at path: DocumentPath) throws(ReplicaError) {
        documents[path] = CachedDocument(base: .uncached(path))
        for use in try records(of: RecordKey.uses(of: path)) { try removeUse(use.member, of: path) }
    }

    func rows(of query: SyncQuery) throws(ReplicaError) -> [SyncDocument] {
        precondition(documents.isEmpty, "A transaction that has changed documents cannot run queries.")
        switch query.kind {
        case .document(let path):
            let local = try document(at: path).local
            return local.isFound ? [local] : []
        case .rows(let matcher):
            let found = try rows(of: matcher.query.query)
            var rows: [SyncDocument] = []
            for document in query.reversesRows ? found.reversed() : found {
                // A document without the server's time is none of the server's.
                rows.append(
                    document.updateTime == .noVersion
                        ? try self.document(at: document.path).local : SyncDocument(plain: document))
            }
            return rows
        }
    }

    /// In the query's order. What production would refuse for want of an index runs on a cache.
    private func rows(of query: Query) throws(ReplicaError) -> [Document] {
        do throws(QueryError) {
            return try engine.run(query, allowScan: true).documents
        } catch {
            switch error {
            case .engine(let error): throw ReplicaError(error)
            case .planning(let error): throw ReplicaError("The cache cannot answer a query: \(error)")
            }
        }
    }
}

extension SyncDocument {
    /// A document that is as the server sent it.
    init(plain document: Document) {
        self.init(
            document.path, .found(document.fields, createTime: document.createTime), version: document.updateTime)
    }
}

extension CachedDocument {
    /// - Parameter document: the stored document.
    init(_ path: DocumentPath, _ document: Document?, shadow: RecordContent?) throws(ReplicaError) {
        if let shadow {
            try self.init(path, shadow)
        } else {
            self.init(base: document.map(SyncDocument.init(plain:)) ?? .uncached(path))
        }
    }

    /// What the database's documents show; nil for nothing. Its update time is the server's version, or
    /// ``Timestamp/noVersion`` if there is a shadow, so that a query finds out without another look.
    var view: Document? {
        let local = local
        guard let fields = local.fields else { return nil }
        return Document(
            path: path, fields: fields, createTime: local.createTime,
            updateTime: shadow == nil ? base.version : .noVersion)
    }
}
