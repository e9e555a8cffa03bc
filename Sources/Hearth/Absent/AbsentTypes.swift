// SPDX-License-Identifier: Apache-2.0

// Symbols of FirebaseFirestore that Hearth lacks, declared so that the compiler says why. The texts are those of
// docs/firestore-symbols.tsv; a test compares them.

/// Unavailable in Hearth.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct Pipeline {}

/// Unavailable in Hearth.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct PipelineSource {}

/// Unavailable in Hearth.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct PipelineSnapshot {}

/// Unavailable in Hearth.
@available(*, unavailable, message: "Pipelines are of the Enterprise edition; Hearth answers as the Standard edition.")
public struct PipelineResult {}

#if !canImport(SwiftUI)
    /// Unavailable in Hearth.
    @available(
        *, unavailable, message: "On Apple's platforms only, where SwiftUI is; LiveQuery is its counterpart everywhere."
    )
    @propertyWrapper
    public struct FirestoreQuery<Value> {
        /// Unavailable in Hearth.
        public struct Configuration {}
        /// Unavailable in Hearth.
        public var wrappedValue: Value { fatalError() }
        /// Unavailable in Hearth.
        public init(
            collectionPath: String, predicates: [QueryPredicate] = [],
            decodingFailureStrategy: DecodingFailureStrategy = .raise, animation: Any? = nil
        ) { fatalError() }
    }
#endif
