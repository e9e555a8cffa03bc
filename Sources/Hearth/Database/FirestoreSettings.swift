// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
public import Foundation
internal import LMDB

/// How a database is opened, and where its callbacks run.
///
/// Change settings before the first use of a database:
///
/// ```swift
/// let settings = FirestoreSettings()
/// settings.cacheSettings = MemoryCacheSettings()
/// Firestore.firestore().settings = settings
/// ```
///
/// A database copies its settings. Changing an object after it was assigned has no effect.
public final class FirestoreSettings {
    /// The queue on which callbacks are called. It must be serial. The default is the main queue, as in
    /// FirebaseFirestore.
    ///
    /// An application runs the main queue. A program without a main loop calls `dispatchMain()` or sets a queue of its
    /// own. A program that blocks its main thread until a callback arrives needs a queue of its own, or the calls
    /// behind ``BlockingAPIProviding/sync``. If a callback waits on the main queue for two seconds, that is logged
    /// (``logHandler``).
    ///
    /// Closures need not be `Sendable`, because they are called on this queue only. On the main queue, a callback may
    /// use what is isolated to the main actor. The compiler treats a closure that is written in a method of an actor,
    /// including the main actor, as isolated to that actor. If this is not the main queue, mark such closures
    /// `@Sendable`, so that the compiler rejects what they must not use.
    public var dispatchQueue: DispatchQueue

    /// Whether data persists: ``PersistentCacheSettings``, the default, or ``MemoryCacheSettings``.
    public var cacheSettings: any LocalCacheSettings

    /// FirebaseFirestore's older form of ``cacheSettings``: false with ``MemoryCacheSettings``, otherwise true.
    public var isPersistenceEnabled: Bool {
        get { !(cacheSettings is MemoryCacheSettings) }
        set { cacheSettings = newValue ? PersistentCacheSettings() : MemoryCacheSettings() }
    }

    /// What a commit survives. The default is ``Durability/full``.
    public var durability: Durability

    /// Whether the file may be written. The default is ``FileAccess/readWrite``.
    public var fileAccess: FileAccess

    /// A collection of the server's database in which increments leave markers, so that each counts exactly once even if
    /// the connection breaks before the server's answer arrives. Nil, the default, is FirebaseFirestore's behavior: the
    /// write is sent again, and the increment may count twice.
    ///
    /// With a collection, the commit of a write with an increment, or with a condition that its own success would break,
    /// also creates a small document there and deletes those of earlier commits. An idle device leaves a few of them; delete
    /// none of a device that may still send the same write again. This costs two billed writes for each such commit. The
    /// security rules must let the user create, get and delete documents of the collection, or such writes are refused:
    ///
    /// ```
    /// match /commits/{id} { allow create, get, delete: if request.auth != null; }
    /// ```
    ///
    /// Other writes may still be sent twice, which changes nothing unless another device wrote in between. It has no effect
    /// on a database without a remote, nor on transactions.
    public var exactlyOnceCollection: String?

    /// How often expired documents are deleted in the background while the database is open, in seconds. The first
    /// deletion starts when the database is opened. Nil, the default, disables it; see
    /// ``Database/deleteExpiredDocuments()``. It has no effect on a database that is opened for reading only.
    public var timeToLiveSweepInterval: TimeInterval?

    /// A file to which the database appends the shape of each query, without values: operators, fields and orders, and
    /// how often the query ran. `hearth check` and `hearth advise` read it, so a test run of a program yields its index
    /// file. The default is the environment variable `HEARTH_QUERY_LOG`, or nil.
    public var queryLog: String?

    /// Called with messages that no caller receives, such as failures of listeners and of writes without a callback. It
    /// may be called on any thread and must not wait for the database, nor write to it: what it would wait for may be what
    /// it is told of. `sync.terminate()` and other calls that would wait so throw `failedPrecondition`;
    /// ``Database/terminate(completion:)`` does not wait. Nil by default: errors then go to standard error, and other
    /// messages only after ``Database/enableLogging(_:)``.
    ///
    /// ```swift
    /// settings.logHandler = { level, message in print(level, message) }
    /// ```
    ///
    /// The product `HearthLogging` provides a handler for swift-log.
    public var logHandler: (@Sendable (_ level: LogLevel, _ message: String) -> Void)? {
        get { log?.handle }
        set { log = newValue.map { LogHandler(handle: $0) } }
    }

    private var log: LogHandler?

    /// The server's database whose offline data this database keeps; nil, the default, for a database without a server.
    /// The product HearthConnected makes remotes.
    ///
    /// ```swift
    /// let settings = FirestoreSettings()
    /// settings.remote = remote
    /// Firestore.firestore().settings = settings
    /// ```
    ///
    /// `Database.open(path:settings:remote:)` sets it.
    public var remote: Remote?

    /// The server that ``remote`` is asked at: a name or address with a port, such as `127.0.0.1:8080`, without a scheme. The
    /// default, `firestore.googleapis.com`, leaves the choice to the remote. Without a remote it has no effect.
    public var host = FirestoreSettings.productionHost

    /// Whether the connection to ``host`` is encrypted. It has no effect while ``host`` is the default.
    public var isSSLEnabled = true

    /// FirebaseFirestore's older form of ``PersistentCacheSettings/init(sizeBytes:)``, with the same sizes. It has no effect on
    /// ``MemoryCacheSettings``, nor without a remote.
    public var cacheSizeBytes: Int64 {
        get { (cacheSettings as? PersistentCacheSettings)?.threshold.map(Int64.init) ?? FirestoreCacheSizeUnlimited }
        set {
            if isPersistenceEnabled { cacheSettings = PersistentCacheSettings(sizeBytes: NSNumber(value: newValue)) }
        }
    }

    /// The address space that the database reserves when it opens, in bytes; 64 GiB by default. It does not limit the
    /// file, because the reservation grows when needed. Set a smaller one where address space is scarce, such as under
    /// `ulimit -v` or valgrind.
    public var mapSize: Int

    /// Whether writes of tasks at the same time go to neighboring pages of the file, which a disk takes several times as
    /// fast. True by default. It costs space: the file keeps free pages, up to twice the pages in use and about 256 MB
    /// at most. ``Durability/mayLoseDatabase`` never waits for the disk and keeps none.
    public var placesWritesTogether = true

    /// Creates the default settings: a persistent file in which every commit is durable.
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
        exactlyOnceCollection = values.exactlyOnceCollection
        timeToLiveSweepInterval = values.timeToLiveSweepInterval
        log = values.log
        remote = values.remote
        host = values.host
        isSSLEnabled = values.isSSLEnabled
        mapSize = values.mapSize
        placesWritesTogether = values.placesWritesTogether
    }

    /// A database's copy of its settings.
    struct Values: Sendable {
        let dispatchQueue: DispatchQueue
        let cacheSettings: any LocalCacheSettings
        let durability: Durability
        let fileAccess: FileAccess
        let queryLog: String?
        let exactlyOnceCollection: String?
        let timeToLiveSweepInterval: TimeInterval?
        let log: LogHandler?
        var remote: Remote?
        var host: String
        var isSSLEnabled: Bool
        let mapSize: Int
        let placesWritesTogether: Bool

        func with(_ remote: Remote) -> Values {
            var values = self
            values.remote = remote
            return values
        }

        var logHandler: (@Sendable (LogLevel, String) -> Void)? { log?.handle }

        /// The server that the program has set instead of the remote's own.
        var serverAddress: ServerAddress? {
            host == FirestoreSettings.productionHost ? nil : ServerAddress(host: host, isSSLEnabled: isSSLEnabled)
        }
    }

    private static let productionHost = "firestore.googleapis.com"

    var values: Values {
        Values(
            dispatchQueue: dispatchQueue, cacheSettings: cacheSettings, durability: durability, fileAccess: fileAccess,
            queryLog: queryLog, exactlyOnceCollection: exactlyOnceCollection,
            timeToLiveSweepInterval: timeToLiveSweepInterval, log: log,
            remote: remote, host: host, isSSLEnabled: isSSLEnabled, mapSize: mapSize,
            placesWritesTogether: placesWritesTogether)
    }
}

/// FirebaseFirestore's value for an unlimited cache; see ``FirestoreSettings/cacheSizeBytes``.
public let FirestoreCacheSizeUnlimited: Int64 = -1

/// How a database may use its file. If the file may not be written, writes throw `failedPrecondition`.
public enum FileAccess: Sendable, Hashable {
    /// Reads and writes, and creates the file if it is missing.
    case readWrite
    /// Reads only. Other processes may write, so the lock file is used, and created if it is missing.
    case readOnly
    /// Reads only, from a file that nobody writes while it is open, such as one in an application's bundle or on a
    /// read-only volume. Needs and creates no lock file. If the file is written nevertheless, reads fail or return
    /// wrong data.
    case immutable
}

/// What a commit survives. In every mode, it survives a crash of the process.
public enum Durability: Sendable, Hashable {
    /// A commit that was reported as successful survives power loss.
    case full
    /// Power loss may undo the last commits, each as a whole.
    case mayLoseLastCommits
    /// Power loss may destroy the database. For data that can be recreated.
    case mayLoseDatabase

    var mode: Environment.Durability {
        switch self {
        case .full: .full
        case .mayLoseLastCommits: .mayLoseLastCommits
        case .mayLoseDatabase: .mayLoseDatabase
        }
    }
}
