// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Symbols of FirebaseFirestore that Hearth lacks, declared so that the compiler says why. The texts are those of
// docs/firestore-symbols.tsv; a test compares them.

extension Database {
    /// Unavailable in Hearth.
    @available(*, unavailable, message: "There is no FirebaseApp. Open another file with Database.open(path:).")
    public static func firestore(app: Any) -> Database { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "There is no FirebaseApp. Open another file with Database.open(path:).")
    public static func firestore(app: Any, database: String) -> Database { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "A database is a file: Database.open(path:).")
    public static func firestore(database: String) -> Database { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "There is no FirebaseApp. Open another file with Database.open(path:).")
    public var app: Any { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Read the stream into a String.")
    public func setIndexConfiguration(_ stream: InputStream, completion: (((any Error)?) -> Void)? = nil) {
        fatalError()
    }

    /// Unavailable in Hearth.
    @available(
        *, unavailable,
        message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition."
    )
    public func pipeline() -> PipelineSource { fatalError() }
}

extension Query {
    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Foundation on Linux has no predicates from text. Use whereFilter(_:).")
    public func filter(using predicate: NSPredicate) -> Query { fatalError() }
}
