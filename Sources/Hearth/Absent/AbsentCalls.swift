// SPDX-License-Identifier: Apache-2.0

public import Foundation

// What FirebaseFirestore has and Hearth has not, so that the compiler says why. The texts are those of docs/firestore-symbols.tsv;
// a test compares them.

extension Database {
    /// Absent.
    @available(*, unavailable, message: "There is no FirebaseApp. Open another file with Database.open(path:).")
    public static func firestore(app: Any) -> Database { fatalError() }

    /// Absent.
    @available(*, unavailable, message: "There is no FirebaseApp. Open another file with Database.open(path:).")
    public static func firestore(app: Any, database: String) -> Database { fatalError() }

    /// Absent.
    @available(*, unavailable, message: "A database is a file: Database.open(path:).")
    public static func firestore(database: String) -> Database { fatalError() }

    /// Absent.
    @available(*, unavailable, message: "There is no FirebaseApp. Open another file with Database.open(path:).")
    public var app: Any { fatalError() }

    /// Absent.
    @available(
        *, unavailable,
        message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
    )
    @discardableResult
    public func loadBundle(_ bundle: Any) -> LoadBundleTask { fatalError() }

    /// Absent.
    @available(
        *, unavailable,
        message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
    )
    @discardableResult
    public func loadBundle(_ bundle: Any, completion: (LoadBundleTaskProgress?, (any Error)?) -> Void) -> LoadBundleTask
    { fatalError() }

    /// Absent.
    @available(
        *, unavailable,
        message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
    )
    public func loadBundle(_ bundle: Any) async throws -> LoadBundleTaskProgress { fatalError() }

    /// Absent.
    @available(
        *, unavailable,
        message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
    )
    public func getQuery(named name: String, completion: (Query?) -> Void) { fatalError() }

    /// Absent.
    @available(
        *, unavailable,
        message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
    )
    public func getQuery(named name: String) async -> Query? { fatalError() }

    /// Absent.
    @available(*, unavailable, message: "Read the stream into a String.")
    public func setIndexConfiguration(_ stream: InputStream, completion: (((any Error)?) -> Void)? = nil) {
        fatalError()
    }

    /// Absent.
    @available(
        *, unavailable,
        message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition."
    )
    public func pipeline() -> PipelineSource { fatalError() }
}

extension Query {
    /// Absent.
    @available(*, unavailable, message: "Foundation on Linux has no predicates from text. Use whereFilter(_:).")
    public func filter(using predicate: NSPredicate) -> Query { fatalError() }
}
