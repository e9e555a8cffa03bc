// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

extension Database {
    /// The default database: the file that the environment variable `HEARTH_DATABASE` names, or `hearth.db` in the
    /// current directory. Every call returns the same object until that object is terminated.
    ///
    /// The file is opened on first use. Calls throw if it cannot be opened.
    public static func firestore() -> Database { DefaultDatabase.current() }
}

enum DefaultDatabase {
    private static let database = Mutex<Database?>(nil)

    static func current() -> Database {
        database.withLock { database in
            if let database { return database }
            let path = ProcessInfo.processInfo.environment["HEARTH_DATABASE"] ?? "hearth.db"
            let new = Database(path: path, settings: FirestoreSettings().values)
            database = new
            return new
        }
    }

    static func forget(_ terminated: Database) {
        database.withLock { database in
            if database?.state === terminated.state { database = nil }
        }
    }
}
