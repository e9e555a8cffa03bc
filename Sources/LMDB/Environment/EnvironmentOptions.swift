// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Dispatch

extension Environment {
    /// How a database file is opened.
    package struct Options: Sendable {
        /// Bytes of address space for the map; sparse, so it costs nothing until used, and grown when full.
        package var mapSize: Int
        /// Reads open at once over all processes; decided by whoever opens the file first.
        package var maximumReaders: Int
        package var maximumStores: Int
        package var durability: Durability
        /// Opens for reading only; the file must exist.
        package var readOnly: Bool
        /// Opens for reading only a file that nobody writes meanwhile, without a lock file. Where somebody does, reads are wrong.
        package var isImmutable = false
        /// Whether commits of several callers place their pages beside each other, see `PagePlacement`: faster on most devices,
        /// for about twice the pages in use as free pages, 65,536 at most. `FirestoreSettings` decides the default.
        package var placesPages = true
        /// Whether reads read LMDB's pages themselves, which is faster and notices damage; else LMDB reads them. Tests compare
        /// the two.
        package var readsPages = true
        /// How long free pages are kept for commits that do not come; tests end the pause themselves.
        package var afterPause: Pause = { body in
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1), execute: body)
        }

        package init(
            mapSize: Int = 64 << 30, maximumReaders: Int = 2048, maximumStores: Int = 16,
            durability: Durability = .full, readOnly: Bool = false
        ) {
            self.mapSize = mapSize
            self.maximumReaders = maximumReaders
            self.maximumStores = maximumStores
            self.durability = durability
            self.readOnly = readOnly
        }
    }

    /// Calls a body once, after a while.
    package typealias Pause = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// What a commit survives. Every mode survives the death of the process.
    package enum Durability: Hashable, Sendable {
        /// A commit that returned survives power loss.
        case full
        /// Power loss may undo the last commits, whole (LMDB's `MDB_NOMETASYNC`).
        case mayLoseLastCommits
        /// Power loss may destroy the database (LMDB's `MDB_NOSYNC`). For data that can be made again.
        case mayLoseDatabase

        var flags: UInt32 {
            switch self {
            case .full: 0
            case .mayLoseLastCommits: UInt32(MDB_NOMETASYNC)
            case .mayLoseDatabase: UInt32(MDB_NOSYNC)
            }
        }
    }
}
