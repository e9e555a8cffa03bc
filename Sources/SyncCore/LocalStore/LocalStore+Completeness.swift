// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// The last time as of which the replica has all rows of a query; nil if it may lack some.
    ///
    /// They are known from the query's own target, or from one that ``SyncTarget/covers(_:)`` it.
    func completeVersion(of query: SyncQuery) throws(ReplicaError) -> Timestamp? {
        let active = targets
        return try read(.executeQuery) { (records: any ReplicaRecords) throws(ReplicaError) in
            var latest = try records.header.whole?.version ?? .noVersion
            if let stored = try records.target(query.target.canonicalID) {
                let own = active[stored.id] ?? stored
                if own.completeVersion > latest, try LocalStore.hasAllRows(of: own, limit: query.limit, records) {
                    latest = own.completeVersion
                }
            }
            for stored in try records.targets(thatMayCover: query.target) where stored.target != query.target {
                let wider = active[stored.id] ?? stored
                if wider.completeVersion > latest, wider.target.covers(query.target) { latest = wider.completeVersion }
            }
            return latest > .noVersion ? latest : nil
        }
    }

    /// A limit's rows change with any of them: one that moves down lets in a document that the server has not sent.
    private static func hasAllRows(
        of target: TargetData, limit: Int?, _ records: any ReplicaRecords
    ) throws(ReplicaError) -> Bool {
        guard let limit else { return true }
        let keys = try records.keys(of: target.id)
        guard keys.count >= limit else { return true }
        for path in keys {
            let document = try records.document(at: path)
            guard document.overlay == nil, document.base.isFound, document.base.version <= target.completeVersion
            else { return false }
        }
        return true
    }
}
