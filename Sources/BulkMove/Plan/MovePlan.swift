// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// What moving a database to Cloud Firestore takes, before anything is sent.
package struct MovePlan: Sendable {
    package struct Group: Sendable {
        package let id: Text
        package let documents: Int
        /// By Firestore's formulas (D-30 to D-32).
        package let bytes: Int
        package let largest: Int
    }

    /// Collection groups, the largest first.
    package let groups: [Group]
    package let hotRanges: [HotRange]
    /// Documents that production refuses, with its reason; the first of them.
    package let refused: [(path: DocumentPath, reason: String)]
    package let refusedCount: Int
    /// Documents with references to other databases. They arrive as they are.
    package let documentsWithForeignReferences: Int

    package var documents: Int { groups.reduce(0) { $0 + $1.documents } }
    package var bytes: Int { groups.reduce(0) { $0 + $1.bytes } }
    /// Each document is billed as one write.
    package var writes: Int { documents - refusedCount }
}

/// Where writes would meet on one server, which takes about 500 a second.
package struct HotRange: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// New documents get names that follow each other.
        case names
        /// New documents get ever greater, or ever smaller, values of an indexed field.
        case field(Text)
    }

    package enum Evidence: String, Sendable, Hashable {
        /// The order of creation.
        case creation
        /// Names are a counter's numbers; or times that differ in nearly every document. Creation times do not tell, because
        /// the documents were loaded together.
        case values
    }

    package let group: Text
    package let kind: Kind
    package let evidence: Evidence
    package let documents: Int

    package init(group: Text, kind: Kind, evidence: Evidence, documents: Int) {
        self.group = group
        self.kind = kind
        self.evidence = evidence
        self.documents = documents
    }
}
