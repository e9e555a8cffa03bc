// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel

extension Engine {
    /// How many batches of all users wait for the server in a replica, and how many it has refused. The cost grows with
    /// their size.
    package func queueCounts() throws(EngineError) -> (pending: Int, rejected: Int) {
        let pending = try replicaRecords(in: KeyRange(prefix: RecordKey.allBatches)).count
        return (pending, try replicaRecords(in: KeyRange(prefix: RecordKey.allRejectedBatches)).count)
    }
}
