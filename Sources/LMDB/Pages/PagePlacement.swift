// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Lets LMDB allocate the pages of small commits beside each other in the file: a device writes neighbouring pages several times
/// as fast as scattered ones.
///
/// LMDB reuses the pages that its oldest commits freed, commit by commit, and the pages of one commit lie all over the file. So a
/// read transaction, the *hold*, keeps freed pages from being reused until there are twice as many as are in use. Most of them
/// then have free neighbours, and the hold moves on to the newest state. LMDB merges and sorts its lists of free pages when it
/// allocates the pages for one large value, the *reserve*. The last reserve was freed after all the other pages, so LMDB finds it
/// in the last list, and from then on it allocates pages in file order.
///
/// All changes of the file are ordinary changes by LMDB, so commits contain and survive the same with and without. The price is
/// space: after many groups about two thirds of the file are free pages, ``slackLimit`` at most; up to three quarters where
/// commits differ in size. A stopped process keeps its hold, as it keeps its reads; a dead one does not.
/// ``Environment/Options/placesPages`` turns all this off.
final class PagePlacement: Sendable {
    /// How many free pages are gathered at most: 256 MB of 4 KB pages.
    private static let slackLimit = 1 << 16
    /// Pages of the reserve: more than are neighbours by chance, because LMDB would take those and merge no further lists.
    private static let reserveSizes = 64...512
    /// How many entries in a row other commits, which take no part, may change before they get the pages, too. A commit counts as
    /// ``leastChanges`` at least, because not every change is counted.
    private static let changeLimit = 512
    private static let leastChanges = 8

    /// What the next commit that takes part does first.
    private enum Step {
        /// Nothing: the pages that commits free gather behind the hold.
        case gather
        /// Frees the reserve.
        case free
        /// Nothing: after this commit the pages that the one before freed can be reused, and the hold moves on.
        case settle
        /// Puts the reserve, for which LMDB merges the gathered lists.
        case join

        var next: Step {
            switch self {
            case .gather: .free
            case .free: .settle
            case .settle: .join
            case .join: .gather
            }
        }
    }

    @safe
    private struct State {
        /// LMDB's read transaction.
        var hold: OpaquePointer?
        /// Pages in use when they were last counted.
        var used = 0
        var step = Step.gather
        /// Pages of the next reserve.
        var reserve = reserveSizes.lowerBound
        /// Entries that other commits changed since the last commit that took part.
        var otherChanges = 0
        /// Whether a commit has used the hold since the current pause began.
        var isInUse = false
        var awaitsPause = false

        /// Notes a commit that took no part, from which the hold keeps pages, too.
        mutating func pass(_ changes: Int) {
            guard unsafe hold != nil else { return }
            otherChanges += max(changes, PagePlacement.leastChanges)
            if otherChanges >= PagePlacement.changeLimit { release() }
        }

        mutating func release() {
            unsafe hold.map { unsafe mdb_txn_abort($0) }
            unsafe hold = nil
            step = .gather
            otherChanges = 0
        }
    }

    private let state = Monitor(State())
    private let afterPause: Pause

    init(afterPause: @escaping Pause) { self.afterPause = afterPause }

    /// How many free pages to gather.
    fileprivate static func slack(_ used: Int) -> Int { min(2 * used, slackLimit) }

    /// Releases the hold. Call it before the environment closes.
    func release() { state.withLock { $0.release() } }

    /// Takes the step that is due, before the other changes of a transaction that takes part.
    @unsafe
    func prepare(_ transaction: OpaquePointer) -> Int32 {
        let (step, pages) = state.withLock { ($0.step, $0.reserve) }
        guard step == .free || step == .join else { return 0 }
        var store: UInt32 = 0
        let code = unsafe mdb_dbi_open(transaction, "reserve", UInt32(MDB_CREATE), &store)
        guard code == 0 else { return code }
        return unsafe step == .free
            ? mdb_drop(transaction, store, 0) : PagePlacement.putReserve(pages, transaction, store)
    }

    /// Notes a commit of so many changes, whose pages were placed or not.
    @unsafe
    func committed(_ environment: OpaquePointer, changes: Int, isPlaced: Bool) {
        state.withLock { state in
            guard isPlaced else { return state.pass(changes) }
            // Two processes would wait for the pages that the other one holds.
            guard unsafe PagePlacement.isAlone(environment) else {
                // It may be dead.
                unsafe mdb_reader_check(environment, nil)
                return state.release()
            }
            state.otherChanges = 0
            state.isInUse = true
            awaitPause(&state)
            unsafe advance(&state, environment)
        }
    }

    @unsafe
    private func advance(_ state: inout State, _ environment: OpaquePointer) {
        guard let hold = unsafe state.hold else {
            return unsafe state.hold = PagePlacement.begin(environment)
        }
        switch state.step {
        case .gather:
            guard let newest = unsafe PagePlacement.begin(environment) else { return state.release() }
            defer { unsafe mdb_txn_abort(newest) }
            guard let size = unsafe FreeLists.size(newest, before: mdb_txn_id(hold), state.used) else { return }
            state.used = size.used
            guard size.free >= PagePlacement.slack(size.used) else { return }
            let sizes = PagePlacement.reserveSizes
            state.reserve = min(max(size.free / 16, sizes.lowerBound), sizes.upperBound)
        case .settle:
            unsafe mdb_txn_reset(hold)
            guard unsafe mdb_txn_renew(hold) == 0 else { return state.release() }
        case .free, .join: break
        }
        state.step = state.step.next
    }

    // MARK: - Idleness

    private func awaitPause(_ state: inout State) {
        guard !state.awaitsPause else { return }
        state.awaitsPause = true
        afterPause { [weak self] in self?.releaseIfIdle() }
    }

    /// Releases a hold that no commit has used for a whole pause: other commits, also of other processes, want the pages.
    private func releaseIfIdle() {
        state.withLock { state in
            state.awaitsPause = false
            guard state.isInUse else { return state.release() }
            state.isInUse = false
            awaitPause(&state)
        }
    }
}

// MARK: - LMDB

extension PagePlacement {
    /// Whether no other process has a reader slot. LMDB's list of readers has a line for each, which begins with the process.
    @unsafe
    static func isAlone(_ environment: OpaquePointer) -> Bool {
        var isAlone = true
        unsafe mdb_reader_list(
            environment,
            { line, isAlone in
                let process = unsafe line.map { unsafe System.number($0) } ?? 0
                guard process > 0, process != System.processID else { return 0 }
                unsafe isAlone?.storeBytes(of: false, as: Bool.self)
                return -1
            }, &isAlone)
        return isAlone
    }

    @unsafe
    private static func begin(_ environment: OpaquePointer) -> OpaquePointer? {
        var transaction: OpaquePointer?
        let code = unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
        return unsafe code == 0 ? transaction : nil
    }

    @unsafe
    private static func putReserve(_ pages: Int, _ transaction: OpaquePointer, _ store: UInt32) -> Int32 {
        var stat = MDB_stat()
        unsafe mdb_env_stat(mdb_txn_env(transaction), &stat)
        let byteCount = pages * Int(stat.ms_psize) - PageFormat.Header.size
        var name: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &name) { name in
            var key = unsafe MDB_val(mv_size: 1, mv_data: name)
            var value = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
            let code = unsafe mdb_put(transaction, store, &key, &value, UInt32(MDB_RESERVE))
            if code == 0 { unsafe value.mv_data.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
            return code
        }
    }
}

/// LMDB's lists of free pages, by the numbers of the transactions that freed them.
private enum FreeLists {
    /// How many pages are used and free; nil while the pages that transactions before `hold` freed suffice for some more commits.
    ///
    /// - Parameter used: about how many pages are in use. Where far more are free than wanted, the last commits before the hold
    ///   moved did not find enough, as commits differ in size; then the hold moves sooner.
    @unsafe
    static func size(_ transaction: OpaquePointer, before hold: Int, _ used: Int) -> (used: Int, free: Int)? {
        var cursor: OpaquePointer?
        guard unsafe mdb_cursor_open(transaction, Store.freeList.dbi, &cursor) == 0 else { return nil }
        defer { unsafe mdb_cursor_close(cursor) }
        guard let newest = unsafe list(cursor, MDB_LAST) else { return nil }
        var info = unsafe MDB_envinfo()
        unsafe mdb_env_info(mdb_txn_env(transaction), &info)
        let pages = unsafe info.me_last_pgno
        let wanted = PagePlacement.slack(used)
        let least = 3 * newest.pages + max(0, pages - used - wanted - wanted / 4)
        var (available, free) = (0, 0)
        var next = unsafe list(cursor, MDB_FIRST)
        while let list = next {
            free += list.pages
            if list.transaction < hold { available += list.pages }
            guard available < least else { return nil }
            unsafe next = FreeLists.list(cursor, MDB_NEXT)
        }
        return (pages - free, free)
    }

    /// One list: the transaction that freed the pages, and how many they are.
    @unsafe
    private static func list(
        _ cursor: OpaquePointer?, _ operation: MDB_cursor_op
    ) -> (transaction: Int, pages: Int)? {
        var (key, value) = unsafe (MDB_val(), MDB_val())
        guard unsafe mdb_cursor_get(cursor, &key, &value, operation) == 0, unsafe key.mv_size == 8,
            let list = unsafe FreeList(value.mv_data, byteCount: value.mv_size)
        else { return nil }
        return unsafe (key.mv_data.loadUnaligned(as: Int.self), list.count)
    }
}

/// Calls a closure once, after some time.
package typealias Pause = @Sendable (@escaping @Sendable () -> Void) -> Void
