// SPDX-License-Identifier: Apache-2.0

// What FirebaseFirestore has and Hearth has not, so that the compiler says why. The texts are those of docs/firestore-symbols.tsv;
// a test compares them.

/// Absent.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct Pipeline {}

/// Absent.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct PipelineSource {}

/// Absent.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct PipelineSnapshot {}

/// Absent.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct PipelineResult {}

/// Absent.
@available(
    *, unavailable,
    message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
)
public struct LoadBundleTask {}

/// Absent.
@available(
    *, unavailable,
    message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
)
public struct LoadBundleTaskProgress {}

/// Absent.
@available(
    *, unavailable,
    message: "Bundles fill a cache from a server's export. Load documents with Database.importDocuments(from:)."
)
public struct LoadBundleTaskState {}

#if !canImport(SwiftUI)
    /// Absent.
    @available(
        *, unavailable, message: "On Apple's platforms only, where SwiftUI is; LiveQuery is its counterpart everywhere."
    )
    @propertyWrapper
    public struct FirestoreQuery<Value> {
        /// Absent.
        public struct Configuration {}
        /// Absent.
        public var wrappedValue: Value { fatalError() }
        /// Absent.
        public init(
            collectionPath: String, predicates: [QueryPredicate] = [],
            decodingFailureStrategy: DecodingFailureStrategy = .raise, animation: Any? = nil
        ) { fatalError() }
    }
#endif
