// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Dispatch

extension Environment {
    /// How a database file is opened.
    package struct Options: Sendable {
        /// Bytes of address space for the map. It costs nothing until used, and grows when full.
        package var mapSize: Int
        /// How many reads may be open at once, over all processes. The process that opens the file first decides.
        package var maximumReaders: Int
        package var maximumStores: Int
        package var durability: Durability
        /// Opens for reading only; the file must exist.
        package var readOnly: Bool
        /// Opens for reading only and without a lock file. Nobody may write the file meanwhile, or reads are wrong.
        package var isImmutable = false
        /// Whether LMDB allocates the pages of grouped commits beside each other (see `PagePlacement`). It makes commits faster on
        /// most devices and costs free pages: up to twice the pages in use, 65,536 at most. The library's default is that of
        /// `FirestoreSettings.placesWritesTogether`.
        package var placesPages = true
        /// Whether this module reads the pages in reads, which is faster and detects damage; else LMDB's C code reads them. Tests
        /// compare the two.
        package var readsPages = true
        /// Whether the system begins to write a large commit's pages while LMDB is still writing further ones (see
        /// `EarlyWriteback`). It changes no byte.
        package var writesBackEarly = true
        /// How long `PagePlacement` keeps free pages without a commit. Tests end the pause themselves.
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

    /// What a commit survives. Every mode survives the death of the process.
    package enum Durability: Hashable, Sendable {
        /// A commit that returned survives power loss.
        case full
        /// Power loss may undo the last commits, whole (LMDB's `MDB_NOMETASYNC`).
        case mayLoseLastCommits
        /// Power loss may destroy the database (LMDB's `MDB_NOSYNC`). For data that can be recreated.
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
