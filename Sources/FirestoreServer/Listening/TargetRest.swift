// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel

    /// What is left to read of a target's state. It is read in parts of about a megabyte, so that no more is held for a client that does
    /// not read.
    struct TargetRest {
        enum Kind {
            /// The client knows nothing.
            case all
            /// The client knows these documents, as of their times.
            ///
            /// - Parameter changed: the documents that commits have changed, if it matters whether one has left the result by itself.
            case difference([DocumentPath: Timestamp], changed: Set<DocumentPath>?)
            /// The documents are those that have changed since, whether they belong to the target or not.
            ///
            /// - Parameter former: those of them that belonged to it.
            case changes(former: Set<DocumentPath>)
        }

        var pages: TargetPages
        let kind: Kind
        /// Documents that are not among the target's and that the client may know. They come after the pages.
        var gone: ArraySlice<DocumentPath> = []

        /// How many of ``gone`` are read at once.
        static let goneLimit = 1_000
        /// How many names of changed documents are held; beyond, the whole result is read.
        static let changeLimit = 100_000

        init(_ pages: TargetPages, _ kind: Kind) {
            self.pages = pages
            self.kind = kind
        }
    }
#endif
