// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import LMDB
internal import SyncCore

/// The clients of a file, in all processes, by locks that the system releases with them.
final class EnginePeers: ReplicaPeers {
    private let locks: ClientLocks

    init(_ locks: ClientLocks) { self.locks = locks }

    var ownNumber: Int { locks.number }
    var areOthersPresent: Bool { locks.hasOthers }

    func isPresent(_ client: Int) -> Bool {
        // A number in a damaged record may be anything.
        (1..<ClientLocks.clientLimit).contains(client) && client != ownNumber && locks.isPresent(client)
    }

    func claim() throws(ReplicaError) -> Bool {
        try locked { () throws(LMDBError) in try locks.claim() }
    }

    func resign() { locks.resign() }

    func stand(_ isCandidate: Bool) throws(ReplicaError) {
        try locked { () throws(LMDBError) in try locks.stand(isCandidate) }
    }

    var areOthersStanding: Bool { locks.hasCandidates }

    /// The session, and the state in two bits.
    var ownerState: OwnerState? {
        guard let state = locks.ownerState else { return nil }
        let online: OnlineState =
            switch state & 3 {
            case 1: .online
            case 2: .offline
            default: .unknown
            }
        return OwnerState(session: Int(state >> 2), online: online)
    }

    func tell(_ state: OwnerState) throws(ReplicaError) {
        let online: UInt =
            switch state.online {
            case .unknown: 0
            case .online: 1
            case .offline: 2
            }
        try locked { () throws(LMDBError) in try locks.say(UInt(state.session) << 2 | online) }
    }

    func enterAlone() throws(EngineError) -> Bool {
        do throws(LMDBError) { return try locks.enterAlone() } catch { throw .storage(error) }
    }

    func beginTransaction() throws(ReplicaError) {
        try locked { () throws(LMDBError) in try locks.beginTransaction() }
    }

    func endTransaction() { locks.endTransaction() }

    private func locked<Result>(_ body: () throws(LMDBError) -> Result) throws(ReplicaError) -> Result {
        do throws(LMDBError) { return try body() } catch { throw ReplicaError(.storage(error)) }
    }
}
