// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// What the clients of one file know of each other, in all processes: who has it open, who is its owner, and what the owner
/// says.
///
/// All of it is locks on bytes far behind the file's end. The system releases them with the process, however that ends, so
/// nothing here is ever out of date. Each call is one or two system calls. A file system without such locks is used by one
/// client at most.
///
/// To be used from one thread at a time.
package final class ClientLocks {
    private let descriptor: Int32
    private let path: String
    fileprivate let file: FileIdentity
    /// Tells this client from others that are present.
    package private(set) var number = 0
    private var ownState: UInt?

    /// No client's number is as great.
    package static let clientLimit = 1 << 32
    private static let base = Int(1) << 62
    private static let ownership = base
    private static let transaction = base + 1
    private static let clients = base + 1 << 32
    private static let candidates = base + 3 << 32
    private static let states = base + 1 << 52

    fileprivate init(_ descriptor: Int32, _ path: String, _ file: FileIdentity) {
        self.descriptor = descriptor
        self.path = path
        self.file = file
    }

    deinit { System.close(descriptor) }

    // MARK: Presence

    /// Notes that this client has the file open.
    ///
    /// - Returns: false if another client keeps all others away.
    /// - Throws: `displaced` if that client has replaced or removed the file meanwhile.
    package func enter() throws(LMDBError) -> Bool {
        // Most numbers are free: a second one that is taken means that all are.
        for _ in 0..<2 {
            number = .random(in: 1..<ClientLocks.clientLimit)
            if try lock(ClientLocks.clients + Int(number)) { return try requireInPlace() }
        }
        return false
    }

    /// Keeps all others away, also those that come later.
    ///
    /// - Returns: false if another client has the file open.
    /// - Throws: as ``enter()``.
    package func enterAlone() throws(LMDBError) -> Bool {
        guard try lock(ClientLocks.clients, count: Int(ClientLocks.clientLimit)) else { return false }
        return try requireInPlace()
    }

    /// Who replaces the file keeps others away meanwhile, but only from then on: a lock got later may be the old file's.
    private func requireInPlace() throws(LMDBError) -> Bool {
        guard !file.isDisplaced(from: path) else { throw LMDBError(code: .displaced, operation: .lock, path: path) }
        return true
    }

    /// Whether another client has the file open.
    package var hasOthers: Bool {
        hearth_locked_byte(descriptor, ClientLocks.clients, Int(ClientLocks.clientLimit)) >= 0
    }

    /// Whether this other client has the file open.
    package func isPresent(_ other: Int) -> Bool {
        hearth_locked_byte(descriptor, ClientLocks.clients + Int(other), 1) >= 0
    }

    // MARK: Ownership

    /// Becomes the owner unless another client is. Returns whether this client is the owner, maybe already.
    package func claim() throws(LMDBError) -> Bool { try lock(ClientLocks.ownership) }

    /// Ceases to be the owner, and to say something.
    package func resign() {
        if let ownState { hearth_unlock_bytes(descriptor, ClientLocks.states + Int(ownState), 1) }
        ownState = nil
        hearth_unlock_bytes(descriptor, ClientLocks.ownership, 1)
    }

    /// Notes whether this client would be the owner.
    package func stand(_ isCandidate: Bool) throws(LMDBError) {
        let byte = ClientLocks.candidates + Int(number)
        if isCandidate { _ = try lock(byte) } else { hearth_unlock_bytes(descriptor, byte, 1) }
    }

    /// Whether another client would be the owner.
    package var hasCandidates: Bool {
        hearth_locked_byte(descriptor, ClientLocks.candidates, Int(ClientLocks.clientLimit)) >= 0
    }

    /// What the owner says; nil if there is no owner, or if it has said nothing yet.
    package var ownerState: UInt? {
        if let ownState { return ownState }
        let byte = hearth_locked_byte(descriptor, ClientLocks.states, Int(1) << 52)
        return byte < 0 ? nil : UInt(byte - ClientLocks.states)
    }

    /// Says this as the owner.
    ///
    /// - Parameter state: less than 2^52.
    package func say(_ state: UInt) throws(LMDBError) {
        guard state != ownState else { return }
        _ = try lock(ClientLocks.states + Int(state))
        if let ownState { hearth_unlock_bytes(descriptor, ClientLocks.states + Int(ownState), 1) }
        ownState = state
    }

    // MARK: Transactions

    /// Waits until no other client is between this and ``endTransaction()``.
    package func beginTransaction() throws(LMDBError) { _ = try lock(ClientLocks.transaction, waits: true) }

    package func endTransaction() { hearth_unlock_bytes(descriptor, ClientLocks.transaction, 1) }

    private func lock(_ start: Int, count: Int = 1, waits: Bool = false) throws(LMDBError) -> Bool {
        try LockFile.lockBytes(descriptor, start, count: count, waits: waits, of: path)
    }
}

extension ClientLocks {
    /// The locks of a new client of a file, be it one that LMDB can open or not.
    ///
    /// - Returns: nil if there is none.
    package static func ofFile(at path: String) throws(LMDBError) -> ClientLocks? {
        let descriptor = System.open(path, .changing)
        guard descriptor >= 0 else {
            guard System.lastError != ENOENT else { return nil }
            throw LMDBError(System.lastError, .lock, path: path)
        }
        guard let found = FileIdentity(of: descriptor) else {
            let code = System.lastError
            System.close(descriptor)
            throw LMDBError(code, .lock, path: path)
        }
        return ClientLocks(descriptor, path, found)
    }
}

extension Environment {
    /// The locks of a new client of the file.
    ///
    /// - Returns: nil if the path leads to another file by now, or to none.
    package func clientLocks() throws(LMDBError) -> ClientLocks? {
        requireSameProcess()
        guard let locks = try ClientLocks.ofFile(at: path) else { return nil }
        return locks.file == file ? locks : nil
    }
}
