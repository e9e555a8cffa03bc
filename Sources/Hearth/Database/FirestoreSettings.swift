// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
public import Foundation
internal import LMDB

/// How a database is opened and where its callbacks arrive.
///
/// Set them before the first use of a database (C-1):
///
/// ```swift
/// let settings = FirestoreSettings()
/// settings.cacheSettings = MemoryCacheSettings()
/// Firestore.firestore().settings = settings
/// ```
///
/// A database copies its settings: changing an object after it was assigned changes nothing.
public final class FirestoreSettings {
    /// The queue on which callbacks are called, a serial one: by default the main queue, as in FirebaseFirestore.
    ///
    /// An application runs it. A program without a main loop calls `dispatchMain()`, or sets a queue of its own; one that waits on
    /// its main thread for a callback needs a queue of its own, or the calls behind ``SynchronousForms/sync``. Once a callback has
    /// waited for two seconds, that is logged (``logHandler``).
    ///
    /// Closures need not be `Sendable`, for they are called on this queue alone: on the main queue a callback may use what belongs
    /// to the main actor. The compiler takes a closure that is written in a method of an actor, the main one too, as belonging to
    /// that actor. Where the queue is another one, mark such closures `@Sendable`, so that the compiler refuses what they may not
    /// touch there.
    public var dispatchQueue: DispatchQueue

    /// Whether data stays: ``PersistentCacheSettings``, the default, or ``MemoryCacheSettings``.
    public var cacheSettings: any LocalCacheSettings

    /// FirebaseFirestore's older spelling of ``cacheSettings``: whether they are not ``MemoryCacheSettings``.
    public var isPersistenceEnabled: Bool {
        get { !(cacheSettings is MemoryCacheSettings) }
        set { cacheSettings = newValue ? PersistentCacheSettings() : MemoryCacheSettings() }
    }

    /// What a commit survives.
    public var durability: Durability

    /// Whether the file is written. By default it is, and made if it is missing.
    public var fileAccess: FileAccess

    /// How often documents that have expired are deleted in the background while the database is open, in seconds; nil, the
    /// default: never, see ``Database/deleteExpiredDocuments()``. The first time comes as soon as the database is opened.
    public var expiryInterval: TimeInterval?

    /// A file to which queries are appended, without their values: operators, fields and orders, and how often they came.
    /// `hearth check` and `hearth advise` read it, so that a run of a program's tests gives its index file. Nil by default, or
    /// what the environment variable `HEARTH_QUERY_LOG` says.
    public var queryLog: String?

    /// Told of what no caller hears: refused listeners and failed writes without a completion. Nil by default: errors then go
    /// to standard error, and the rest nowhere (see ``Database/enableLogging(_:)``). Called from any thread; it must not call
    /// the database.
    ///
    /// ```swift
    /// settings.logHandler = { level, message in print(level, message) }
    /// ```
    ///
    /// The product `HearthLogging` sets one for swift-log.
    public var logHandler: (@Sendable (_ level: LogLevel, _ message: String) -> Void)?

    /// FirebaseFirestore's address of the server. Accepted and without effect: there is none.
    public var host = "localhost"

    /// FirebaseFirestore's encryption of the connection. Accepted and without effect: there is none.
    public var isSSLEnabled = true

    /// FirebaseFirestore's older spelling of the cache's size, in bytes. Accepted and without effect: a database is no cache,
    /// nothing is evicted.
    public var cacheSizeBytes = FirestoreCacheSizeUnlimited

    /// Bytes of address space that the database reserves when it opens: 64 GiB by default. It is no limit, for it grows where
    /// it must. Smaller for where address space is short: under `ulimit -v`, or in tools such as valgrind.
    public var mapSize: Int

    /// Whether what tasks write at the same time is placed together in the file, so that the disk takes it several times as fast.
    /// True by default. It costs space: free pages that are kept for it, up to twice the pages in use and about 256 MB at most.
    /// ``Durability/mayLoseDatabase`` never waits for the disk and keeps none.
    public var placesWritesTogether = true

    /// The default settings: a file, every commit durable.
    public init() {
        mapSize = Engine.Options().mapSize
        queryLog = ProcessInfo.processInfo.environment["HEARTH_QUERY_LOG"]
        dispatchQueue = .main
        cacheSettings = PersistentCacheSettings()
        durability = .full
        fileAccess = .readWrite
    }

    init(_ values: Values) {
        dispatchQueue = values.dispatchQueue
        cacheSettings = values.cacheSettings
        durability = values.durability
        fileAccess = values.fileAccess
        queryLog = values.queryLog
        expiryInterval = values.expiryInterval
        logHandler = values.logHandler
        host = values.host
        isSSLEnabled = values.isSSLEnabled
        cacheSizeBytes = values.cacheSizeBytes
        mapSize = values.mapSize
        placesWritesTogether = values.placesWritesTogether
    }

    /// What a database keeps of its settings.
    struct Values: Sendable {
        let dispatchQueue: DispatchQueue
        let cacheSettings: any LocalCacheSettings
        let durability: Durability
        let fileAccess: FileAccess
        let queryLog: String?
        let expiryInterval: TimeInterval?
        let logHandler: (@Sendable (LogLevel, String) -> Void)?
        let host: String
        let isSSLEnabled: Bool
        let cacheSizeBytes: Int64
        let mapSize: Int
        let placesWritesTogether: Bool
    }

    var values: Values {
        Values(
            dispatchQueue: dispatchQueue, cacheSettings: cacheSettings, durability: durability, fileAccess: fileAccess,
            queryLog: queryLog,
            expiryInterval: expiryInterval,
            logHandler: logHandler, host: host, isSSLEnabled: isSSLEnabled, cacheSizeBytes: cacheSizeBytes,
            mapSize: mapSize, placesWritesTogether: placesWritesTogether)
    }
}

/// FirebaseFirestore's value for a cache without limit; see ``FirestoreSettings/cacheSizeBytes``.
public let FirestoreCacheSizeUnlimited: Int64 = -1

/// What a database may do with its file. Where it is not written, writes throw `failedPrecondition`.
public enum FileAccess: Sendable, Hashable {
    /// Reads and writes, and makes the file if it is missing.
    case readWrite
    /// Reads only. Other processes may write, so the lock file is used, and made if it is missing.
    case readOnly
    /// Reads only, from a file that nobody writes while it is open: one in an application's bundle or on a read-only volume. No
    /// lock file is needed or made. If somebody does write the file, reads are wrong or fail.
    case immutable
}

/// What a commit survives. In every mode it survives the death of the process.
public enum Durability: Sendable, Hashable {
    /// A commit that was reported survives power loss.
    case full
    /// Power loss may undo the last commits, each whole.
    case mayLoseLastCommits
    /// Power loss may destroy the database. For data that can be made again.
    case mayLoseDatabase

    var mode: Environment.Durability {
        switch self {
        case .full: .full
        case .mayLoseLastCommits: .mayLoseLastCommits
        case .mayLoseDatabase: .mayLoseDatabase
        }
    }
}

/// Whether data stays when a database is closed: ``PersistentCacheSettings`` or ``MemoryCacheSettings``.
public protocol LocalCacheSettings: Sendable {}

/// The database is a file, without a limit to its size.
public struct PersistentCacheSettings: LocalCacheSettings {
    /// The default.
    public init() {}

    /// - Parameter sizeBytes: accepted for ported code and without effect: a database is no cache, nothing is evicted.
    public init(sizeBytes: NSNumber) {}
}

/// The database is temporary: it begins empty, and is gone when it is closed or the process ends, however that comes about.
public struct MemoryCacheSettings: LocalCacheSettings {
    /// An empty database.
    public init() {}

    /// - Parameter garbageCollectorSettings: accepted for ported code and without effect: nothing is collected.
    public init(garbageCollectorSettings: any MemoryGarbageCollectorSettings) {}
}

/// How FirebaseFirestore empties a cache in memory; without effect here.
public protocol MemoryGarbageCollectorSettings: Sendable {}

/// Without effect here.
public struct MemoryEagerGCSetting: MemoryGarbageCollectorSettings {
    /// The default.
    public init() {}
}

/// Without effect here.
public struct MemoryLRUGCSettings: MemoryGarbageCollectorSettings {
    /// The default.
    public init() {}

    /// - Parameter sizeBytes: without effect.
    public init(sizeBytes: NSNumber) {}
}
